/** `platform export`: one file of all parts, which is complete or absent. */

import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { fileSink, writeFiles } from '../../cli/src/export/files.ts';
import { openPartial } from '../../cli/src/export/target-file.ts';
import { ExportFile, type ExportPart, ExportPartMissingError } from '../../clients/typescript/src/index.ts';
import { jsonLines, type Ran, useCli } from '../support/cli.ts';
import { removeFilesOfDeleted, runJob } from '../support/exports.ts';

const cli = useCli();
/** Newest first. */
const titles = ['four', 'three', 'two', 'one'];
const ids: string[] = [];
let cwd: string;

const run = (...args: string[]) => cli.run(args, { env: cli.project.env, cwd });

beforeAll(async () => {
  const { documents } = cli.project.project.knowledge;
  for (const title of titles.toReversed())
    ids.unshift((await documents.create({ title, content: `${title}\u009b2J 🙂`.repeat(60) })).id);
});
let folders = 0;
beforeEach(() => {
  folders += 1;
  cwd = join(cli.home, `export-${folders}`);
  mkdirSync(cwd);
});

const queued = async () => (await cli.project.project.jobs.list({ status: 'queued' })).items[0]?.id;
/** Resolves when there is a new job. */
async function newJob(): Promise<string> {
  for (;;) {
    const id = await queued();
    if (id !== undefined) return id;
    await new Promise((done) => setTimeout(done, 20));
  }
}
const doJob = (job: string) => runJob(cli.api, cli.project.id, job);

/** Runs an export, whose job is done meanwhile. */
async function exported(...args: string[]): Promise<Ran & { job: string }> {
  const running = run('export', ...args);
  const job = await newJob();
  await doJob(job);
  return { ...(await running), job };
}

const read = (name = 'out.jsonl') => readFileSync(join(cwd, name), 'utf8');
const titlesIn = (text: string) => jsonLines({ stdout: text }).map(({ title }) => title);

test('writes all parts into one file, which only its owner can read', async () => {
  // What a run before has left, with another mode.
  writeFileSync(join(cwd, 'out.jsonl.partial'), 'rest', { mode: 0o644 });
  const { code, stdout, stderr, job } = await exported('documents', '-o', 'out.jsonl');
  expect({ code, stdout, stderr }).toEqual({ code: 0, stdout: '', stderr: '4 documents in out.jsonl\n' });
  expect(titlesIn(read())).toEqual(titles);
  // A control character cannot reach a terminal.
  expect(read()).toContain('two\\u009b2J 🙂');
  expect(readdirSync(cwd)).toEqual(['out.jsonl']);
  expect(statSync(join(cwd, 'out.jsonl')).mode & 0o777).toBe(0o600);
  expect((await cli.project.project.exports.get(job)).counts.parts).toBeGreaterThan(1);
});

test('--gzip keeps it compressed; stdout gets only the data', async () => {
  const file = await exported('documents', '--gzip', '-o', 'out.jsonl.gz', '--json');
  expect(jsonLines(file)).toEqual([{ file: 'out.jsonl.gz', job: file.job, documents: 4, missingParts: 0 }]);
  expect(titlesIn(gunzipSync(readFileSync(join(cwd, 'out.jsonl.gz'))).toString())).toEqual(titles);
  const ran = await exported('documents');
  expect(ran).toMatchObject({ code: 0, stderr: '4 documents\n' });
  expect(titlesIn(ran.stdout)).toEqual(titles);
});

test('conversations and events, with the filters of their lists', { tags: ['long'] }, async () => {
  const { conversations } = cli.project.project;
  const at = '2026-03-01T10:00:00.000Z';
  const avatarId = 'avtr_01JZ4Y7Q8R5T2V9W3X6B0C1D4E';
  for (const tags of [['refund'], []]) {
    const { id } = await conversations.create({ avatarId, startedAt: at, tags });
    await conversations.append(id, { messages: [{ role: 'user', text: 'hello' }] });
  }
  const some = await exported('conversations', '--from', '2026-03-01', '--tag', 'refund');
  expect(some.stderr).toBe('1 conversation\n');
  expect(jsonLines(some)).toMatchObject([{ tags: ['refund'], messages: [{ text: 'hello' }] }]);
  const none = await exported('conversations', '--from', '2026-03-02', '-o', 'none.jsonl');
  expect(none.stderr).toBe('0 conversations in none.jsonl\n');
  expect(read('none.jsonl')).toBe('');
  expect((await exported('documents', '--updated-from', '2026-03-01')).stderr).toBe('4 documents\n');
  expect((await exported('documents', '--source', 'handbook')).stderr).toBe('0 documents\n');
  await cli.api.logChanges();
  const events = await exported('audit', '--action', 'knowledge.documents.create');
  expect(events.stderr).toMatch(/^\d+ events?\n$/);
  for (const { action } of jsonLines(events)) expect(action).toBe('knowledge.documents.create');
});

test('Ctrl+C leaves nothing, and says how to go on', async () => {
  const args = ['export', 'documents', '-o', 'out.jsonl', '--verbose'];
  const running = cli.start(args, { env: cli.project.env, cwd });
  const job = await newJob();
  // The command knows its job.
  await expect.poll(() => running.shown().stderr).toContain('exports 202');
  running.interrupt();
  const { code, stderr } = await running.ended;
  expect(code).toBe(130);
  expect(stderr).toContain(`platform export download ${job} -o out.jsonl`);
  expect(readdirSync(cwd)).toEqual([]);
  await doJob(job);
  expect(await run('export', 'download', job, '-o', 'out.jsonl')).toMatchObject({ code: 0 });
  expect(titlesIn(read())).toEqual(titles);
});

test('the progress of the job and of the download are shown, but not in a script', async () => {
  const running = cli.run(['export', 'documents', '-o', 'out.jsonl'], {
    env: { ...cli.project.env, FORCE_COLOR: '1' },
    cwd,
  });
  await doJob(await newJob());
  const { stderr } = await running;
  expect(stderr).toMatch(/Exporting .*(queued|running|succeeded)/);
  expect(stderr).toMatch(/Downloading █+ 0\.0 MB\/0\.0 MB/);
});

test('a failed job exits with 7, another job with 4, and a folder with 1 before anything starts', async () => {
  const { id } = await cli.project.project.exports.create({ what: 'documents' });
  await cli.project.project.jobs.cancel(id);
  expect(await run('export', 'download', id)).toMatchObject({ code: 7, stdout: '' });
  const index = await cli.project.project.knowledge.reindex();
  expect(await run('export', 'download', index.id)).toMatchObject({ code: 4, stdout: '' });
  await cli.project.project.jobs.cancel(index.id);
  expect(await run('export', 'documents', '-o', cwd)).toMatchObject({ code: 1 });
  expect(await queued()).toBeUndefined();
});

test('a removed part exits with 8, and the rest is written', async () => {
  const { job } = await exported('documents');
  await cli.project.project.knowledge.documents.delete(ids.at(-1) ?? '');
  await removeFilesOfDeleted(cli.api);
  const ran = await run('export', 'download', job, '-o', 'out.jsonl');
  expect(ran).toMatchObject({ code: 8, stdout: '' });
  expect(ran.stderr).toContain('1 part is gone: document_deleted.');
  const rest = titlesIn(read());
  expect(rest.length).toBeGreaterThan(0);
  expect(rest).toEqual(titles.slice(0, rest.length));
  expect(rest).not.toContain('one');
});

describe('a part that is removed while it is downloaded', () => {
  const part = { number: 2, status: 'removed', records: 1, removedBecause: null } as ExportPart;
  const files = async function* () {
    const text = (...chunks: string[]) => chunks.map((chunk) => Buffer.from(chunk));
    yield new ExportFile({ ...part, number: 1 }, async function* () {
      yield* text('first\n');
    });
    yield new ExportFile(part, async function* () {
      yield* text('half of ');
      throw new ExportPartMissingError(part);
    });
    yield new ExportFile({ ...part, number: 3 }, async function* () {
      yield* text('third\n');
    });
  };

  test('leaves nothing of it in the file', async () => {
    const file = join(cwd, 'raw');
    const partial = await openPartial(file, 0);
    const downloaded: number[] = [];
    const onProgress = (bytes: number) => void downloaded.push(bytes);
    const written = await writeFiles(files(), fileSink(partial), { isCompressed: true, onProgress });
    await partial.close();
    expect(written).toEqual({ records: 2, missing: [part] });
    expect(readFileSync(`${file}.partial`, 'utf8')).toBe('first\nthird\n');
    expect(downloaded).toEqual([6, 14, 20]);
  });
});
