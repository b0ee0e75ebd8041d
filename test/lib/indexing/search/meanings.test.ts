/** The search by meaning: it equals a scan of all pieces, and a search that cannot wait for it is by words. */
// @module-tag long

import { BatchGetCommand } from '@aws-sdk/lib-dynamodb';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type EncoderSource, useEncoder } from '../../../../lib/search/semantic/encoder.ts';
import { cosineTo, pieceVectors } from '../../../../lib/search/semantic/vectors.ts';
import type { Json } from '../../../../samples/api.ts';
import { countingEncoder, meaningOf, silentEncoder } from '../../../support/encoders.ts';
import { intercept } from '../../../support/faults.ts';
import { type Knowledge, openKnowledge } from '../../../support/knowledge.ts';
import { versionIn } from '../../../support/stored-version.ts';

type Hit = {
  documentId: string;
  title: string;
  score: number;
  scores: { lexical: number | null; semantic: number | null };
  matchedWords: string[];
};
type Result = { items: Hit[]; mode: string; indexVersion: string };

let encoder = countingEncoder();

beforeEach(() => {
  encoder = countingEncoder();
  useEncoder(encoder.source);
});
afterEach(() => useEncoder(silentEncoder));

const search = async ({ call, project }: Knowledge, q: string, more = ''): Promise<Result> => {
  const response = await call('GET', `${project}/knowledge/search?q=${encodeURIComponent(q)}${more}`);
  expect(response.status, response.text).toBe(200);
  return response.data as Result;
};

async function openShop(adjust?: Parameters<typeof openKnowledge>[0]) {
  const api = await openKnowledge(adjust);
  await api.create({ title: 'Refunds', content: 'refund' });
  await api.create({ title: 'Delivery', content: 'Parcels arrive in two days.' });
  await api.create({ title: '返品', content: '商品は三十日以内に返品できます。' });
  await api.reindex();
  return api;
}

describe('a search', () => {
  test('finds by meaning what has no word of the query, unless only words are wanted', async () => {
    const api = await openShop();
    const { items, mode } = await search(api, 'money');
    expect(mode).toBe('hybrid');
    expect(items).toMatchObject([
      { title: 'Refunds', matchedWords: [], scores: { lexical: null, semantic: expect.any(Number) } },
    ]);
    expect(await search(api, 'money', '&mode=lexical')).toMatchObject({ items: [], mode: 'lexical' });
    expect(await search(api, 'parcel')).toMatchObject({
      mode: 'hybrid',
      items: [{ title: 'Delivery', matchedWords: ['Parcels'], scores: { lexical: expect.any(Number) } }],
    });
    expect((await api.call('GET', `${api.project}/knowledge/search?q=a&mode=other`)).status).toBe(400);
  });

  test('in a language that the model does not speak is by words', async () => {
    const api = await openShop();
    expect(await search(api, '返品')).toMatchObject({ mode: 'lexical', items: [{ title: '返品' }] });
  });

  test('in a version without vectors, or with those of another model, is by words, as it was', async () => {
    useEncoder(silentEncoder);
    const api = await openShop();
    const before = await search(api, 'refund parcel');
    expect(before.items).toHaveLength(2);
    useEncoder(encoder.source);
    expect(await search(api, 'refund parcel')).toEqual(before);
    expect(encoder.texts).toEqual([]);
    await api.reindex();
    expect((await search(api, 'refund parcel')).mode).toBe('hybrid');
  });

  test('does not find expunged documents by their meaning', async () => {
    const api = await openShop();
    const [hit] = (await search(api, 'money')).items;
    await api.call('DELETE', `${api.path}/${hit?.documentId}?expunge=true`);
    expect(await search(api, 'money')).toMatchObject({ items: [], mode: 'hybrid' });
  });
});

describe('a search in a function that is still loading', () => {
  test('the model is by words, and says so; later searches use the model', async () => {
    const api = await openShop();
    let finish = () => {};
    const ready = new Promise<void>((resolve) => {
      finish = resolve;
    });
    const slow: EncoderSource = {
      model: encoder.source.model,
      load: () => ready.then(() => encoder.source.load()),
    };
    // With the real patience.
    useEncoder(slow);
    expect(await search(api, 'refund')).toMatchObject({ mode: 'lexical', items: [{ title: 'Refunds' }] });
    finish();
    useEncoder({ ...slow, patienceMs: 60_000 });
    expect((await search(api, 'refund')).mode).toBe('hybrid');
  });

  /** Calls for vectors are held back, or fail. */
  async function withFault(fault: () => Promise<unknown> | undefined) {
    let reads = 0;
    const api = await openShop(({ client }) => ({
      client: intercept(client, (command) => {
        const isRead =
          command instanceof BatchGetCommand && JSON.stringify(command.input).includes('#vectors-');
        if (!isRead) return undefined;
        reads += 1;
        return fault();
      }),
    }));
    reads = 0;
    return { api, reads: () => reads };
  }

  test('the vectors is by words; what never ends is read again after some seconds', async () => {
    let isBroken = false;
    const { api, reads } = await withFault(() => (isBroken ? new Promise(() => {}) : undefined));
    isBroken = true;
    useEncoder({ ...encoder.source, patienceMs: 100 });
    expect((await search(api, 'refund')).mode).toBe('lexical');
    isBroken = false;
    // The read may still end.
    expect((await search(api, 'refund')).mode).toBe('lexical');
    expect(reads()).toBe(1);
    api.advance(6_000);
    useEncoder(encoder.source);
    expect((await search(api, 'refund')).mode).toBe('hybrid');
    expect(reads()).toBe(2);
    await search(api, 'refund');
    expect(reads()).toBe(2);
  });

  test('vectors, and fails, is by words; the next one reads them again', async () => {
    let isBroken = false;
    const { api } = await withFault(() => (isBroken ? Promise.reject(new Error('broken')) : undefined));
    isBroken = true;
    expect((await search(api, 'refund')).mode).toBe('lexical');
    isBroken = false;
    expect((await search(api, 'refund')).mode).toBe('hybrid');
  });
});

const vocabulary = [
  'refund',
  'money',
  'parcel',
  'whale',
  'squid',
  'card',
  'bank',
  'harbour',
  'letter',
  'ink',
];
const words = fc.array(fc.constantFrom(...vocabulary), { minLength: 1, maxLength: 6 });
const book = fc.array(fc.record({ title: words, content: words }), { minLength: 1, maxLength: 25 });

describe.each([
  [4, 'long'],
  [20, 'nightly'],
] as const)('in %d states of the documents', (numRuns, tag) => {
  test('what is found by words and meaning equals a scan of all documents', { tags: [tag] }, async () => {
    const api = await openKnowledge();
    await fc.assert(
      fc.asyncProperty(
        book,
        fc.array(words, { minLength: 3, maxLength: 3 }),
        async (documents, questions) => {
          // Documents come, change and go, so that versions take vectors from each other.
          const sent = documents.map(({ title, content }, at) => ({
            externalId: `${at}`,
            title: title.join(' '),
            content: content.join(' '),
          }));
          await api.batch(sent);
          const stored = (await api.listed()) as Json[];
          for (const { externalId, id } of stored) {
            if (Number(externalId) >= sent.length) await api.call('DELETE', `${api.path}/${id}`);
          }
          expect((await api.reindex()).status).toBe('succeeded');
          for (const question of questions) {
            const q = question.join(' ');
            const more = '&limit=50&perDocument=50';
            const byWords = new Map(
              (await search(api, q, `${more}&mode=lexical`)).items.map(({ documentId, score }) => [
                documentId,
                score,
              ]),
            );
            const { items, mode, indexVersion } = await search(api, q, more);
            expect(mode).toBe('hybrid');
            // The ranking of all pieces, by vectors that are computed from their texts.
            const { index, meant, texts, documentIds } = await versionIn(api, indexVersion);
            const meaning = meaningOf(q);
            if (!meaning) throw new Error('the query has no meaning');
            const limit = { pieces: 50, perDocument: 50 };
            const { hits } = index.search(q, {}, limit, {
              question: meaning,
              vectors: meant,
            });
            const shown = items.map(({ documentId, score, scores }) => ({ documentId, score, scores }));
            expect(shown).toEqual(
              hits.map(({ document, score, scores }) => ({ documentId: document.id, score, scores })),
            );
            expect(items.length).toBeGreaterThanOrEqual(byWords.size);
            // The scores of each piece alone.
            for (const { documentId, scores } of items) {
              const text = texts[documentIds.indexOf(documentId)] ?? '';
              const cosine = cosineTo(meaning, pieceVectors([meaningOf(text)]), 0);
              expect(scores.semantic).toBeCloseTo(cosine, 3);
              expect(scores.lexical).toBe(byWords.get(documentId) ?? null);
            }
          }
        },
      ),
      { numRuns },
    );
  });
});
