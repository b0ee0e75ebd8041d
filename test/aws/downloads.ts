/**
 * The downloads of a deployed stack. MiniStack does not know the address with which API Gateway streams, and its Lambda has no
 * streaming. So a small server here calls the function as the gateway does, and npm and pip install from this server.
 */

import { execFile } from 'node:child_process';
import { createHash, randomUUID } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda';
import type { APIGatewayProxyResult } from 'aws-lambda';
import { expect, test } from 'vitest';
import { functionName } from '../../infra/names.ts';
import type { ApiResponse } from '../support/api.ts';

const execute = promisify(execFile);

type Item = { file: string; kind: string; bytes: number; sha256: string };

/** Calls the deployed function of `GET /downloads/{file}`. */
async function invoke(file: string): Promise<APIGatewayProxyResult> {
  const event = {
    httpMethod: 'GET',
    path: `/v1/downloads/${file}`,
    resource: '/v1/downloads/{file}',
    pathParameters: { file },
    headers: { Accept: '*/*' },
    body: null,
    isBase64Encoded: false,
    requestContext: { requestId: randomUUID(), path: `/api/v1/downloads/${file}`, identity: {} },
  };
  const { Payload, FunctionError } = await new LambdaClient({}).send(
    new InvokeCommand({
      FunctionName: functionName('dev', 'downloads.get'),
      Qualifier: 'live',
      Payload: Buffer.from(JSON.stringify(event)),
    }),
  );
  expect(FunctionError).toBeUndefined();
  return JSON.parse(Buffer.from(Payload ?? []).toString()) as APIGatewayProxyResult;
}

const bytesOf = ({ body, isBase64Encoded }: APIGatewayProxyResult) =>
  Buffer.from(body, isBase64Encoded ? 'base64' : 'utf8');

async function openGateway() {
  const server = createServer(async (request, response) => {
    const result = await invoke((request.url ?? '').split('/').at(-1) ?? '');
    response.writeHead(result.statusCode, result.headers as Record<string, string>).end(bytesOf(result));
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const { port } = server.address() as AddressInfo;
  const close = () => {
    server.close();
    server.closeAllConnections();
  };
  return { address: `http://127.0.0.1:${port}/api/v1/downloads`, close };
}

/** @param get sends a GET to the deployed API */
export function rehearseDownloads(
  get: (path: string) => Promise<ApiResponse>,
  endpoint: () => string,
  bucket: () => string | undefined,
): void {
  const listed = async () => (await get('/downloads')).data.items as Item[];

  test('the function has the listed files, and the bucket keeps them', async () => {
    const items = await listed();
    expect(items.map(({ kind }) => kind)).toEqual(['cli', 'typescript', 'python']);
    for (const { file, sha256, bytes } of items) {
      const result = await invoke(file);
      expect([result.statusCode, result.headers?.['Content-Type']]).toEqual([
        200,
        'application/octet-stream',
      ]);
      expect(bytesOf(result)).toHaveLength(bytes);
      const kept = Buffer.from(await (await fetch(`${endpoint()}/${bucket()}/${file}`)).arrayBuffer());
      for (const content of [bytesOf(result), kept]) {
        expect(createHash('sha256').update(content).digest('hex')).toBe(sha256);
      }
    }
  });

  test('a missing file is an error in the envelope', async () => {
    const result = await invoke('platform-api-cli-9.9.9-g0000000.tgz');
    expect([result.statusCode, JSON.parse(result.body).error.code]).toEqual([404, 'not_found']);
  });

  test('npm and pip install from it, without a registry', async () => {
    const { address, close } = await openGateway();
    const folder = mkdtempSync(join(tmpdir(), 'platform-installed-'));
    try {
      const items = await listed();
      const fileOf = (wanted: string) => items.find(({ kind }) => kind === wanted)?.file ?? '';
      const options = ['--no-audit', '--no-fund', '--registry=http://127.0.0.1:9'];
      const global = ['--global', '--prefix', join(folder, 'global')];
      await execute('npm', ['install', ...global, ...options, `${address}/platform-api-cli.tgz`]);
      const { stdout } = await execute(join(folder, 'global/bin/platform'), ['--help']);
      expect(stdout).toContain('platform');
      const project = join(folder, 'project');
      mkdirSync(project);
      writeFileSync(join(project, 'package.json'), '{"type":"module"}');
      await execute('npm', ['install', ...options, `${address}/${fileOf('typescript')}`], { cwd: project });
      const imported = "import('platform-api-client').then(({ Platform }) => console.log(typeof Platform))";
      const client = await execute(process.execPath, ['-e', imported], { cwd: project });
      expect(client.stdout.trim()).toBe('function');
      const wheel = `${address}/${fileOf('python')}`;
      const target = join(folder, 'python');
      await execute('python3', ['-m', 'pip', 'install', '--no-index', '--target', target, wheel]);
      const python = await execute(
        'python3',
        ['-c', 'import platform_api; print(platform_api.Platform.__name__)'],
        {
          env: { ...process.env, PYTHONPATH: target },
        },
      );
      expect(python.stdout.trim()).toBe('Platform');
    } finally {
      close();
      rmSync(folder, { recursive: true, force: true });
    }
  });
}
