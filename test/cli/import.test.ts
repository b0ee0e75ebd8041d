/** `conversations import`: plain, compressed, from standard input; again it changes nothing. */

import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { jsonLines, useCli } from '../support/cli.ts';
import { runImportJob } from '../support/imports.ts';

const cli = useCli();
let cwd: string;
let temporary: string;
let env: NodeJS.ProcessEnv;
let project: Awaited<ReturnType<typeof cli.newProject>>;

const startedAt = '2026-03-01T10:00:00.000Z';
const line = (number: number, more: object = {}) =>
  `${JSON.stringify({
    externalId: `call-${number}`,
    avatarId: 'avtr_01JZ4Y7Q8R5T2V9W3X6B0C1D4E',
    startedAt,
    endedAt: startedAt,
    messages: [{ role: 'user', text: `${number} 🙂`, at: startedAt }],
    ...more,
  })}\n`;
const lines = [1, 2, 3].map((number) => line(number)).join('');

let folders = 0;
beforeEach(async () => {
  folders += 1;
  cwd = join(cli.home, `import-${folders}`);
  temporary = join(cwd, 'tmp');
  mkdirSync(temporary, { recursive: true });
  project = await cli.newProject();
  env = project.env;
  vi.stubEnv('TMPDIR', temporary);
});
afterEach(() => vi.unstubAllEnvs());

async function newJob(): Promise<string> {
  for (;;) {
    const { items } = await project.project.jobs.list({ status: 'queued' });
    if (items[0]) return items[0].id;
    await new Promise((done) => setTimeout(done, 20));
  }
}
const doJob = (job: string) => runImportJob(cli.api, project.id, job);

/** Runs an import, whose job is done meanwhile. */
async function imported(args: readonly string[], input?: string | Uint8Array) {
  const options = { env, cwd, ...(input !== undefined && { input }) };
  const running = cli.run(['conversations', 'import', ...args], options);
  const job = await newJob();
  await doJob(job);
  return { ...(await running), job };
}

test('imports a file, and again changes nothing', { tags: ['long'] }, async () => {
  writeFileSync(join(cwd, 'history.jsonl'), lines);
  const first = await imported(['history.jsonl']);
  expect(first).toMatchObject({
    code: 0,
    stdout: '',
    stderr: '3 conversations created, 0 unchanged, 0 failed\n',
  });
  const again = await imported(['history.jsonl', '--json']);
  expect(jsonLines(again)).toEqual([{ job: again.job, created: 0, unchanged: 3, failed: 0, errors: [] }]);
  const { items } = await project.project.conversations.list();
  expect(items.map(({ externalId }) => externalId).sort()).toEqual(['call-1', 'call-2', 'call-3']);
  expect(readdirSync(temporary)).toEqual([]);
});

test.each([
  ['plain', lines],
  ['compressed', gzipSync(lines)],
])('reads standard input, %s', async (_title, input) => {
  expect((await imported(['-'], input)).stderr).toContain('3 conversations created');
});

test('a compressed file is uploaded as it is, with progress in a terminal', async () => {
  writeFileSync(join(cwd, 'history.jsonl.gz'), gzipSync(lines));
  env = { ...env, FORCE_COLOR: '1' };
  const { stderr } = await imported(['history.jsonl.gz']);
  expect(stderr).toMatch(/Uploading █+ 0\.0 MB\/0\.0 MB/);
  expect(stderr).toMatch(/Importing .*(queued|running|succeeded)/);
  expect(stderr).toContain('3 conversations created');
});

test('lines that fail are named, the others are stored, and the exit code is 8', async () => {
  writeFileSync(join(cwd, 'history.jsonl'), line(1) + line(2, { avatarId: 'nobody' }) + line(3));
  const ran = await imported(['history.jsonl']);
  expect(ran).toMatchObject({ code: 8, stdout: '' });
  expect(ran.stderr).toContain('2 conversations created, 0 unchanged, 1 failed\nline 2: ');
  expect(ran.stderr).toContain('1 line was not imported.');
  expect((await project.project.conversations.list()).items).toHaveLength(2);
});

test('Ctrl+C says how to wait, and a file that is missing or empty exits with 2', async () => {
  writeFileSync(join(cwd, 'history.jsonl'), lines);
  const running = cli.start(['conversations', 'import', 'history.jsonl', '--verbose'], { env, cwd });
  const job = await newJob();
  // The command knows its job.
  await expect.poll(() => running.shown().stderr).toContain('import-file 202');
  running.interrupt();
  const { code, stderr } = await running.ended;
  expect(code).toBe(130);
  expect(stderr).toContain(`platform jobs wait ${job}`);
  expect(readdirSync(temporary)).toEqual([]);
  const run = (file: string) => cli.run(['conversations', 'import', file], { env, cwd });
  expect(await run('missing.jsonl')).toMatchObject({ code: 2, stdout: '' });
  expect(await run('.')).toMatchObject({ code: 2, stdout: '' });
});
