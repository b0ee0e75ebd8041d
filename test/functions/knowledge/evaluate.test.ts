import { afterEach, describe, expect, test } from 'vitest';
import { dayMs } from '../../../lib/base/time.ts';
import { searchPatienceMs } from '../../../lib/indexing/search/meanings.ts';
import { useEncoder } from '../../../lib/search/semantic/encoder.ts';
import type { ApiResponse, CallOptions, Json } from '../../../samples/api.ts';
import { storedOf } from '../../../samples/api.ts';
import { countingEncoder, silentEncoder } from '../../support/encoders.ts';
import { openRetiring } from '../../support/environments.ts';
import { intercept } from '../../support/faults.ts';
import { openKnowledge } from '../../support/knowledge.ts';
import { refuses, responds } from '../../support/responses.ts';
import { storedText } from '../../support/stored.ts';

const source = 'handbook';

const handbook = [
  { externalId: 'returns.md', title: 'Returns', content: 'You can send anything back within 30 days.' },
  { externalId: 'refunds.md', title: 'Refunds', content: 'We refund to the card you paid with.' },
  { externalId: 'parcels.md', title: 'Parcels', content: 'Damaged parcels go back to us, for a refund.' },
];

type Question = { q: string; expect: Json[] };
type Evaluated = Json & {
  answerIn5: number | null;
  answerIn10: number | null;
  expected: {
    documentId: string | null;
    grade: number;
    rank: number | null;
    passageRank: number | null;
    missing: boolean;
  }[];
  found: { documentId: string; title: string; score: number; grade: number | null }[];
};

async function openHandbook(adjust?: Parameters<typeof openKnowledge>[0]) {
  const api = await openKnowledge(adjust);
  const ids: Record<string, string> = {};
  for (const document of handbook)
    ids[document.externalId] = (await api.create({ source, ...document })).id as string;
  await api.reindex();
  const evaluate = (questions: readonly Question[], more: Json = {}, options: CallOptions = {}) =>
    api.call('POST', `${api.project}/knowledge/evaluate`, { body: { questions, ...more }, ...options });
  const ask = async (q: string, ...expected: Json[]): Promise<Evaluated> => {
    const { data, text } = await evaluate([{ q, expect: expected }]);
    const [result] = (data?.questions ?? []) as Evaluated[];
    if (!result) throw new Error(text);
    return result;
  };
  return { ...api, ids, evaluate, ask };
}

const details = ({ error }: ApiResponse) => error.details as { path: string; message: string }[];

const named = (externalId: string, more: Json = {}) => ({ source, externalId, ...more });
const refund = { q: 'card refund', expect: [named('refunds.md')] };

describe('knowledge.evaluate', () => {
  responds(200, 'with the measures, where the expected documents are, and what came instead', async () => {
    const { evaluate, ids, call, project } = await openHandbook();
    const questions = [
      refund,
      { q: 'refund', expect: [named('parcels.md'), named('returns.md')] },
      { q: 'elephants', expect: [{ documentId: ids['returns.md'] }] },
    ];
    const response = await evaluate(questions);
    const { data } = response;
    const { data: search } = await call('GET', `${project}/knowledge/search?q=card%20refund`);
    expect(data.indexVersion).toBe(search.indexVersion);
    const [best] = search.items as Json[];
    const found = (name: string, grade: number | null) => ({
      documentId: ids[name],
      title: handbook.find(({ externalId }) => externalId === name)?.title,
      score: expect.any(Number),
      grade,
    });
    const unjudged = { answerIn5: null, answerIn10: null };
    const half = 1 / Math.log2(3) / (1 + 1 / Math.log2(3));
    expect(data.questions).toEqual([
      {
        ...{ q: 'card refund', mode: 'lexical', ndcgAt10: 1, recallAt5: 1, mrr: 1, ...unjudged },
        expected: [{ documentId: ids['refunds.md'], grade: 1, rank: 1, passageRank: null, missing: false }],
        found: [{ ...found('refunds.md', 1), score: best?.score }, found('parcels.md', null)],
      },
      {
        ...{
          q: 'refund',
          mode: 'lexical',
          ndcgAt10: expect.closeTo(half),
          recallAt5: 0.5,
          mrr: 0.5,
          ...unjudged,
        },
        expected: [
          { documentId: ids['parcels.md'], grade: 1, rank: 2, passageRank: null, missing: false },
          { documentId: ids['returns.md'], grade: 1, rank: null, passageRank: null, missing: false },
        ],
        found: [found('refunds.md', null), found('parcels.md', 1)],
      },
      {
        ...{ q: 'elephants', mode: 'lexical', ndcgAt10: 0, recallAt5: 0, mrr: 0, ...unjudged },
        expected: [
          { documentId: ids['returns.md'], grade: 1, rank: null, passageRank: null, missing: false },
        ],
        found: [],
      },
    ]);
    expect(data).toMatchObject({
      ndcgAt10: expect.closeTo((1 + half) / 3),
      recallAt5: 0.5,
      mrr: 0.5,
    });
    return response;
  });

  describe('by meaning', () => {
    const money = { q: 'money', expect: [named('refunds.md')] };
    afterEach(() => useEncoder(silentEncoder));

    test('finds what has other words, unless the request asks for words only', async () => {
      useEncoder(countingEncoder().source);
      const { evaluate, ids } = await openHandbook();
      const { data } = await evaluate([money]);
      expect(data).toMatchObject({ mode: 'hybrid', recallAt5: 1, questions: [{ mode: 'hybrid' }] });
      expect((data.questions as Evaluated[])[0]?.found[0]).toMatchObject({ documentId: ids['refunds.md'] });
      const lexical = await evaluate([money], { mode: 'lexical' });
      expect(lexical.data).toMatchObject({ mode: 'lexical', recallAt5: 0, questions: [{ mode: 'lexical' }] });
    });

    test('each question says how it was searched', async () => {
      useEncoder(countingEncoder().source);
      const { evaluate } = await openHandbook();
      const { data } = await evaluate([{ q: '返品', expect: money.expect }, money]);
      expect(data).toMatchObject({ mode: 'hybrid', questions: [{ mode: 'lexical' }, { mode: 'hybrid' }] });
    });

    test('waits for a model that takes longer than a search would wait', { tags: ['long'] }, async () => {
      const { source: fast } = countingEncoder();
      useEncoder(fast);
      const { evaluate, call, project } = await openHandbook();
      const slow = () => new Promise((done) => setTimeout(done, searchPatienceMs + 500));
      // With the real patience of both.
      useEncoder({ model: fast.model, load: () => slow().then(() => fast.load()) });
      expect((await call('GET', `${project}/knowledge/search?q=money`)).data.mode).toBe('lexical');
      expect((await evaluate([money])).data.mode).toBe('hybrid');
    });

    test('is by words if the model cannot be loaded', async () => {
      const { source } = countingEncoder();
      useEncoder(source);
      const { evaluate } = await openHandbook();
      useEncoder({ ...source, load: () => Promise.reject(new Error('no library')) });
      expect((await evaluate([refund])).data).toMatchObject({ mode: 'lexical', recallAt5: 1 });
    });
  });

  describe('a passage', () => {
    test('is found in the text of a hit of its document; letter case and white space do not count', async () => {
      const { evaluate } = await openHandbook();
      const questions = [
        { q: 'send anything back', expect: [named('returns.md', { contains: 'WITHIN\n30  days' })] },
        { q: 'send anything back', expect: [named('returns.md', { contains: 'within 90 days' })] },
        // Another document has this passage.
        { q: 'refund', expect: [named('refunds.md', { contains: 'damaged parcels' })] },
        // One of its passages is enough.
        {
          q: 'card refund',
          expect: [
            named('refunds.md', { contains: 'to the card' }),
            named('refunds.md', { contains: 'in cash' }),
            named('parcels.md'),
          ],
        },
        refund,
      ];
      const { data } = await evaluate(questions);
      const results = (data.questions as Evaluated[]).map(({ answerIn5, answerIn10, expected }) => [
        answerIn5,
        answerIn10,
        expected.map(({ passageRank }) => passageRank),
      ]);
      expect(results).toEqual([
        [1, 1, [1]],
        [0, 0, [null]],
        [0, 0, [null]],
        [1, 1, [1, null, null]],
        [null, null, [null]],
      ]);
      // The last question names no passage.
      expect(data).toMatchObject({ answerIn5: 0.5, answerIn10: 0.5, recallAt5: 1 });
    });

    test('behind the first five pieces counts in the first ten; a search returns three of a document', async () => {
      const { create, reindex, call, project } = await openKnowledge();
      for (let number = 0; number < 2; number += 1) {
        const content = Array.from({ length: 5 }, (_, at) => `# zebra ${at}\n\nA zebra.`).join('\n\n');
        await create({ externalId: `${number}`, title: 'zebra', mimeType: 'text/markdown', content });
      }
      await create({
        externalId: 'last',
        title: 'Zoo',
        content: `${'Animals. '.repeat(60)} One zebra in 12 hours.`,
      });
      await reindex();
      const body = { questions: [{ q: 'zebra', expect: [{ externalId: 'last', contains: '12 hours' }] }] };
      const { data } = await call('POST', `${project}/knowledge/evaluate`, { body });
      expect(data).toMatchObject({ answerIn5: 0, answerIn10: 1, recallAt5: 1 });
      expect(data.questions).toMatchObject([{ expected: [{ rank: 3, passageRank: 7 }] }]);
    });

    refuses('validation_error', 'of no letter, of more than 500 characters, or twice', async () => {
      const { evaluate } = await openHandbook();
      const response = await evaluate([
        { q: 'a', expect: [named('a', { contains: '' })] },
        { q: 'a', expect: [named('a', { contains: ' \n' })] },
        { q: 'a', expect: [named('a', { contains: 'x'.repeat(501) })] },
        { q: 'a', expect: [named('a', { contains: 'x'.repeat(500) })] },
        { q: 'a', expect: [named('a', { contains: 'x' }), named('a', { contains: 'x' })] },
      ]);
      expect(details(response).map(({ path }) => path)).toEqual([
        'questions.0.expect.0.contains',
        'questions.1.expect.0.contains',
        'questions.2.expect.0.contains',
        'questions.4.expect.1',
      ]);
      return response;
    });
  });

  test('a higher grade counts more, where the order of the documents matters', async () => {
    const { ask } = await openHandbook();
    const first = named('refunds.md');
    const second = named('parcels.md');
    const ndcg = async (...grades: [number, number]) =>
      (await ask('refund', { ...first, grade: grades[0] }, { ...second, grade: grades[1] })).ndcgAt10;
    expect(await ndcg(1, 1)).toBe(1);
    expect(await ndcg(3, 1)).toBe(1);
    expect(await ndcg(1, 3)).toBeLessThan(0.8);
    expect((await ask('refund', first)).expected[0]?.grade).toBe(1);
  });

  test('a document that two names mean counts once, with its best grade', async () => {
    const { ask, ids } = await openHandbook();
    const result = await ask('card refund', named('refunds.md'), {
      documentId: ids['refunds.md'],
      grade: 2,
    });
    expect(result).toMatchObject({ recallAt5: 1, ndcgAt10: 1, expected: [{ rank: 1 }, { rank: 1 }] });
    expect(result.found[0]?.grade).toBe(2);
  });

  test('an expected document that the index does not contain is missing, and counts as not found', {
    tags: ['long'],
  }, async () => {
    const { ask, ids, call, path, create, reindex } = await openHandbook();
    const pending = (await create({ title: 'New', content: 'card refund', externalId: 'new.md' })).id;
    const other = await openKnowledge();
    const theirs = (await other.create({ externalId: 'theirs.md', content: 'card refund' })).id;
    const expected = [
      named('refunds.md'),
      { documentId: 'kdoc_01JZ4Y7Q8R5T2V9W3X6B0C1D4E' },
      { documentId: theirs },
      named('theirs.md'),
      // Of another source, and of none.
      { source: 'wiki', externalId: 'refunds.md' },
      { externalId: 'refunds.md' },
      { externalId: 'new.md' },
    ];
    const result = await ask('card refund', ...expected);
    const missing = (documentId: unknown) => ({
      documentId,
      grade: 1,
      passageRank: null,
      rank: null,
      missing: true,
    });
    expect(result.expected).toEqual([
      { documentId: ids['refunds.md'], grade: 1, rank: 1, passageRank: null, missing: false },
      missing('kdoc_01JZ4Y7Q8R5T2V9W3X6B0C1D4E'),
      missing(theirs),
      ...[null, null, null].map(missing),
      missing(pending),
    ]);
    expect(result.recallAt5).toBeCloseTo(1 / 7);
    await call('DELETE', `${path}/${ids['refunds.md']}`);
    await reindex();
    const after = await ask('card refund', { documentId: ids['refunds.md'] }, named('refunds.md'));
    expect(after.expected).toEqual([missing(ids['refunds.md']), missing(null)]);
    expect(after.recallAt5).toBe(0);
  });

  test('only the best ten documents count, each by its best piece', { tags: ['long'] }, async () => {
    const { batch, reindex, ask } = await openHandbook();
    const sections = Array.from({ length: 20 }, (_, at) => `## Part ${at}\n\nA zebra.`).join('\n\n');
    await batch([
      { externalId: 'zoo', title: 'Zoo', mimeType: 'text/markdown', content: sections },
      ...Array.from({ length: 12 }, (_, at) => ({
        externalId: `${at}`,
        title: 'Animals',
        content: `${'Elephants live here. '.repeat(at + 1)}A zebra.`,
      })),
    ]);
    await reindex();
    const names = ['zoo', ...Array.from({ length: 9 }, (_, at) => `${at}`)];
    const { expected, found } = await ask('zebra', ...names.map((externalId) => ({ externalId })));
    expect(expected.map(({ rank }) => rank).sort()).toEqual([...Array(10).keys()].map((at) => at + 1).sort());
    expect(new Set(found.map(({ documentId }) => documentId)).size).toBe(5);
    const [last] = (await ask('zebra', { externalId: '11' })).expected;
    expect(last).toMatchObject({ rank: null, passageRank: null, missing: false });
  });

  test('an environment is measured by the index that its current deployment has frozen', {
    tags: ['long'],
  }, async () => {
    const { call, project, evaluate, create, reindex } = await openHandbook();
    await call('POST', `${project}/deployments`, { body: { environment: 'production' } });
    await create({ source, externalId: 'hours.md', title: 'Opening hours', content: 'From nine to five.' });
    await reindex();
    const questions = [{ q: 'nine', expect: [named('hours.md')] }];
    expect((await evaluate(questions)).data).toMatchObject({ recallAt5: 1 });
    const { data } = await evaluate(questions, { environment: 'production' });
    expect(data).toMatchObject({ recallAt5: 0, questions: [{ expected: [{ missing: true }] }] });
    const { data: config } = await call('GET', `${project}/environments/production/config`);
    expect(data.indexVersion).toBe(config.knowledgeIndexVersion);
    await call('POST', `${project}/deployments`, { body: { environment: 'production' } });
    expect((await evaluate(questions, { environment: 'production' })).data).toMatchObject({ recallAt5: 1 });
    const earlier = await evaluate(questions, { deploymentId: config.deploymentId });
    expect(earlier.data).toEqual(data);
  });

  test('a key that may only read is enough, and nothing but the response is stored', async () => {
    const api = await openHandbook();
    const { secret } = await api.createKey({ scopes: ['knowledge:read'] });
    await api.evaluate([refund], {}, { key: secret });
    const before = await storedText(api);
    expect((await api.evaluate([refund], {}, { key: secret })).status).toBe(200);
    expect(await storedText(api)).toBe(before);
    expect((await api.evaluate([refund], {}, { key: secret, idempotencyKey: 'k' })).status).toBe(200);
    expect(await storedOf(api, 'idempotency')).toHaveLength(1);
  });

  test('works in an archived project, as the search does', async () => {
    const { call, project, evaluate } = await openHandbook();
    await call('PATCH', project, { body: { status: 'archived' } });
    expect((await evaluate([refund])).data.recallAt5).toBe(1);
  });

  test('a repeated request gets the stored response, although the index has changed', {
    tags: ['long'],
  }, async () => {
    const { evaluate, path, call, ids, reindex } = await openHandbook();
    const first = await evaluate([refund], {}, { idempotencyKey: 'k' });
    await call('DELETE', `${path}/${ids['refunds.md']}`);
    await reindex();
    const again = await evaluate([refund], {}, { idempotencyKey: 'k' });
    expect(again.headers['Idempotent-Replayed']).toBe('true');
    expect(again.data).toEqual(first.data);
    expect((await evaluate([refund])).data.recallAt5).toBe(0);
  });

  test('an expunge erases the stored responses that show the document', { tags: ['long'] }, async () => {
    const api = await openHandbook();
    const shows = await api.evaluate([refund], {}, { idempotencyKey: 'shows' });
    const other = [{ q: 'within 30 days', expect: [named('refunds.md')] }];
    await api.evaluate(other, {}, { idempotencyKey: 'other' });
    const { data } = await api.call('DELETE', `${api.path}/${api.ids['refunds.md']}?expunge=true`);
    // Not found from now on, whatever this process has loaded.
    expect((await api.ask('card refund', named('refunds.md'))).found.map(({ title }) => title)).toEqual([
      'Parcels',
    ]);
    await api.workOff(api.projectId, data.id as string);
    const replayed = await api.evaluate([refund], {}, { idempotencyKey: 'shows' });
    expect([replayed.status, replayed.error.code]).toEqual([404, 'not_found']);
    expect((await api.evaluate(other, {}, { idempotencyKey: 'other' })).headers).toMatchObject({
      'Idempotent-Replayed': 'true',
    });
    expect(shows.text).toContain('"Refunds"');
    expect(await storedText(api)).not.toContain('Refunds');
  });

  test('a response is not stored if its version was replaced before', { tags: ['long'] }, async () => {
    const at: { act?: () => Promise<unknown> } = {};
    const api = await openHandbook(({ client }) => ({
      client: intercept(client, (command, proceed) => {
        const { act } = at;
        if (!act || command.constructor.name !== 'TransactWriteCommand') return undefined;
        delete at.act;
        return act().then(proceed);
      }),
    }));
    at.act = async () => {
      const { data } = await api.call('DELETE', `${api.path}/${api.ids['refunds.md']}?expunge=true`);
      await api.workOff(api.projectId, data.id as string);
    };
    const response = await api.evaluate([refund], {}, { idempotencyKey: 'k' });
    expect(response.data.questions).toMatchObject([{ found: [{ title: 'Parcels' }] }]);
    expect(await storedText(api)).not.toContain('Refunds');
  });

  test('the largest response fits into the record of its Idempotency-Key', { tags: ['long'] }, async () => {
    const api = await openKnowledge();
    // Four bytes each, and the largest number of them.
    const many = (count: number) => '👍'.repeat(count);
    await api.batch(
      Array.from({ length: 12 }, (_, at) => ({
        externalId: `${at}`,
        title: `${at % 10}${many(199)}`,
        content: 'word',
      })),
    );
    await api.reindex();
    const questions = Array.from({ length: 50 }, () => ({
      q: `word ${many(495)}`,
      expect: Array.from({ length: 10 }, (_, at) => ({ externalId: `${at}`, grade: 3, contains: 'word' })),
    }));
    const options = { body: { questions }, idempotencyKey: 'k' };
    const response = await api.call('POST', `${api.project}/knowledge/evaluate`, options);
    expect(response.status, response.text.slice(0, 500)).toBe(200);
    expect((response.data.questions as Evaluated[]).every(({ found }) => found.length === 5)).toBe(true);
    expect(Buffer.byteLength(response.text)).toBeGreaterThan(300_000);
    const again = await api.call('POST', `${api.project}/knowledge/evaluate`, options);
    expect(again.headers['Idempotent-Replayed']).toBe('true');
  });

  refuses('not_found', 'an environment that does not exist', async () => {
    const { evaluate } = await openHandbook();
    return evaluate([refund], { environment: 'nowhere' });
  });

  refuses('index_retired', 'the index of a deleted environment, after seven days', async () => {
    const { call, project, tested, advance } = await openRetiring();
    const body = { questions: [{ q: 'drum', expect: [{ externalId: 'drum' }] }], deploymentId: tested.id };
    const path = `${project}/knowledge/evaluate`;
    // The response is stored, too.
    expect((await call('POST', path, { body, idempotencyKey: 'once' })).status).toBe(200);
    advance(7 * dayMs);
    return call('POST', path, { body });
  });

  refuses('not_found', 'a deployment that does not exist', async () => {
    const { evaluate } = await openHandbook();
    return evaluate([refund], { deploymentId: 'dep_01JZ4Y7Q8R5T2V9W3X6B0C1D4E' });
  });

  refuses('validation_error', 'a deployment and an environment', async () => {
    const { evaluate } = await openHandbook();
    const both = { environment: 'production', deploymentId: 'dep_01JZ4Y7Q8R5T2V9W3X6B0C1D4E' };
    const response = await evaluate([refund], both);
    expect(response.error.details?.map(({ path }) => path)).toEqual(['deploymentId']);
    return response;
  });

  refuses('not_indexed', 'an environment whose deployment was made before the first index', async () => {
    const { call, project, create, reindex } = await openKnowledge();
    await call('POST', `${project}/deployments`, { body: { environment: 'production' } });
    await create();
    await reindex();
    const body = { questions: [refund], environment: 'production' };
    return call('POST', `${project}/knowledge/evaluate`, { body });
  });

  refuses('not_indexed', 'before the first index', async () => {
    const { call, project } = await openKnowledge();
    return call('POST', `${project}/knowledge/evaluate`, { body: { questions: [refund] } });
  });

  refuses('insufficient_scope', 'a key without knowledge:read', async () => {
    const { evaluate, createKey } = await openHandbook();
    const { secret } = await createKey({ scopes: ['conversations:write'] });
    return evaluate([refund], {}, { key: secret });
  });

  refuses('validation_error', 'questions without words, documents or order, each with its path', async () => {
    const { evaluate } = await openHandbook();
    const id = 'kdoc_01JZ4Y7Q8R5T2V9W3X6B0C1D4E';
    const response = await evaluate([
      { q: '?!', expect: [] },
      { q: 'x'.repeat(501), expect: [{}] },
      { q: 'a', expect: [{ documentId: id, externalId: 'a' }] },
      { q: 'a', expect: [{ documentId: id, source: 'a' }] },
      { q: 'a', expect: [{ externalId: 'a' }, { externalId: 'a', source: null }] },
      { q: 'a', expect: [{ externalId: 'a', grade: 4 }] },
      { q: 'a', expect: Array.from({ length: 11 }, (_, at) => ({ externalId: `${at}` })) },
      { q: 'two\nlines', expect: [{ documentId: 'returns.md' }] },
    ]);
    const paths = details(response).map(({ path }) => path);
    expect(paths).toEqual([
      'questions.0.q',
      'questions.0.expect',
      'questions.1.q',
      'questions.1.expect.0.documentId',
      'questions.2.expect.0.externalId',
      'questions.3.expect.0.source',
      'questions.4.expect.1',
      'questions.5.expect.0.grade',
      'questions.6.expect',
      'questions.7.q',
      'questions.7.expect.0.documentId',
    ]);
    return response;
  });

  refuses('validation_error', 'no question, or 51', async () => {
    const { evaluate } = await openHandbook();
    expect(details(await evaluate([]))).toMatchObject([{ path: 'questions' }]);
    return evaluate(Array.from({ length: 51 }, () => refund));
  });
});
