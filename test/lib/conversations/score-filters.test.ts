import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Output } from '../../../lib/scores/output.ts';
import { type Json, storedOf } from '../../../samples/api.ts';
import { effectiveScores, openEvaluators, storeScores } from '../../support/scores.ts';

const outputs = {
  solved: { type: 'boolean' },
  csat: { type: 'number', min: 1, max: 5 },
  mood: { type: 'category', values: ['good', 'bad', 'a:b'] },
  note: { type: 'text' },
} as const satisfies Record<string, Output>;
type Name = keyof typeof outputs;

const avatar = (letter: string) => `avtr_01JZ4Y7Q8R5T2V9W3X6B0C1D4${letter}`;
const deployment = 'dep_01JZ4Y7Q8R5T2V9W3X6B0C1D4A';
const hour = (n: number) => new Date(Date.parse('2026-03-01T00:00:00Z') + n * 3_600_000).toISOString();

async function open(conversations: readonly Json[]) {
  const opened = await openEvaluators();
  for (const [name, output] of Object.entries(outputs))
    await opened.create({ name, kind: 'external', output });
  const paths: string[] = [];
  for (const body of conversations) paths.push(await opened.converse(body, 1));
  const projectId = opened.project.split('/')[2] ?? '';
  const stored = (path: string, name: Name, value: unknown, source: 'rule' | 'model', version: number) =>
    storeScores(opened.api, projectId, outputs, path.split('/').at(-1) ?? '', [
      { name, value, source, version },
    ]);

  /** @returns the ids on all pages */
  async function list(query: string): Promise<string[]> {
    const ids: string[] = [];
    for (let cursor: string | null = ''; cursor !== null; ) {
      const { status, text, data } = await opened.send(
        'GET',
        `/conversations?${query}${cursor && `&cursor=${cursor}`}`,
      );
      expect(status, text).toBe(200);
      ids.push(...(data.items as { id: string }[]).map(({ id }) => id));
      cursor = data.nextCursor as string | null;
    }
    return ids;
  }
  return { ...opened, paths, stored, list };
}

type Opened = Awaited<ReturnType<typeof open>>;

const idOf = (path = '') => path.split('/').at(-1) ?? '';

describe('filters by scores', () => {
  test('each operator of each kind of value', async () => {
    const { paths, send, stored, list } = await open(
      Array.from({ length: 4 }, (_, n) => ({ startedAt: hour(n), channel: n % 2 ? 'web' : 'phone' })),
    );
    const [a = '', b = '', c = '', d = ''] = paths;
    const put = (path: string, name: Name, value: unknown) =>
      send('PUT', `${path}/scores/${name}`, { value });
    for (const [path, csat, solved, mood] of [
      [a, 1, false, 'bad'],
      [b, 3, true, 'good'],
      [c, 5, true, 'a:b'],
    ] as const) {
      await put(path, 'csat', csat);
      await put(path, 'solved', solved);
      await put(path, 'mood', mood);
    }
    await put(b, 'note', 'polite');
    await stored(d, 'csat', null, 'model', 1);
    const found = async (query: string) =>
      (await list(`order=oldest&${query}`)).map((id) => 'abcd'[paths.map(idOf).indexOf(id)]).join('');
    const cases = {
      'score=csat:eq:3': 'b',
      'score=csat:ne:3': 'ac',
      'score=csat:gt:3': 'c',
      'score=csat:gte:3': 'bc',
      'score=csat:gte:30e-1': 'bc',
      'score=csat:gte:3.0': 'bc',
      'score=csat:lt:3': 'a',
      'score=csat:lte:3.0': 'ab',
      'score=csat:exists': 'abc',
      'score=solved:eq:true': 'bc',
      'score=solved:ne:true': 'a',
      'score=solved:exists': 'abc',
      'score=mood:eq:a:b': 'c',
      'score=mood:ne:good': 'ac',
      'score=note:exists': 'b',
      'score=csat:gte:2&score=csat:lte:4': 'b',
      'score=solved:eq:true&score=csat:gt:3&score=mood:exists': 'c',
      'score=solved:eq:true&channel=web': 'b',
      'score=csat:gte:1&channel=phone&status=ended': '',
    };
    for (const [query, expected] of Object.entries(cases)) expect(await found(query), query).toBe(expected);
  });

  test.each([
    ['score', 'score=nothing:exists'],
    ['score', 'score=csat'],
    ['score', 'score=csat:over:3'],
    ['score', 'score=csat:gte:many'],
    ['score', 'score=csat:gte:'],
    ...['0x4', '0b100', '0o4', '4.', '04', '%2B4', '4%20', '4e', '1e999', '-'].map((value) => [
      'score',
      `score=csat:eq:${value}`,
    ]),
    ['score', 'score=solved:gt:1'],
    ['score', 'score=solved:eq:yes'],
    ['score', 'score=mood:eq:unknown'],
    ['score', 'score=note:eq:polite'],
    ['score', 'score=csat:gt:1&score=csat:gt:2&score=csat:gt:3&score=csat:gt:4'],
  ])('400 names %s: %s', async (name, query) => {
    const { send } = await open([]);
    for (const path of [`/conversations?${query}`, `/conversations/search?q=x&${query}`]) {
      const { status, text } = await send('GET', path);
      expect(status, text).toBe(400);
      expect(text).toContain(name);
    }
    const scores = query.split('&').map((one) => one.slice('score='.length));
    const { status } = await send('POST', '/exports', { what: 'conversations', filters: { scores } });
    expect(status).toBe(400);
  });

  test('messages are found by the scores of their conversation', async () => {
    const { api, paths, send, project } = await open([{}, {}]);
    await send('PUT', `${paths[0]}/scores/csat`, { value: 5 });
    await send('PUT', `${paths[1]}/scores/csat`, { value: 2 });
    const search = `${project}/conversations/search?q=message`;
    await api.indexMessages(project.split('/')[2] ?? '');
    const found = async (score: string) =>
      ((await api.call('GET', `${search}&score=${score}`)).data.items as Json[]).map(
        (one) => one.conversationId,
      );
    expect(await found('csat:gt:3')).toEqual([idOf(paths[0])]);
    expect(await found('csat:exists')).toHaveLength(2);
    expect(await found('mood:exists')).toEqual([]);
  });

  describe.each([
    [6, 'long'],
    [30, 'nightly'],
  ] as const)('in %d random histories', (numRuns, tag) => {
    test('equal a scan of all facts', { tags: [tag] }, async () => {
      const place = fc.nat(5);
      const value = {
        solved: fc.boolean(),
        csat: fc.integer({ min: 1, max: 5 }),
        mood: fc.constantFrom(...outputs.mood.values),
        note: fc.constantFrom('x', 'y'),
      };
      const named = fc.constantFrom<Name>('solved', 'csat', 'mood', 'note');
      const scoring = named.chain((name) => fc.record({ name: fc.constant(name), value: value[name] }));
      const change = fc.oneof(
        {
          weight: 5,
          arbitrary: fc.record({
            kind: fc.constant('put' as const),
            place,
            scoring,
            source: fc.constantFrom('api', 'human'),
          }),
        },
        {
          weight: 4,
          arbitrary: fc.record({
            kind: fc.constant('run' as const),
            place,
            scoring,
            isUnknown: fc.nat(4).map((n) => n === 0),
            source: fc.constantFrom<'rule' | 'model'>('rule', 'model'),
            version: fc.integer({ min: 1, max: 3 }),
          }),
        },
        { weight: 2, arbitrary: fc.record({ kind: fc.constant('say' as const), place }) },
        {
          weight: 1,
          arbitrary: fc.record({ kind: fc.constant('tag' as const), place, tags: fc.subarray(['x', 'y']) }),
        },
        { weight: 1, arbitrary: fc.record({ kind: fc.constant('erase' as const), place }) },
      );
      const filter = named.chain((name) => {
        const exact = value[name].map((one) => `${name}:eq:${one}`);
        const other = value[name].map((one) => `${name}:ne:${one}`);
        const exists = fc.constant(`${name}:exists`);
        const order = fc.record({
          op: fc.constantFrom('gt', 'gte', 'lt', 'lte'),
          than: fc.integer({ min: 0, max: 6 }),
        });
        if (name === 'note') return exists;
        return name === 'csat'
          ? fc.oneof(
              exact,
              other,
              exists,
              order.map(({ op, than }) => `csat:${op}:${than}`),
            )
          : fc.oneof(exact, other, exists);
      });
      const query = fc.record(
        {
          scores: fc.array(filter, { minLength: 1, maxLength: 3 }),
          tag: fc.constantFrom('x', 'y'),
          avatarId: fc.constantFrom(avatar('A'), avatar('B')),
          deploymentId: fc.constant(deployment),
          order: fc.constantFrom('newest' as const, 'oldest' as const),
          limit: fc.integer({ min: 1, max: 4 }),
        },
        { requiredKeys: ['scores', 'order', 'limit'] },
      );
      const conversations = Array.from({ length: 6 }, (_, n) => ({
        startedAt: hour(n),
        avatarId: avatar(n % 2 ? 'A' : 'B'),
        ...(n % 3 === 0 && { deploymentId: deployment }),
        tags: n > 3 ? ['x'] : [],
      }));

      async function apply(
        opened: Opened,
        one: typeof change extends fc.Arbitrary<infer Change> ? Change : never,
      ) {
        const path = opened.paths[one.place] ?? '';
        switch (one.kind) {
          case 'put': {
            const { name, value } = one.scoring;
            await opened.send('PUT', `${path}/scores/${name}`, { value, source: one.source });
            return;
          }
          case 'run': {
            const isThere = (await opened.send('GET', path)).status === 200;
            const { name, value } = one.scoring;
            if (isThere)
              await opened.stored(path, name, one.isUnknown ? null : value, one.source, one.version);
            return;
          }
          case 'say':
            await opened.say(path);
            return;
          case 'tag':
            await opened.send('PATCH', path, { tags: one.tags });
            return;
          case 'erase':
            await opened.send('DELETE', path);
        }
      }

      await fc.assert(
        fc.asyncProperty(
          fc.array(change, { minLength: 10, maxLength: 30 }),
          fc.array(query, { minLength: 15, maxLength: 15 }),
          async (changes, queries) => {
            const opened = await open(conversations);
            for (const one of changes) await apply(opened, one);
            const facts = await effectiveScores(opened.api);
            const all = await storedOf(opened.api, 'conversations');
            const stored = all.filter(
              ({ id, tenant }) => `${id}`.startsWith('conv_') && `${tenant}`.split('#').length === 3,
            );
            // No entry is left of an earlier score.
            for (const { id } of stored) {
              const valued = [...(facts.get(`${id}`) ?? [])].filter(([, fact]) => fact.value !== null);
              const exact = valued.filter(([name]) => name === 'solved' || name === 'mood');
              const entries = all.filter((one) => one.id === id && `${one.tenant}`.includes('#by#score'));
              expect(entries).toHaveLength(valued.length + exact.length);
            }
            for (const { scores, order, limit, ...fixed } of queries) {
              const expected = stored
                .filter(({ avatarId, deploymentId, tags }) => {
                  if (fixed.avatarId !== undefined && avatarId !== fixed.avatarId) return false;
                  if (fixed.deploymentId !== undefined && deploymentId !== fixed.deploymentId) return false;
                  return fixed.tag === undefined || (tags as string[]).includes(fixed.tag);
                })
                .filter(({ id }) => scores.every((score) => holds(facts.get(`${id}`), score)))
                .map(({ id }) => `${id}`)
                .sort();
              if (order === 'newest') expected.reverse();
              const text = new URLSearchParams({ ...fixed, order, limit: `${limit}` });
              for (const score of scores) text.append('score', score);
              expect(await opened.list(`${text}`), `${text}`).toEqual(expected);
            }
          },
        ),
        { numRuns },
      );
    });
  });
});

/** What a filter means, without the code that it tests. */
function holds(facts: Map<string, Json> | undefined, filter: string): boolean {
  const [, name = '', op, wanted = ''] = /^(\w+):(\w+)(?::(.*))?$/.exec(filter) ?? [];
  const fact = facts?.get(name);
  if (!fact || fact.value === null) return false;
  const value: unknown = JSON.parse(`${fact.value}`);
  if (op === 'exists') return true;
  if (op === 'eq') return `${value}` === wanted;
  if (op === 'ne') return `${value}` !== wanted;
  const difference = Number(value) - Number(wanted);
  return (
    { gt: difference > 0, gte: difference >= 0, lt: difference < 0, lte: difference <= 0 }[`${op}`] ?? false
  );
}
