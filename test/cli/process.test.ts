/** What only a process of its own shows: signals, pipes, exit codes. The other tests run commands in their own process. */
// @module-tag long

import { type ChildProcess, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, openSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, test } from 'vitest';
import { jsonLines, useCli } from '../support/cli.ts';

const cli = useCli();
const start = (...args: string[]) => cli.startProcess(args, { env: cli.project.env });
const ended = async (child: ChildProcess) => (await once(child, 'close'))[0];

test('the exit code is that of the failure', async () => {
  const ran = await cli.runProcess(['avatars', 'get', 'Nobody', '--json'], { env: cli.project.env });
  expect(ran).toMatchObject({ code: 4, stdout: '' });
  expect(JSON.parse(ran.stderr).error).toMatchObject({ exitCode: 4 });
  expect(await cli.runProcess(['avatars'], { env: cli.project.env })).toMatchObject({ code: 2 });
});

test('login reads the key from a pipe', async () => {
  const env = { XDG_CONFIG_HOME: cli.home };
  const login = ['login', '--base-url', cli.service.baseUrl];
  expect(await cli.runProcess(login, { env, input: `${cli.service.apiKey}\n` })).toMatchObject({ code: 0 });
  expect(jsonLines(await cli.run(['whoami', '--json'], { env }))).toMatchObject([{ profile: 'default' }]);
});

test('a newer version is mentioned once, with the command that installs it', async () => {
  const list = (items: object[], nextCursor: string | null) =>
    JSON.stringify({ success: true, data: { items, nextCursor } });
  const service = createServer(({ url }, response) => {
    response.setHeader('Platform-Client-Latest', '9.9.9');
    response.end(url?.includes('cursor=') ? list([], null) : list([{ id: 'proj_1', name: 'A' }], 'next'));
  });
  await once(service.listen(0, '127.0.0.1'), 'listening');
  const baseUrl = `http://127.0.0.1:${(service.address() as AddressInfo).port}/api/v1`;
  const env = { PLATFORM_BASE_URL: baseUrl, PLATFORM_API_KEY: 'sk_test_x' };
  const { code, stdout, stderr } = await cli.runProcess(['projects', 'list', '--all', '--json'], { env });
  service.close();
  expect(code, stderr).toBe(0);
  expect(jsonLines({ stdout })).toMatchObject([{ id: 'proj_1' }]);
  expect(stderr.match(/The service offers version 9\.9\.9\./g)).toHaveLength(1);
  expect(stderr).toContain(`Update: npm install --global ${baseUrl}/downloads/platform-api-cli.tgz`);
});

describe('a command that puts its work in order first', () => {
  test.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)('ends by %s with exit code %i', async (signal, code) => {
    const child = start('events', 'tail');
    await once(child.stderr ?? child, 'data');
    child.kill(signal);
    expect(await ended(child)).toBe(code);
  });
});

test('a reader that ends early ends the command, without an error message', async () => {
  for (let index = 0; index < 5; index += 1) {
    const metadata = Object.fromEntries(Array.from({ length: 40 }, (_, key) => [`k${key}`, 'x'.repeat(500)]));
    await cli.project.project.avatars.create({ name: `a${index}`, persona: { prompt: 'p' }, metadata });
  }
  const child = start('api', 'GET', '/projects/{project}/avatars', '--paginate', '-f', 'limit:=1');
  let errors = '';
  child.stderr?.on('data', (chunk) => {
    errors += chunk;
  });
  child.stdout?.once('data', () => child.stdout?.destroy());
  expect([await ended(child), errors]).toEqual([141, '']);
});

test.skipIf(!existsSync('/dev/full'))(
  'a disk that is full (needs /dev/full) is reported, without a stack trace',
  () => {
    const full = openSync('/dev/full', 'w');
    const { status, stderr } = spawnSync(process.execPath, [cli.file, '--help'], {
      stdio: ['ignore', full, 'pipe'],
    });
    expect(`${stderr}`).toMatch(/^Error: The output cannot be written: ENOSPC[^\n]*\n$/);
    expect(status).toBe(1);
  },
);
