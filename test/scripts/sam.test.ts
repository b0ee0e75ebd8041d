/**
 * `npm run sam`: when it reports that it is ready, and what it leaves behind. Fakes of SAM and Docker record what
 * happens to them; test/aws/sam.test.ts uses the real ones.
 */

import { type ChildProcess, spawn } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { freePort } from '../../scripts/local/free-port.ts';

const root = resolve(import.meta.dirname, '../..');
const node = process.execPath;
let folder: string;
const running: ChildProcess[] = [];

/**
 * Listens when the file `listen` exists, and responds with the status in it. Records signals, and stops a second after
 * the first.
 */
const fakeSam = `#!${node}
const { appendFileSync, existsSync, readFileSync } = require('node:fs');
const note = (text) => appendFileSync('sam.log', text + '\\n');
note('started ' + process.pid);
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => {
  note(signal);
  setTimeout(() => { note('ended'); process.exit(0); }, 1000);
});
const port = process.argv[process.argv.indexOf('--port') + 1];
setInterval(() => existsSync('end') && process.exit(3), 20);
const timer = setInterval(() => {
  if (!existsSync('listen')) return;
  clearInterval(timer);
  note('listens');
  require('node:http').createServer((_, response) => {
    response.statusCode = Number(readFileSync('listen', 'utf8'));
    response.end();
  }).listen(port, '127.0.0.1');
}, 20);
`;

/** Two containers: one mounts a folder of this project, the other does not. */
const fakeDocker = (ours: string) => `#!${node}
const args = process.argv.slice(2);
require('node:fs').appendFileSync('docker.log', args.join(' ') + '\\n');
if (args[0] === 'ps') console.log('aaa\\nbbb');
if (args[0] === 'inspect') console.log('aaa ${ours}/.local/sam/' + process.env.PORT + '/cdk.out/asset.1 \\nbbb /elsewhere/asset.1 ');
`;

beforeAll(() => {
  // In Docker's notation.
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'platform-api-')));
  for (const part of [
    'functions',
    'lib',
    'scripts',
    'workers',
    'infra',
    'package.json',
    'openapi.json',
    'llms.txt',
  ]) {
    cpSync(join(root, part), join(folder, part), { recursive: true });
  }
  mkdirSync(join(folder, 'test/support'), { recursive: true });
  cpSync(join(root, 'test/support/sam-child.ts'), join(folder, 'test/support/sam-child.ts'));
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  const executable = (name: string, text: string) => {
    mkdirSync(join(folder, name, '..'), { recursive: true });
    writeFileSync(join(folder, name), text);
    chmodSync(join(folder, name), 0o755);
  };
  executable('bin/sam', fakeSam);
  executable('bin/docker', fakeDocker(folder));
  const manifest = { type: 'module', scripts: { sam: `"${node}" test/support/sam-child.ts bin/sam` } };
  writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest));
  // The fakes are CommonJS.
  writeFileSync(join(folder, 'bin/package.json'), '{}');
});
afterEach(() => {
  for (const { pid = 0 } of running.splice(0)) kill(-pid, 'SIGKILL');
  for (const name of ['sam.log', 'docker.log', 'listen', 'end']) rmSync(join(folder, name), { force: true });
});
afterAll(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));

function kill(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It has stopped.
  }
}

const lines = (name: string) =>
  existsSync(join(folder, name)) ? readFileSync(join(folder, name), 'utf8').trim().split('\n') : [];
const samLines = () => lines('sam.log').map((line) => line.replace(/ \d+$/, ''));
const devFile = () => join(folder, '.local/dev.json');
const listen = (status: number) => writeFileSync(join(folder, 'listen'), String(status));

type Started = { child: ChildProcess; port: number; output: () => string; code: Promise<number | null> };

/** Its own process group is like a terminal's: a signal to all of it is a Ctrl+C. */
async function start(
  port?: number,
  command = [node, 'test/support/sam-child.ts', 'bin/sam'],
  path?: string,
): Promise<Started> {
  const chosen = port ?? (await freePort());
  const [program = '', ...args] = command;
  const child = spawn(program, args, {
    cwd: folder,
    detached: true,
    env: {
      ...process.env,
      npm_lifecycle_event: '',
      PORT: String(chosen),
      PATH: path ?? `${join(folder, 'bin')}:${process.env.PATH}`,
    },
  });
  running.push(child);
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => {
      output += chunk;
    });
  const code = new Promise<number | null>((done) => child.once('exit', (status) => done(status)));
  return { child, port: chosen, output: () => output, code };
}

async function until(condition: () => boolean | Promise<boolean>, what: () => string): Promise<void> {
  for (let tries = 0; tries < 8000; tries += 1) {
    if (await condition()) return;
    await new Promise((done) => setTimeout(done, 25));
  }
  throw new Error(`waited in vain: ${what()}`);
}

async function ready(command?: string[]): Promise<Started & { dynamodb: string }> {
  const started = await start(undefined, command);
  listen(200);
  await until(() => started.output().includes('Root key'), started.output);
  const { dynamodbEndpoint } = JSON.parse(readFileSync(devFile(), 'utf8')) as { dynamodbEndpoint: string };
  return { ...started, dynamodb: dynamodbEndpoint };
}

const responds = (url: string) =>
  fetch(url).then(
    () => true,
    () => false,
  );

/** @returns when SAM, DynamoDB Local and the file are gone */
async function gone({ dynamodb, output }: { dynamodb: string; output: () => string }): Promise<void> {
  await until(() => samLines().includes('ended'), output);
  await until(async () => !(await responds(dynamodb)), output);
  expect(existsSync(devFile())).toBe(false);
}

describe('npm run sam', { tags: ['long'] }, () => {
  test('prints address and keys, and writes dev.json, when a function responds through SAM', async () => {
    const { output, child, code, port } = await start();
    await until(() => samLines().includes('started'), output);
    await new Promise((done) => setTimeout(done, 500));
    expect(output()).not.toMatch(/sk_live_|Base URL/);
    expect(existsSync(devFile())).toBe(false);
    listen(200);
    await until(() => output().includes('Root key'), output);
    const content = JSON.parse(readFileSync(devFile(), 'utf8')) as Record<string, string>;
    expect(content).toEqual({
      baseUrl: `http://127.0.0.1:${port}/api/v1`,
      apiKey: expect.stringMatching(/^sk_live_/),
      testApiKey: expect.stringMatching(/^sk_test_/),
      dynamodbEndpoint: expect.stringMatching(/^http:/),
    });
    expect(output()).toContain(content.baseUrl);
    kill(-(child.pid ?? 0), 'SIGINT');
    expect(await code).toBe(0);
  });

  test.each([
    ['Ctrl+C', (pid: number) => kill(-pid, 'SIGINT')],
    [
      'Ctrl+C twice',
      (pid: number) => {
        kill(-pid, 'SIGINT');
        kill(-pid, 'SIGINT');
      },
    ],
    ['SIGTERM', (pid: number) => kill(pid, 'SIGTERM')],
  ])('%s stops SAM once, its containers and DynamoDB Local', async (_, signal) => {
    const started = await ready();
    signal(started.child.pid ?? 0);
    expect(await started.code, started.output()).toBe(0);
    await gone(started);
    expect(samLines()).toEqual(['started', 'listens', 'SIGINT', 'ended']);
    // Only our containers that SAM did not remove.
    expect(lines('docker.log').filter((line) => line.startsWith('rm'))).toEqual(['rm --force aaa']);
    expect(started.output()).not.toContain('SAM has stopped');
  });

  test('a signal to npm stops everything', async () => {
    const started = await ready(['npm', 'run', 'sam']);
    kill(started.child.pid ?? 0, 'SIGTERM');
    await gone(started);
    expect(samLines().filter((line) => line.startsWith('SIG'))).toEqual(['SIGINT']);
  });

  test('SAM and DynamoDB Local stop when it is killed', async () => {
    const started = await ready();
    kill(started.child.pid ?? 0, 'SIGKILL');
    await until(() => samLines().includes('ended'), started.output);
    await until(async () => !(await responds(started.dynamodb)), started.output);
    rmSync(devFile());
  });

  test('can be stopped while SAM starts', async () => {
    const { child, code, output } = await start();
    await until(() => samLines().includes('started'), output);
    kill(-(child.pid ?? 0), 'SIGINT');
    expect(await code, output()).toBe(0);
    expect(samLines().filter((line) => line.startsWith('SIG'))).toEqual(['SIGINT']);
    expect(output()).not.toMatch(/sk_live_/);
  });

  test.each([
    [
      'SAM ends before it listens',
      () => writeFileSync(join(folder, 'end'), ''),
      'SAM stopped before it listened',
    ],
    ['a function does not start', () => listen(502), 'SAM listens, but GET'],
  ])('%s: says so, prints no key and leaves nothing running', async (_, happens, message) => {
    const { output, code } = await start();
    await until(() => samLines().includes('started'), output);
    happens();
    expect(await code, output()).toBe(1);
    expect(output()).toContain(message);
    expect(output()).not.toMatch(/sk_live_/);
    expect(existsSync(devFile())).toBe(false);
  });

  test('stops with DynamoDB Local when SAM stops', async () => {
    const started = await ready();
    writeFileSync(join(folder, 'end'), '');
    expect(await started.code).toBe(1);
    expect(started.output()).toContain('SAM has stopped');
    await until(async () => !(await responds(started.dynamodb)), started.output);
  });
});

describe('npm run sam reports in one sentence', () => {
  test('a port in use, before anything starts', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await new Promise((done) => server.once('listening', done));
    const { port } = server.address() as AddressInfo;
    const { output, code } = await start(port);
    expect(await code).toBe(1);
    expect(output().trim()).toBe(`Port ${port} is in use. Choose another one: PORT=3001 npm run sam.`);
    expect([lines('docker.log'), samLines()]).toEqual([[], []]);
    await new Promise((done) => server.close(done));
  });

  test('missing Docker', async () => {
    const { output, code } = await start(undefined, undefined, '/nonexistent');
    expect(await code).toBe(1);
    expect(output().trim()).toMatch(/^Docker is missing or not running\. [^\n]+$/);
  });
});
