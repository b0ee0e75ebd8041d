/** What goes wrong at the first try, and what others put into a folder: nothing is lost, and the next step is named. */

import {
  existsSync,
  mkdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { readProfiles } from '../../cli/src/config/profiles.ts';
import { table } from '../../cli/src/output/table.ts';
import { findFiles } from '../../cli/src/sync/folder.ts';
import { runOnChanges } from '../../cli/src/sync/watch.ts';
import { useCli } from '../support/cli.ts';

const cli = useCli();

function folderNamed(name: string): string {
  const folder = join(cli.home, name);
  mkdirSync(folder);
  return folder;
}

describe('a folder that is synchronised', () => {
  test('gives no hidden file away through a link, and nothing of node_modules', async () => {
    const folder = folderNamed('links');
    for (const below of ['.git', 'sub', 'node_modules', 'sub/node_modules']) {
      mkdirSync(join(folder, below));
      writeFileSync(join(folder, below, 'README.md'), 'a');
    }
    writeFileSync(join(folder, '.env'), 'API_KEY=secret');
    symlinkSync('.env', join(folder, 'env.md'));
    symlinkSync('.git/README.md', join(folder, 'git.md'));
    symlinkSync('sub', join(folder, 'other'));
    const { files, leftOut } = await findFiles(folder, { extensions: ['.md'], excluded: [] });
    expect(files.map(({ name }) => name)).toEqual(['sub/README.md']);
    expect(leftOut.map(({ name, reason }) => `${name} ${reason}`).sort()).toEqual([
      'env.md is a link to a hidden file',
      'git.md is a link to a hidden file',
      'other is a link to a folder',
    ]);
  });

  test('with a file that cannot be sent: a dry run does not say that the others are stored', async () => {
    const folder = folderNamed('broken');
    writeFileSync(join(folder, 'a.md'), 'a');
    writeFileSync(join(folder, 'b.md'), '');
    truncateSync(join(folder, 'b.md'), 26 * 1024 * 1024);
    const args = ['knowledge', 'sync', folder, '--source', 'broken', '--dry-run'];
    const { code, stdout, stderr } = await cli.run(args, { env: cli.project.env });
    expect(code).toBe(8);
    expect(stdout).toContain('+ a.md');
    expect(stderr).toContain('Warning: b.md has 26.0 MB');
    expect(stderr).toContain('1 document cannot be sent.');
    expect(stderr).not.toContain('stored');
  });

  test('is watched without what its links lead to', async () => {
    const outside = folderNamed('outside');
    const folder = folderNamed('watched');
    symlinkSync(outside, join(folder, 'link'));
    const stop = new AbortController();
    const seen: string[] = [];
    const ended = runOnChanges(folder, stop.signal, async () => {
      seen.push('run');
      if (seen.length > 1) return stop.abort();
      writeFileSync(join(outside, 'a.md'), 'a');
      // If that were watched, there would be a run before this file exists.
      setTimeout(() => {
        seen.push('inside');
        writeFileSync(join(folder, 'b.md'), 'b');
      }, 600);
    });
    await ended;
    expect(seen).toEqual(['run', 'inside', 'run']);
  });
});

describe('an export', () => {
  const exportTo = (output: string) =>
    cli.run(['conversations', 'export', '-o', output], { env: cli.project.env });

  test('does not begin if its file is a folder or a device, or if its folder does not exist', async () => {
    folderNamed('exports');
    expect(await exportTo('exports')).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/exports is a folder/),
    });
    expect(await exportTo('exports/')).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/exports\/ is a folder/),
    });
    expect(await exportTo('none/a.jsonl')).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/there is no folder none/),
    });
    for (const end of ['lock', 'partial', 'progress'])
      expect(existsSync(join(cli.home, `exports.${end}`))).toBe(false);
    // A run that would replace it is not tried on the real one.
    symlinkSync('/dev/null', join(cli.home, 'device'));
    expect(await exportTo('device')).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/device is not a file/),
    });
    expect(statSync(join(cli.home, 'device')).isCharacterDevice()).toBe(true);
  });
});

describe('the profiles', () => {
  test.each(['null', '[]', '{"profiles":{"a":null}}', '{"profiles":5}', '{"current":5,"profiles":{}}'])(
    '%s are not understood, and the error says so',
    async (content) => {
      const file = join(cli.home, 'profiles.json');
      writeFileSync(file, content);
      await expect(readProfiles(file)).rejects.toThrow(
        /cannot be used: it does not have the form of profiles\.$/,
      );
    },
  );

  test.each([
    ['Latin-1', Buffer.from('{"profiles":{"B\xfcro":{}}}', 'latin1')],
    ['no JSON', Buffer.from('{')],
  ])('in %s are refused, because the next login would store other names', async (_what, bytes) => {
    const file = join(cli.home, 'profiles.json');
    writeFileSync(file, bytes);
    await expect(readProfiles(file)).rejects.toThrow(/cannot be used: it is not JSON in UTF-8\.$/);
  });

  test('stay in the file that a link leads to, which only its owner can read', async () => {
    const folder = folderNamed('dotfiles');
    const config = join(cli.home, '.config/platform');
    mkdirSync(config, { recursive: true });
    const { baseUrl, apiKey } = cli.service;
    const profiles = { current: 'a', profiles: { a: { baseUrl, apiKey } } };
    writeFileSync(join(folder, 'profiles.json'), JSON.stringify(profiles), { mode: 0o644 });
    symlinkSync(join(folder, 'profiles.json'), join(config, 'profiles.json'));
    expect(await cli.run(['logout'])).toMatchObject({ code: 0 });
    expect(readFileSync(join(folder, 'profiles.json'), 'utf8')).not.toContain(apiKey);
    expect(statSync(join(folder, 'profiles.json')).mode & 0o777).toBe(0o600);
  });
});

describe('an address that is wrong', () => {
  const whoami = (baseUrl: string) =>
    cli.run(['whoami'], { env: { ...cli.project.env, PLATFORM_BASE_URL: baseUrl } });

  test('without /api/v1: whoami and login say that there is no API', async () => {
    const { origin } = new URL(cli.service.baseUrl);
    expect(await whoami(origin)).toMatchObject({
      code: 4,
      stderr: expect.stringMatching(/There is no API at .*\n.*ends in \/api\/v1/),
    });
    const login = await cli.run(['login', '--base-url', origin], { input: cli.service.apiKey });
    expect(login).toMatchObject({ code: 4, stderr: expect.stringMatching(/There is no API at/) });
  });

  test('with https where the server has none: the next step, and the address', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await new Promise((done) => server.once('listening', done));
    const baseUrl = `https://127.0.0.1:${(server.address() as AddressInfo).port}/api/v1`;
    // The pauses between its attempts are random.
    vi.spyOn(Math, 'random').mockReturnValue(0);
    onTestFinished(() => void vi.restoreAllMocks());
    const { code, stderr } = await whoami(baseUrl);
    server.close();
    expect(code).toBe(6);
    expect(stderr).toContain(baseUrl);
    expect(stderr).toContain('The server does not use TLS');
    expect(stderr).not.toMatch(/^\./m);
  });
});

test('a job that does not end in time: the command that waits again', async () => {
  const job = await cli.project.project.knowledge.reindex();
  const { code, stderr } = await cli.run(['jobs', 'wait', job.id, '--timeout', '1'], {
    env: cli.project.env,
  });
  expect(code).toBe(6);
  expect(stderr).toContain(`within 1 second. It goes on.`);
  expect(stderr).toContain(`platform jobs wait ${job.id}`);
});

test('a narrow terminal shortens text, and never an id', () => {
  const id = 'conv_01JZ4Y7Q8R5T2V9W3X6B0C1D4E';
  const rows = [{ id, user: 'a customer of the shop' }];
  const text = table(rows, { id: (row) => row.id, user: (row) => row.user }, (_style, one) => one, 45);
  expect(text).toContain(`${id}  a customer …`);
  expect(table(rows, { id: (row) => row.id }, (_style, one) => one, 10)).toContain(id);
});
