/** `conversations import --map`: converts an export, imports it, and sends its scores. */

import { once } from 'node:events';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { PartFiles } from '../../cli/src/import/part-files.ts';
import type { Json } from '../../samples/api.ts';
import { elevenLabsConversation, retellCall, vapiCall } from '../support/call-exports.ts';
import { jsonLines, type RunOptions, useCli } from '../support/cli.ts';
import { runImportJob } from '../support/imports.ts';

const cli = useCli();
let cwd: string;
let temporary: string;
let env: NodeJS.ProcessEnv;
let project: Awaited<ReturnType<typeof cli.newProject>>;

let folders = 0;
beforeEach(async () => {
  folders += 1;
  cwd = join(cli.home, `mapped-${folders}`);
  temporary = join(cwd, 'tmp');
  mkdirSync(temporary, { recursive: true });
  project = await cli.newProject();
  env = project.env;
  vi.stubEnv('TMPDIR', temporary);
});
afterEach(() => {
  vi.unstubAllEnvs();
  // The export, its conversations and its scores are in no file that stays.
  expect(readdirSync(temporary)).toEqual([]);
});

const write = (name: string, text: string | Uint8Array) => writeFileSync(join(cwd, name), text);
const lines = (...records: Json[]) => records.map((record) => `${JSON.stringify(record)}\n`).join('');

/** Does the jobs of imports until the work is done. */
async function withJobs<Result>(work: () => Promise<Result>): Promise<Result> {
  let isRunning = true;
  const doJobs = async () => {
    while (isRunning) {
      const { items } = await project.project.jobs.list({ status: 'queued', type: 'conversations.import' });
      for (const { id } of items) await runImportJob(cli.api, project.id, id);
      await new Promise((done) => setTimeout(done, 20));
    }
  };
  const [result] = await Promise.all([work().finally(() => (isRunning = false)), doJobs()]);
  return result;
}

const start = (args: readonly string[], options: RunOptions = {}) =>
  cli.run(['conversations', 'import', ...args], { env, cwd, ...options });
const run = (args: readonly string[], options?: RunOptions) => withJobs(() => start(args, options));

const newAvatar = (externalId: string, name = externalId) =>
  project.project.avatars.put(externalId, { name, persona: { prompt: `You are ${name}.` } });
async function conversations() {
  const { items } = await project.project.conversations.list({ limit: 100 });
  return items.toSorted((a, b) => `${a.externalId}`.localeCompare(`${b.externalId}`));
}

/** A small form of calls, and its map. */
const call = (id: number, more: Json = {}): Json => ({
  id: `call-${id}`,
  start: 1_772_357_400 + id,
  text: 'Hello',
  ...more,
});
const map =
  '(.start | todate) as $at | {avatarId: (.agent // "clara"), externalId: .id, startedAt: $at, endedAt: $at, messages: [{role: "user", text, at: $at}]}';

describe.each([
  ['elevenlabs', elevenLabsConversation, 'agent_7101k5zvyjhmfg983brhmhkd98n6'],
  ['vapi', vapiCall, '5a6b0000-0000-4000-8000-000000000000'],
  ['retell', retellCall, 'oBeDLoLOeuAbiuaMFXRtDOLriTJ5tSxD'],
])('an export of %s', (name, record, agent) => {
  test('is imported once, with the avatar of its agent', async () => {
    const { avatar } = await newAvatar(agent, 'Clara');
    write(
      'calls.json',
      JSON.stringify(
        [1, 2, 3].map((number) => record(number)),
        null,
        2,
      ),
    );
    const first = await run(['calls.json', '--map', name]);
    expect(first).toMatchObject({ code: 0, stdout: '' });
    expect(first.stderr).toBe(
      '3 records: 3 conversations, 0 skipped, 0 do not fit\n3 conversations created, 0 unchanged, 0 failed\n',
    );
    const stored = await conversations();
    expect(stored.map(({ avatarId, status }) => [avatarId, status])).toEqual(
      Array(3).fill([avatar.id, 'ended']),
    );
    const again = await run(['calls.json', '--map', name, '--json']);
    expect(jsonLines(again)).toMatchObject([{ records: 3, created: 0, unchanged: 3, failed: 0, errors: [] }]);
    expect(await conversations()).toEqual(stored);
  });
});

describe('records that do not fit', () => {
  test('the first five are reported, all are counted, and the others are stored', async () => {
    await newAvatar('clara');
    write('map.jq', map);
    const bad = Array.from({ length: 6 }, (_, index) => call(index + 10, { text: '' }));
    write('calls.jsonl', `${lines(call(1), ...bad)}oops\n${lines(call(2))}`);
    const ran = await run(['calls.jsonl', '--map', 'map.jq']);
    expect(ran.code).toBe(8);
    expect(ran.stderr.split('\n')).toEqual([
      '9 records: 2 conversations, 0 skipped, 7 do not fit',
      ...[2, 3, 4, 5, 6].map((line) => `line ${line}: messages.0.text: must not be empty`),
      '2 conversations created, 0 unchanged, 0 failed',
      'Error: 7 results do not fit.',
      expect.stringMatching(/^Next: {2}Correct the map/),
      '',
    ]);
    expect(await conversations()).toMatchObject([{ externalId: 'call-1' }, { externalId: 'call-2' }]);
  });

  test('errors of the API name the lines of the export', async () => {
    await newAvatar('clara');
    write('map.jq', `if .skip then empty else ${map} end`);
    write('calls.jsonl', lines({ skip: true }, call(1), call(2, { start: 4_000_000_000 })));
    const ran = await run(['calls.jsonl', '--map', 'map.jq', '--json']);
    expect(ran.code).toBe(8);
    expect(jsonLines(ran)).toMatchObject([
      { records: 3, skipped: 1, created: 1, failed: 1, errors: [{ line: 3, code: 'validation_error' }] },
    ]);
  });

  test('if none fits, nothing is sent', async () => {
    write('map.jq', map);
    write('calls.jsonl', lines(call(1), call(2, { agent: 'bob' })));
    const ran = await run(['calls.jsonl', '--map', 'map.jq', '--score', 'csat=.id']);
    expect(ran.code).toBe(2);
    expect(ran.stderr).toContain(
      'line 1: avatarId: there is no avatar with the id, the external id or the name "clara".',
    );
    expect(ran.stderr).toContain(
      'line 2: avatarId: there is no avatar with the id, the external id or the name "bob".',
    );
    expect(ran.stderr).toContain('No record fits. Nothing was sent.');
    expect((await project.project.evaluators.list()).items).toEqual([]);
  });

  test('with --shorten, what is too long is shortened and counted', async () => {
    await newAvatar('clara');
    write('map.jq', map);
    write('calls.jsonl', lines(call(1, { text: 'x'.repeat(20_000) }), call(2, { id: 'y'.repeat(300) })));
    const refused = await run(['calls.jsonl', '--map', './map.jq']);
    expect(refused.code).toBe(2);
    expect(refused.stderr).toContain('line 1: messages.0.text: must be at most 16384 bytes of UTF-8');
    expect(refused.stderr).toContain('line 2: externalId: must be at most 255 characters');
    const ran = await run(['calls.jsonl', '--map', './map.jq', '--shorten']);
    expect(ran).toMatchObject({ code: 0 });
    expect(ran.stderr).toContain('Shortened: messages.text (1), externalId (1)\n2 conversations created');
    const again = await run(['calls.jsonl', '--map', './map.jq', '--shorten', '--json']);
    expect(jsonLines(again)).toMatchObject([
      { unchanged: 2, shortened: { 'messages.text': 1, externalId: 1 } },
    ]);
  });
});

describe('--dry-run', () => {
  test('shows the first conversation and counts, and sends nothing', async () => {
    const { avatar } = await newAvatar('clara');
    write('map.jq', map);
    write('calls.jsonl', lines(call(1, { csat: 4 }), call(2)));
    const args = ['calls.jsonl', '--map', 'map.jq', '--dry-run', '--score', 'csat=.csat'];
    const ran = await run(args);
    expect(ran).toMatchObject({
      code: 0,
      stderr: '2 records: 2 conversations, 0 skipped, 0 do not fit\nNothing was sent.\n',
    });
    expect(ran.stdout).toContain(`"avatarId": "${avatar.id}",\n  "externalId": "call-1"`);
    expect(ran.stdout).toContain('"csat": 4');
    expect(jsonLines(await run([...args, '--json']))).toMatchObject([
      {
        records: 2,
        conversations: 2,
        first: { conversation: { externalId: 'call-1' }, scores: { csat: 4 } },
        errors: [],
      },
    ]);
    expect(await conversations()).toEqual([]);
    expect((await project.project.evaluators.list()).items).toEqual([]);
    expect((await project.project.jobs.list()).items).toEqual([]);
  });
});

describe('--score', () => {
  const scored = (...args: string[]) => run(['calls.jsonl', '--map', 'map.jq', ...args]);
  beforeEach(async () => {
    await newAvatar('clara');
    write('map.jq', map);
  });

  test('creates the evaluators once, and stores each score once', async () => {
    write(
      'calls.jsonl',
      lines(call(1, { csat: 4, ok: true, topic: 'hours' }), call(2, { csat: 5, ok: false }), call(3)),
    );
    const args = ['--score', 'csat=.csat', '--score', 'ok=.ok', '--score', 'topic=.topic'];
    const first = await scored(...args);
    expect(first).toMatchObject({ code: 0 });
    expect(first.stderr).toContain('5 scores stored\n');
    const { items } = await project.project.evaluators.list();
    expect(items.map(({ name, kind, output }) => ({ name, kind, output }))).toEqual(
      expect.arrayContaining([
        { name: 'csat', kind: 'external', output: { type: 'number', min: 1, max: 5 } },
        { name: 'ok', kind: 'external', output: { type: 'boolean' } },
        { name: 'topic', kind: 'external', output: { type: 'text' } },
      ]),
    );
    const scoresOf = async () => (await conversations()).map(({ scores }) => scores);
    const stored = await scoresOf();
    expect(stored.map((scores) => scores.map(({ name, value }) => [name, value]))).toEqual([
      [
        ['csat', 4],
        ['ok', true],
        ['topic', null],
      ],
      [
        ['csat', 5],
        ['ok', false],
      ],
      [],
    ]);
    expect(jsonLines(await scored(...args, '--json'))).toMatchObject([{ unchanged: 3, scores: 5 }]);
    expect(await scoresOf()).toEqual(stored);
    expect((await project.project.evaluators.list()).items).toEqual(items);
  });

  test('an evaluator of another type or kind is an error before anything is sent', async () => {
    write('calls.jsonl', lines(call(1, { csat: 4 }), call(2, { csat: 5 })));
    await project.project.evaluators.create({ name: 'csat', kind: 'external', output: { type: 'boolean' } });
    await project.project.evaluators.create({ name: 'short', kind: 'rule', rule: { messages: { lte: 4 } } });
    const otherType = await scored('--score', 'csat=.csat');
    expect(otherType).toMatchObject({ code: 5 });
    expect(otherType.stderr).toContain(
      'The evaluator csat has the output boolean, and the values are of the type number.',
    );
    expect(await scored('--score', 'short=.csat')).toMatchObject({
      code: 5,
      stderr: expect.stringContaining('its kind is rule'),
    });
    expect(await conversations()).toEqual([]);
  });

  test('values of several types are an error, and a value outside the output does not fit', async () => {
    write('calls.jsonl', lines(call(1, { csat: 4 }), call(2, { csat: 'good' })));
    expect(await scored('--score', 'csat=.csat')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('number, string'),
    });
    await project.project.evaluators.create({
      name: 'csat',
      kind: 'external',
      output: { type: 'number', min: 1, max: 5 },
    });
    write('calls.jsonl', lines(call(1, { csat: 4 }), call(2, { csat: 9 })));
    const ran = await scored('--score', 'csat=.csat');
    expect(ran.code).toBe(8);
    expect(ran.stderr).toContain('line 2: --score csat: must be at most 5.');
    expect((await conversations()).map(({ externalId }) => externalId)).toEqual(['call-1']);
  });

  test('two imports at the same time create an evaluator once', async () => {
    write('calls.jsonl', lines(call(1, { csat: 4 }), call(2, { csat: 5 })));
    const args = ['calls.jsonl', '--map', 'map.jq', '--score', 'csat=.csat', '--json'];
    const both = await withJobs(() => Promise.all([start(args), start(args)]));
    expect(both.map(({ code, stderr }) => [code, stderr])).toEqual([
      [0, ''],
      [0, ''],
    ]);
    expect((await project.project.evaluators.list()).items).toHaveLength(1);
    expect((await conversations()).map(({ scores }) => scores.map(({ value }) => value))).toEqual([[4], [5]]);
  });

  test.each(['csat', '=.csat', 'csat=', 'CSAT=.csat', '__proto__=.csat'])('%s is refused', async (score) => {
    write('calls.jsonl', lines(call(1)));
    expect(await scored('--score', score)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('NAME=PATH'),
    });
  });
});

test.each([
  ['plain', (text: string) => Buffer.from(text)],
  ['compressed', gzipSync],
])('standard input, %s, and one avatar for all', async (_title, pack) => {
  const { avatar } = await newAvatar('bob', 'Bob');
  write('map.jq', map);
  const ran = await run(['-', '--map', 'map.jq', '--avatar', 'Bob'], {
    input: pack(lines(call(1), call(2))),
  });
  expect(ran).toMatchObject({ code: 0 });
  expect((await conversations()).map(({ avatarId }) => avatarId)).toEqual([avatar.id, avatar.id]);
});

test('an import that was cut off is completed by the next one', async () => {
  await newAvatar('clara');
  write('map.jq', map);
  write('calls.jsonl', lines(call(1, { csat: 4 }), call(2, { csat: 5 })));
  const started = cli.start(
    ['conversations', 'import', 'calls.jsonl', '--map', 'map.jq', '--score', 'csat=.csat', '--verbose'],
    { env, cwd },
  );
  await expect.poll(() => started.shown().stderr, { timeout: 20_000 }).toContain('import-file 202');
  started.interrupt();
  expect((await started.ended).code).toBe(130);
  const ran = await run(['calls.jsonl', '--map', 'map.jq', '--score', 'csat=.csat']);
  expect(ran).toMatchObject({ code: 0 });
  expect((await conversations()).map(({ externalId, scores }) => [externalId, scores[0]?.value])).toEqual([
    ['call-1', 4],
    ['call-2', 5],
  ]);
});

test('a killed import is completed by the next one, and everything is there once', {
  tags: ['long'],
}, async () => {
  await newAvatar('clara');
  write('map.jq', map);
  write('calls.jsonl', lines(...[1, 2, 3].map((id) => call(id, { csat: id }))));
  const args = ['calls.jsonl', '--map', 'map.jq', '--score', 'csat=.csat'];
  // What a killed process leaves behind is not looked at: nobody could remove it.
  const child = cli.startProcess(['conversations', 'import', ...args, '--verbose'], {
    env: { ...env, TMPDIR: cwd },
    cwd,
  });
  let shown = '';
  child.stderr?.on('data', (part) => {
    shown += part;
    if (shown.includes('import-file 202')) child.kill('SIGKILL');
  });
  const [, signal] = await once(child, 'close');
  expect(signal).toBe('SIGKILL');
  const again = await run(args);
  expect(again).toMatchObject({ code: 0 });
  expect((await conversations()).map(({ externalId, scores }) => [externalId, scores[0]?.value])).toEqual([
    ['call-1', 1],
    ['call-2', 2],
    ['call-3', 3],
  ]);
  expect(jsonLines(await run([...args, '--json']))).toMatchObject([
    { created: 0, unchanged: 3, failed: 0, scores: 3 },
  ]);
});

describe('mistakes', () => {
  test.each([
    [
      ['calls.jsonl', '--map', 'unknown'],
      'The maps that come with the command line: elevenlabs, retell, vapi.',
    ],
    [['calls.jsonl', '--map', 'missing.jq'], 'The file cannot be read'],
    [['missing.jsonl', '--map', 'vapi'], 'The file cannot be read'],
    [['broken.gz', '--map', 'vapi'], 'The file cannot be decompressed'],
    [['calls.jsonl', '--shorten'], 'only for an import with --map'],
    [['calls.jsonl', '--dry-run'], 'only for an import with --map'],
    [['calls.jsonl', '--map', 'wrong.jq'], 'is not a jq program'],
    [['calls.jsonl', '--map', 'vapi', '--score', 'a=.a', '--score', 'a=.b'], 'is there twice'],
    [['calls.jsonl', '--map', 'vapi', '--avatar', 'nobody'], 'There is no avatar'],
  ])('%j', async (args, message) => {
    write('calls.jsonl', lines(vapiCall(1)));
    write('wrong.jq', '{');
    write('broken.gz', gzipSync(lines(vapiCall(1))).subarray(0, 100));
    const ran = await run(args);
    expect(ran.stderr).toContain(message);
    expect([2, 4]).toContain(ran.code);
  });
});

test('a large export becomes several files, none of which is too large', async () => {
  const folder = join(cwd, 'parts');
  mkdirSync(folder);
  const files = new PartFiles(folder, 100);
  for (const [index, length] of [60, 30, 20, 200, 10].entries())
    await files.add('x'.repeat(length), index + 1);
  await files.end();
  expect(files.parts.map(({ sources }) => sources)).toEqual([[1, 2], [3], [4], [5]]);
  const texts = files.parts.map(({ path }) => gunzipSync(readFileSync(path)).toString());
  expect(texts.map(({ length }) => length)).toEqual([92, 21, 201, 11]);
});
