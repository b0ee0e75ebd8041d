/**
 * `npm run sam`: what it starts SAM with, and that SAM ends with it. Fakes of SAM and Docker record what happens to them;
 * test/aws/sam.test.ts uses the real ones.
 */
// @module-tag long

import { type ChildProcess, spawn } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { freePort } from '../../scripts/local/port.ts';
import { root } from '../../scripts/shared/root.ts';

const node = process.execPath;
const ending = { force: true, recursive: true, maxRetries: 5 };
let folder: string;
let running: ChildProcess | undefined;

/** Records its arguments as soon as it listens for signals, then the signals. Stops half a second after the first signal, or when the file `end` exists. */
const fakeSam = `#!${node}
const { appendFileSync, existsSync } = require('node:fs');
const note = (text) => appendFileSync('sam.log', text + '\\n');
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => {
  note(signal);
  setTimeout(() => { note('ended'); process.exit(0); }, 500);
});
note(process.argv.slice(2).join(' '));
setInterval(() => existsSync('end') && process.exit(3), 20);
`;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'platform-api-'));
  for (const [name, text] of [
    ['sam', fakeSam],
    ['docker', `#!${node}\n`],
  ] as const) {
    writeFileSync(join(folder, name), text);
    chmodSync(join(folder, name), 0o755);
  }
  const sam = `exec "${node}" "${join(root, 'test/support/sam-child.ts')}" "${join(folder, 'sam')}"`;
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ scripts: { sam } }));
});
afterEach(() => {
  if (running?.exitCode === null && running.signalCode === null) running.kill('SIGKILL');
  rmSync(folder, ending);
});

const devRuns = () => {
  mkdirSync(join(folder, '.local'));
  const content = { baseUrl: '', apiKey: '', testApiKey: '', dynamodbEndpoint: 'http://127.0.0.1:8123' };
  writeFileSync(join(folder, '.local/dev.json'), JSON.stringify(content));
};
const samLines = () =>
  existsSync(join(folder, 'sam.log')) ? readFileSync(join(folder, 'sam.log'), 'utf8').trim().split('\n') : [];

/** Its own process group is like a terminal's: a signal to all of it is a Ctrl+C. */
async function start(path = `${folder}:${process.env.PATH}`) {
  const port = await freePort();
  const child = spawn('npm', ['run', '--silent', 'sam'], {
    cwd: folder,
    detached: true,
    env: { ...process.env, PORT: String(port), PATH: path },
  });
  running = child;
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk));
  const code = new Promise<number | null>((done) => child.once('close', done));
  return { child, port, output: () => output, code };
}

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await sleep(25);
}

test('starts SAM with the template, and with the tables and the key of npm run dev', async () => {
  devRuns();
  const { child, port, output, code } = await start();
  await until(() => samLines().length > 0);
  const [command = ''] = samLines();
  expect(command).toMatch(/^local start-api --template \S+template\.json --port /);
  expect(command).toContain('--add-host host.docker.internal:host-gateway --warm-containers LAZY');
  expect(command).toContain(`--port ${port} `);
  const variables = JSON.parse(readFileSync(/--template (\S+)/.exec(command)?.[1] ?? '', 'utf8'));
  expect(variables).toMatchObject({
    AWS_ENDPOINT_URL_DYNAMODB: 'http://host.docker.internal:8123',
    PROJECTS_TABLE: expect.stringMatching(/^dev/),
  });
  expect(output()).toContain(`http://127.0.0.1:${port}/api/v1`);
  process.kill(-(child.pid ?? 0), 'SIGINT');
  await code;
  expect(samLines().slice(1)).toEqual(['SIGINT', 'ended']);
});

test.each(['SIGINT', 'SIGTERM'] as const)('%s to npm alone ends SAM', async (signal) => {
  devRuns();
  const { child } = await start();
  await until(() => samLines().length > 0);
  child.kill(signal);
  await until(() => samLines().includes('ended'));
  expect(samLines().slice(1)).toEqual(['SIGINT', 'ended']);
});

test('ends with an error when SAM ends', async () => {
  devRuns();
  const { code } = await start();
  await until(() => samLines().length > 0);
  writeFileSync(join(folder, 'end'), '');
  expect(await code).toBe(3);
});

test('says in one sentence that npm run dev does not run', async () => {
  const { output, code } = await start();
  expect(await code).toBe(1);
  expect(output().trim()).toMatch(/^Start npm run dev first[^\n]+$/);
  expect(samLines()).toEqual([]);
});

test('says in one sentence that Docker is missing', async () => {
  devRuns();
  writeFileSync(join(folder, 'docker'), `#!${node}\nprocess.exit(1);\n`);
  const { output, code } = await start();
  expect(await code).toBe(1);
  expect(output().trim()).toMatch(/^Docker is missing or not running\. [^\n]+$/);
});
