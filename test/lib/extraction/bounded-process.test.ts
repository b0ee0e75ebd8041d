/** A file costs no more than its limits of memory and time, and what reads it has no rights. */
// @module-tag long

import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, test, vi } from 'vitest';
import { extractInProcess } from '../../../lib/extraction/bounded-process.ts';
import { pdfFile } from '../../support/sample-files.ts';

const limits = { residentBytes: 300 * 1024 * 1024, elapsedMs: 60_000 };
const child = {
  file: new URL('../../support/trap-child.ts', import.meta.url),
  folder: new URL('../../../', import.meta.url),
};

const urls = ({ file, folder }: typeof child): string =>
  `{ file: new URL('${file}'), folder: new URL('${folder}') }`;

const trap = (behaviour: string, elapsedMs = limits.elapsedMs) =>
  extractInProcess(Buffer.from(behaviour), {}, { limits: { ...limits, elapsedMs }, child });

test('the text of a file', async () => {
  const { text } = await extractInProcess(pdfFile([['A line.'], ['Another line.']]));
  expect(text.split('\f').map((page) => page.trim())).toEqual(['A line.', 'Another line.', '']);
});

test('the reason why there is none', async () => {
  await expect(extractInProcess(Buffer.from('%PDF-'))).rejects.toMatchObject({ code: 'unreadable_file' });
});

describe('a process is stopped', () => {
  test.each([
    ['that does not end', 'sleep', /more than 1 s/, 1000],
    ['that is busy for too long', 'loop', /more than 3 s/, 3000],
    ['whose heap grows', 'heap', /memory/, undefined],
    ['whose buffers grow', 'buffers', /more than 300 MB of memory/, undefined],
    ['that writes too much', 'flood', /stopped/, undefined],
    ['that aborts', 'crash', /stopped/, undefined],
  ])('%s', async (_, behaviour, reason, elapsedMs) => {
    await expect(trap(behaviour, elapsedMs)).rejects.toMatchObject({
      code: 'document_too_complex',
      message: expect.stringMatching(reason),
    });
  });
});

test.runIf(existsSync('/proc/self/task'))('a process whose parent was killed ends by itself', async () => {
  const module = new URL('../../../lib/extraction/bounded-process.ts', import.meta.url);
  const options = `{ limits: { residentBytes: ${limits.residentBytes}, elapsedMs: 2000 }, child: ${urls(child)} }`;
  const program = `const { extractInProcess } = await import('${module}'); await extractInProcess(Buffer.from('loop'), {}, ${options});`;
  const parent = spawn(process.execPath, ['--input-type=module', '-e', program], { stdio: 'ignore' });
  const children = () => readFileSync(`/proc/${parent.pid}/task/${parent.pid}/children`, 'utf8').trim();
  const pid = await vi.waitFor(() => children() || Promise.reject(new Error('no child')), {
    timeout: 20_000,
  });
  parent.kill('SIGKILL');
  const isRunning = () => existsSync(`/proc/${pid}`);
  expect(isRunning()).toBe(true);
  await vi.waitFor(() => expect(isRunning()).toBe(false), { timeout: 60_000, interval: 100 });
});

test.each(['silent', 'nonsense', 'lone'])('an outcome that is none: %s', async (behaviour) => {
  await expect(trap(behaviour)).rejects.toMatchObject({ code: 'unreadable_file' });
});

test('a process that does not start is a fault of the service, and not of the file', async () => {
  await expect(trap('unloadable')).rejects.toThrow('has not started');
  await expect(trap('unloadable')).rejects.not.toHaveProperty('code');
});

test('a process has no environment, and cannot read the environment of its parent, write, or start processes', async () => {
  process.env.SECRET_FOR_THIS_TEST = 'secret';
  const { text } = await trap('rights');
  delete process.env.SECRET_FOR_THIS_TEST;
  const denied = 'ERR_ACCESS_DENIED';
  const { env, ...rights } = JSON.parse(text);
  expect(env).not.toContain('SECRET_FOR_THIS_TEST');
  expect(env).not.toContain('PATH');
  expect(rights).toEqual({ parent: denied, passwords: denied, write: denied, spawn: denied });
});
