/** Maps and their results: what fits, what is shortened, and maps that never end or need too much. */

import { afterEach, describe, expect, test } from 'vitest';
import { maxResults, openConverter } from '../../cli/src/import/convert/convert.ts';
import type { MapOptions } from '../../cli/src/import/convert/converted.ts';
import { type MapLimits, MapThread, mapLimits } from '../../cli/src/import/map-thread.ts';
import type { Json } from '../../samples/api.ts';

const startedAt = '2026-03-01T10:00:00Z';
const conversation = (more: Json = {}): Json => ({
  avatarId: 'clara',
  externalId: 'call-1',
  startedAt,
  messages: [{ role: 'user', text: 'Hello', at: startedAt }],
  ...more,
});

const defaults: MapOptions = { program: '.', scores: {}, outputs: {}, shorten: false, hasAvatar: false };

async function convert(options: Partial<MapOptions>, ...records: unknown[]) {
  const run = await openConverter({ ...defaults, ...options });
  return run(records.map((record) => JSON.stringify(record)));
}

const problemsOf = async (options: Partial<MapOptions>, record: unknown) =>
  (await convert(options, record)).flatMap(({ problems }) => problems);

describe('a result', () => {
  test('fits as the service accepts it, with an avatar that is looked up later', async () => {
    const [converted] = await convert({}, conversation());
    const { avatarId: _, ...rest } = conversation();
    expect(converted).toEqual({
      conversations: [{ text: JSON.stringify(rest), avatar: 'clara', externalId: 'call-1' }],
      problems: [],
      scores: {},
      shortened: {},
    });
  });

  test('a record has no result, one, or several, and some of them may not fit', async () => {
    const program = '.[] | {avatarId: "a", externalId: ., startedAt: "2026-03-01T10:00:00Z"}';
    const results = await convert({ program }, [], ['a'], ['b', 3, 'c']);
    expect(results.map(({ conversations }) => conversations.map(({ externalId }) => externalId))).toEqual([
      [],
      ['a'],
      ['b', 'c'],
    ]);
    expect(results.map(({ problems }) => problems)).toEqual([[], [], ['externalId: must be text']]);
  });

  test.each<[string, unknown]>([
    ['The result must be an object: a conversation.', 'text'],
    ['The result must be an object: a conversation.', [conversation()]],
    ['avatarId: is required. --avatar gives all conversations an avatar.', conversation({ avatarId: null })],
    ['externalId: is required, or the id of an exported conversation', conversation({ externalId: null })],
    ['startedAt: is required', conversation({ startedAt: undefined })],
    [
      'startedAt: must be an ISO 8601 time such as 2026-03-01T09:30:00Z',
      conversation({ startedAt: '1.3.2026' }),
    ],
    [
      'messages.0.role: must be one of user, avatar, system, tool',
      conversation({ messages: [{ role: 'bot', text: 'x', at: startedAt }] }),
    ],
    [
      'messages.1.text: must not be empty',
      conversation({
        messages: [
          { role: 'user', text: 'x', at: startedAt },
          { role: 'user', text: '', at: startedAt },
        ],
      }),
    ],
    ['metadata.cost: must be text', conversation({ metadata: { cost: 3 } })],
  ])('does not fit: %s', async (problem, record) => {
    expect(await problemsOf({}, record)).toEqual([problem]);
  });

  test('does not fit if it is too long for a line', { tags: ['long'] }, async () => {
    const messages = [{ role: 'user', text: 'x'.repeat(9_000_000), at: startedAt }];
    expect(await problemsOf({}, conversation({ messages }))).toEqual([
      'The line has more than 8388608 bytes.',
    ]);
  });

  test('an unknown field does not fit, and one avatar for all needs no other', async () => {
    expect((await problemsOf({}, conversation({ transcript: 'x' })))[0]).toMatch(/^the line: .*transcript/);
    const [converted] = await convert({ hasAvatar: true }, conversation({ avatarId: undefined }));
    expect(converted?.conversations).toMatchObject([{ avatar: undefined }]);
  });

  test('deep nesting is a problem of the record', async () => {
    const deep = (levels: number) => `{"a":${'['.repeat(levels)}${']'.repeat(levels)}}`;
    const run = await openConverter({ ...defaults, hasAvatar: true });
    const [first, second, third] = await run([deep(200), deep(20_000), JSON.stringify(conversation())]);
    expect(first?.problems).toEqual(['The line is not JSON in UTF-8.']);
    expect(second?.problems).toEqual([expect.stringContaining('Exceeds depth limit')]);
    expect(third?.conversations).toHaveLength(1);
  });
});

describe('what is too long', () => {
  const tooLong = conversation({
    externalId: 'x'.repeat(300),
    externalUserId: `${'y'.repeat(255)}1`,
    endedAt: startedAt,
    endReason: 'z'.repeat(50),
    tags: [
      `${'t'.repeat(40)}1`,
      `${'t'.repeat(40)}2`,
      ...Array.from({ length: 25 }, (_, index) => `tag-${index}`),
    ],
    metadata: {
      summary: '🙂'.repeat(2100),
      ['n'.repeat(50)]: 'name',
      ...Object.fromEntries(Array.from({ length: 60 }, (_, index) => [`pair-${index}`, 'v'.repeat(600)])),
    },
    messages: [
      { role: 'user', text: '🙂'.repeat(5000), at: startedAt, clientMessageId: 'm'.repeat(256) },
      { role: 'avatar', text: 'x', at: startedAt, metadata: { long: 'l'.repeat(3000) } },
    ],
  });

  test('does not fit', async () => {
    expect(await problemsOf({}, tooLong)).toEqual([expect.stringMatching(/must (be|have) at most/)]);
  });

  test('is shortened with --shorten, and counted by field', async () => {
    const [converted] = await convert({ shorten: true }, tooLong);
    expect(converted?.problems).toEqual([]);
    const shortened = JSON.parse(converted?.conversations[0]?.text ?? '');
    expect(shortened.externalId).toMatch(/^x{238}-[0-9a-f]{16}$/);
    expect(shortened.externalUserId).toHaveLength(255);
    expect(shortened.endReason).toBe('z'.repeat(40));
    // Of the first 20, two have become one.
    expect(shortened.tags).toEqual([
      't'.repeat(40),
      ...Array.from({ length: 18 }, (_, index) => `tag-${index}`),
    ]);
    expect([...shortened.metadata.summary]).toHaveLength(2000);
    expect(shortened.metadata['n'.repeat(40)]).toBe('name');
    expect(shortened.messages[0].text).toBe('🙂'.repeat(4096));
    expect(shortened.messages[1].metadata.long).toHaveLength(2000);
    expect(converted?.shortened).toMatchObject({
      externalId: 1,
      externalUserId: 1,
      endReason: 1,
      tags: expect.any(Number),
      metadata: expect.any(Number),
      'messages.text': 1,
      'messages.clientMessageId': 1,
      'messages.metadata': 1,
    });
  });

  test('a hundred thousand pairs with long names take little time', async () => {
    const program = '.metadata = ([range(100000) | {key: ("n" * 50 + tostring), value: "v"}] | from_entries)';
    const [converted] = await convert({ program, shorten: true }, conversation());
    expect(converted).toMatchObject({ problems: [], shortened: { metadata: 1 } });
  });

  test('two long ids stay two ids, and the same id stays the same', async () => {
    const ids = ['1', '2', '1'].map((end) => conversation({ externalId: `${'x'.repeat(300)}${end}` }));
    const converted = await convert({ shorten: true }, ...ids);
    const [first, second, third] = converted.map(({ conversations }) => conversations[0]?.externalId);
    expect(first).not.toBe(second);
    expect(first).toBe(third);
  });

  test('what fits is not changed, and another mistake stays one', async () => {
    const [fits, wrong] = await convert(
      { shorten: true },
      conversation(),
      conversation({ startedAt: 'x'.repeat(3000) }),
    );
    expect(fits?.shortened).toEqual({});
    expect(wrong?.problems).toEqual([expect.stringContaining('startedAt')]);
  });
});

describe('scores', () => {
  const scores = { solved: '.solved', csat: '.csat' };

  test('have the values of the record of the export, and null is none', async () => {
    const program = 'del(.solved, .csat)';
    const converted = await convert(
      { program, scores },
      conversation({ solved: true, csat: 4 }),
      conversation({ solved: null, csat: 'good' }),
    );
    expect(converted.map((one) => one.scores)).toEqual([{ solved: true, csat: 4 }, { csat: 'good' }]);
  });

  test.each<[string, Json]>([
    ['--score solved: must be true or false, a number, or a text.', { solved: {} }],
    ['--score csat: must be at most 5.', { csat: 6 }],
  ])('%s', async (problem, more) => {
    const outputs = { csat: { type: 'number', min: 1, max: 5 } as const };
    expect(await problemsOf({ program: 'del(.solved, .csat)', scores, outputs }, conversation(more))).toEqual(
      [problem],
    );
  });

  test('a path with several values, or that fails, is a problem of the record', async () => {
    const program = 'del(.n)';
    expect(await problemsOf({ program, scores: { n: '.n[]' } }, conversation({ n: [1, 2] }))).toEqual([
      '--score n: must be one value.',
    ]);
    expect(await problemsOf({ program, scores: { n: '.n.x' } }, conversation({ n: 3 }))).toEqual([
      expect.stringMatching(/^--score n: Cannot index number/),
    ]);
  });
});

describe('a map', () => {
  test.each([
    ['{', 'The map is not a jq program: jq: error: syntax error'],
    ['unknown_function', 'unknown_function/0 is not defined'],
    ['import "x" as x; .', 'module not found'],
  ])('%s is refused', async (program, message) => {
    await expect(openConverter({ ...defaults, program })).rejects.toThrow(message);
  });

  test('so is a score', async () => {
    await expect(openConverter({ ...defaults, scores: { x: '.a b' } })).rejects.toThrow(
      '--score x is not a jq program',
    );
  });

  test('ends with a comment, and defines functions', async () => {
    const program = 'def f: .a; f # the end';
    expect((await convert({ program }, { a: conversation() }))[0]?.conversations).toHaveLength(1);
  });

  test('an error is a problem of its record', async () => {
    const program = 'if .bad then error({a: 1}) else . end';
    const [first, second] = await convert({ program }, { bad: true }, conversation());
    expect(first?.problems).toEqual(['The map has failed: {"a":1}']);
    expect(second?.conversations).toHaveLength(1);
  });

  test.each([
    ['reads the next record', 'input'],
    ['reads all records', '[inputs]'],
    ['ends jq', 'halt'],
    ['ends jq with an error', '"stop" | halt_error'],
  ])('a map that %s does not lose or mix records', async (_title, program) => {
    const only = `if .externalId == "call-1" then ${program} else . end`;
    const results = await convert(
      { program: only },
      conversation(),
      conversation({ externalId: 'call-2' }),
      conversation({ externalId: 'call-3' }),
    );
    expect(results.map(({ conversations }) => conversations.map(({ externalId }) => externalId))).toEqual([
      [],
      ['call-2'],
      ['call-3'],
    ]);
    expect(results[0]?.problems).toHaveLength(1);
  });

  test('reads no variables and no files', async () => {
    const program =
      '$ENV, env | if has("HOME") and (.HOME | startswith("/home/web_user")) then empty else error(tojson) end';
    expect((await convert({ program }, {}))[0]).toMatchObject({ problems: [], conversations: [] });
  });

  test('with results without end is stopped', async () => {
    const [million, other] = await convert(
      { program: 'if .a then range(1e12) else . end' },
      { a: 1 },
      conversation(),
    );
    expect(million?.problems).toEqual([`The map has more than ${maxResults} results for this record.`]);
    expect(other?.conversations).toHaveLength(1);
  });

  test('that needs too much memory is stopped, and the next record is converted', {
    tags: ['long'],
  }, async () => {
    const program = 'if .a then [range(1e12)] else . end';
    const [first, second] = await convert({ program }, { a: 1 }, conversation());
    expect(first?.problems).toEqual(['The map needs too much memory for this record.']);
    expect(second?.conversations).toHaveLength(1);
  });

  test('that calls itself without end is stopped', { tags: ['long'] }, async () => {
    const [first, second] = await convert(
      { program: 'def f: 1 + f; if .a then f else . end' },
      { a: 1 },
      conversation(),
    );
    expect(first?.problems).toEqual(['The map needs too much memory for this record.']);
    expect(second?.conversations).toHaveLength(1);
  });

  test('numbers of the export stay exact', async () => {
    const program = '.metadata = {number: (.number | tojson)} | del(.number)';
    const run = await openConverter({ ...defaults, program });
    const [converted] = await run([
      JSON.stringify(conversation()).replace(/}$/, ',"number":12345678901234567890}'),
    ]);
    expect(converted?.conversations[0]?.text).toContain('"12345678901234567890"');
  });
});

describe('the thread', () => {
  const threads: MapThread[] = [];
  const open = async (
    options: Partial<MapOptions>,
    limits: Partial<MapLimits> = {},
    signal = new AbortController().signal,
  ) => {
    const thread = new MapThread({ ...defaults, ...options }, { ...mapLimits, ...limits }, signal);
    threads.push(thread);
    await thread.start();
    return thread;
  };
  const record = (line: number, value: Json) => ({ line, text: JSON.stringify(value) });
  const endless = { program: 'def f: f; if .a then f else . end' };
  afterEach(() => Promise.all(threads.splice(0).map((thread) => thread.stop())));

  test('converts the records of a batch', async () => {
    const thread = await open({});
    const converted = await thread.convert([record(1, conversation()), record(2, { a: 1 })]);
    expect(converted.map(({ conversations }) => conversations.length)).toEqual([1, 0]);
  });

  test('stops a map that does not end, and names its record', async () => {
    const thread = await open(endless, { recordMs: 200 });
    await expect(thread.convert([record(3, { a: 1 })])).rejects.toThrow(
      'The map did not end within 0.2 s for the record in line 3.',
    );
  });

  test('finds the record of a batch for which a map does not end', { tags: ['long'] }, async () => {
    const thread = await open(endless, { batchMs: 200, recordMs: 8000 });
    await expect(thread.convert([record(2, conversation()), record(3, { a: 1 })])).rejects.toThrow(
      'The map did not end within 8 s for the record in line 3.',
    );
  });

  test('a wrong map is a mistake of the user', async () => {
    await expect(open({ program: '{' })).rejects.toMatchObject({ exit: 'usage' });
  });

  test('Ctrl+C stops it', async () => {
    const stop = new AbortController();
    const thread = await open({ program: 'def f: f; f' }, {}, stop.signal);
    const converting = thread.convert([{ line: 1, text: '1' }]);
    stop.abort(new Error('Interrupted.'));
    await expect(converting).rejects.toThrow('Interrupted.');
  });
});
