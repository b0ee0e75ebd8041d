/** The code that the console shows sends the same request as the page did: in every language, run for real. */

import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sampleOf } from '../../console/src/request/samples.ts';
import { root } from '../../scripts/shared/root.ts';
import { interpreters } from '../support/client/pythons.ts';

const run = promisify(execFile);

type Received = {
  method: string | undefined;
  url: string | undefined;
  body: unknown;
  key: string | undefined;
};
const received: Received[] = [];
let data: object = {};
const server = createServer(async (request, response) => {
  let text = '';
  for await (const chunk of request) text += chunk;
  received.push({
    method: request.method,
    url: request.url,
    body: text === '' ? undefined : JSON.parse(text),
    key: request.headers.authorization,
  });
  response.setHeader('Content-Type', 'application/json').end(JSON.stringify({ success: true, data }));
});

let folder: string;
let env: NodeJS.ProcessEnv;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'platform-samples-'));
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const { port } = server.address() as AddressInfo;
  env = {
    PATH: process.env.PATH,
    HOME: folder,
    PLATFORM_BASE_URL: `http://127.0.0.1:${port}/api/v1`,
    PLATFORM_API_KEY: 'key',
  };
});
afterAll(() => {
  server.close();
  server.closeAllConnections();
  rmSync(folder, { recursive: true, force: true });
});

const hostile = `it's "quoted" \`id\` $HOME \\ {project} ${String.fromCharCode(8238)} 😀\n--data @/etc/passwd`;
const project = 'proj_01JZ4Y7Q8R5T2V9W3X6B0C1D4E';

const calls = [
  {
    method: 'GET',
    path: `/projects/${project}/conversations`,
    query: [
      ['limit', '5'],
      ['tag', hostile],
    ] as const,
    body: undefined,
    isList: true,
  },
  {
    method: 'GET',
    path: `/projects/${project}/conversations`,
    query: [
      ['score', 'csat:gte:3'],
      ['score', "mood:eq:it's: fine"],
    ] as const,
    body: undefined,
    isList: true,
  },
  { method: 'GET', path: '/usage', query: [], body: undefined, isList: false },
  {
    method: 'GET',
    path: `/projects/${project}/avatars/avtr_01JZ4Y7Q8R5T2V9W3X6B0C1D4E/versions/3`,
    query: [],
    body: undefined,
    isList: false,
  },
  {
    method: 'POST',
    path: '/projects',
    query: [],
    body: { name: hostile, metadata: { 'a-b': "'", count: null }, settings: { retentionDays: 30 } },
    isList: false,
  },
  {
    method: 'DELETE',
    path: '/api-keys/key_01JZ4Y7Q8R5T2V9W3X6B0C1D4E',
    query: [['children', 'true']] as const,
    body: undefined,
    isList: false,
  },
];

const client = JSON.stringify(resolve(root, 'clients/typescript/src/index.ts'));

/** It has everything that could be quoted wrongly. */
const hardest = calls.find(({ method }) => method === 'POST');

describe.each(calls)('$method $path, $query.length parameters', (call) => {
  const tags = [call === hardest ? 'long' : 'nightly'];
  const sent = async (command: string, args: readonly string[]) => {
    received.length = 0;
    data = call.isList ? { items: [], nextCursor: null } : { id: 'x' };
    await run(command, args, { cwd: folder, env });
    expect(received).toHaveLength(1);
    const [request] = received;
    const url = new URL(request?.url ?? '', 'http://service');
    return { ...request, path: url.pathname, query: [...url.searchParams], url: undefined };
  };
  const expected = {
    method: call.method,
    path: `/api/v1${call.path}`,
    query: call.query.map((pair) => [...pair]),
    body: call.body,
    key: 'Bearer key',
    url: undefined,
  };

  test('with curl', { tags }, async () => {
    expect(await sent('bash', ['-c', sampleOf(call, 'curl')])).toEqual(expected);
  });

  test('with the command line', { tags }, async () => {
    const main = resolve(root, 'cli/src/main.ts');
    const shim = `platform() { '${process.execPath}' '${main}' "$@"; }\n`;
    expect(await sent('bash', ['-c', shim + sampleOf(call, 'Command line')])).toEqual(expected);
  });

  test('in TypeScript', { tags }, async () => {
    const file = join(folder, 'sample.ts');
    writeFileSync(file, sampleOf(call, 'TypeScript').replace("'platform-api-client'", client));
    expect(await sent(process.execPath, [file])).toEqual(expected);
  });

  test('in Python', { tags }, async (context) => {
    const [python] = interpreters();
    if (!python) return context.skip('Python is missing');
    const file = join(folder, 'sample.py');
    writeFileSync(file, sampleOf(call, 'Python'));
    env.PYTHONPATH = resolve(root, 'clients/python/src');
    expect(await sent(python.command, [file])).toEqual(expected);
  });
});
