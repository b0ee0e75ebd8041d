/** The code samples of the OpenAPI document run as they are, against the dev server. */

import { execFile, execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Endpoint } from '../../lib/http/endpoint.ts';
import { type Sample, sampleOf } from '../../samples/samples.ts';
import { documented } from '../../scripts/openapi/documented.ts';
import { storedExamples } from '../../scripts/openapi/examples.ts';
import { textsIn, variableOf } from '../../scripts/openapi/samples/request.ts';
import { codeSamples } from '../../scripts/openapi/samples.ts';
import { root } from '../../scripts/shared/root.ts';
import { hasPyright, pyright } from '../support/client/pyright.ts';
import { interpreters } from '../support/client/pythons.ts';
import { type DevServer, startDevServer } from '../support/dev-server.ts';

/** How a user runs a file in each language. */
const commands = {
  curl: ['bash', 'sample.sh'],
  TypeScript: [process.execPath, 'sample.mts'],
  Python: ['python3', 'sample.py'],
} as const;

let server: DevServer;
let folder: string;

/** A folder like a user's, in which the client is installed. */
beforeAll(async () => {
  server = await startDevServer();
  // So that no list is empty.
  await server.api.createProject();
  folder = mkdtempSync(join(tmpdir(), 'platform-api-samples-'));
  const installed = join(folder, 'node_modules/platform-api-client');
  const client = resolve(root, 'clients/typescript');
  mkdirSync(installed, { recursive: true });
  cpSync(join(client, 'package.json'), join(installed, 'package.json'));
  execFileSync(process.execPath, [tsc, '-p', client, '--outDir', join(installed, 'dist')], { stdio: 'pipe' });
});
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await server.stop();
});

const pythonClient = resolve(root, 'clients/python/src');
const tsc = resolve(root, 'node_modules/typescript/bin/tsc');

const examples = storedExamples();

function sourceOf(endpoint: Endpoint, wanted: string): string {
  const { 'x-codeSamples': samples = [] } = codeSamples(endpoint, examples[endpoint.id]);
  const source = samples.find(({ label }) => label === wanted)?.source;
  if (source === undefined) throw new Error(`${endpoint.id} has no code sample in ${wanted}`);
  return source;
}

/** The variables that a sample reads: the address, the key and the ids in the request. */
function environment({ path, body, key = server.apiKey }: Sample): Record<string, string> {
  const ids = [...path.split(/[/?]/), ...textsIn(body)].map((text) => [variableOf(text), text] as const);
  return {
    PATH: process.env.PATH ?? '',
    HOME: folder,
    PLATFORM_BASE_URL: server.baseUrl,
    PLATFORM_API_KEY: key,
    PYTHONPATH: pythonClient,
    ...Object.fromEntries(ids.filter(([name]) => name !== undefined)),
  };
}

describe.each(documented.map((endpoint) => [endpoint.id, endpoint] as const))('%s', (id, endpoint) => {
  const run = async (label: keyof typeof commands) => {
    const sample = await sampleOf(id, server.api);
    const [program, file] = commands[label];
    const own = join(folder, `${id}.${label}`);
    mkdirSync(own);
    writeFileSync(join(own, file), sourceOf(endpoint, label));
    const { stdout } = await promisify(execFile)(program, [file], { cwd: own, env: environment(sample) });
    expect(stdout).toMatch(label === 'curl' ? /^\{"(success":true|openapi")/ : /\S/);
  };

  test('curl', { tags: ['nightly'] }, () => run('curl'));
  // A process of Node or Python takes ten times as long to start.
  test('TypeScript', { tags: ['nightly'] }, () => run('TypeScript'));
  test('Python', { tags: ['nightly'] }, () => run('Python'));
});

test('the samples in Python have correct types', { tags: ['nightly'] }, (context) => {
  const [oldest] = interpreters();
  if (!oldest) return context.skip('Python is missing');
  if (!hasPyright()) return context.skip('pyright cannot be installed');
  const sources = join(folder, 'checked');
  mkdirSync(sources);
  for (const endpoint of documented) {
    writeFileSync(join(sources, `${endpoint.id.replaceAll('.', '_')}.py`), sourceOf(endpoint, 'Python'));
  }
  expect(pyright(sources, oldest.command, [pythonClient])).toEqual([]);
});

test('the samples in TypeScript compile, with all checks', { tags: ['nightly'] }, () => {
  const sources = join(folder, 'compiled');
  mkdirSync(sources);
  for (const endpoint of documented) {
    writeFileSync(join(sources, `${endpoint.id}.mts`), sourceOf(endpoint, 'TypeScript'));
  }
  const types = join(folder, 'node_modules/@types');
  symlinkSync(resolve(root, 'node_modules/@types'), types);
  const compilerOptions = {
    strict: true,
    noEmit: true,
    module: 'nodenext',
    target: 'es2024',
    types: ['node'],
  };
  writeFileSync(join(sources, 'tsconfig.json'), JSON.stringify({ compilerOptions }));
  const { status, stdout } = spawnSync(process.execPath, [tsc, '-p', sources], { encoding: 'utf8' });
  expect(status, stdout).toBe(0);
});
