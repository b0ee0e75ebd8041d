import { describe, expect, test } from 'vitest';
import type { Json } from '../../../../samples/api.ts';
import { noise, openKnowledge } from '../../../support/knowledge.ts';
import { responds } from '../../../support/responses.ts';

const document = (externalId: string, body: Json = {}) => ({ externalId, title: 't', content: 'c', ...body });
const results = (data: Json) => data.results as { outcome: string; document: Json }[];
const maxBodyBytes = 256 * 1024;

describe('knowledge.documents.batch', () => {
  responds(200, 'with an outcome for each, in the order that they were sent', async () => {
    const { put, batch, listed, contentOf } = await openKnowledge();
    await put('same');
    const { id } = (await put('other')).data.document as Json;
    const sent = [document('new'), document('same'), document('other', { content: 'changed' })];
    const response = await batch(sent);
    expect(results(response.data).map(({ outcome, document }) => [document.externalId, outcome])).toEqual([
      ['new', 'created'],
      ['same', 'unchanged'],
      ['other', 'updated'],
    ]);
    expect(results(response.data)[2]?.document.id).toBe(id);
    expect(await contentOf(id)).toBe('changed');
    const shown = results(response.data).map((result) => result.document);
    expect(new Set(await listed())).toEqual(new Set(shown));
    return response;
  });

  responds(200, 'unchanged, and writes nothing', async () => {
    const { batch, requestLines } = await openKnowledge();
    const sent = Array.from({ length: 25 }, (_, index) => document(`${index}`));
    await batch(sent);
    const response = await batch(sent);
    expect(results(response.data).map(({ outcome }) => outcome)).toEqual(Array(25).fill('unchanged'));
    expect(requestLines().at(-1)?.writeUnits).toBe(0);
    return response;
  });

  test.each([
    ['text that does not compress', (seed: number) => ({ content: noise(9800, seed) })],
    [
      'metadata, which the record of the answer holds too',
      (seed: number) => ({
        metadata: Object.fromEntries(
          Array.from({ length: 19 }, (_, index) => [`k${index}`, noise(500, seed + index)]),
        ),
      }),
    ],
  ])('the largest one that fits: 25 documents in 256 KB of %s, new and then changed', async (_, part) => {
    const { batch, listed } = await openKnowledge();
    const sized = (seed: number) => {
      const documents = Array.from({ length: 25 }, (_, index) => document(`${index}`, part(seed + index)));
      const missing = maxBodyBytes - Buffer.byteLength(JSON.stringify({ documents }));
      expect(missing).toBeGreaterThan(0);
      expect(missing).toBeLessThan(50_000);
      documents[0] = { ...documents[0], content: `${documents[0]?.content}${noise(missing, seed)}` } as never;
      expect(Buffer.byteLength(JSON.stringify({ documents }))).toBe(maxBodyBytes);
      return documents;
    };
    const first = await batch(sized(1), { idempotencyKey: 'one' });
    expect(first.status, first.text).toBe(200);
    expect((await batch(sized(1), { idempotencyKey: 'one' })).text).toBe(first.text);
    const second = await batch(sized(1000), { idempotencyKey: 'two' });
    expect(results(second.data).map(({ outcome }) => outcome)).toEqual(Array(25).fill('updated'));
    expect(await listed()).toHaveLength(25);
  });

  test('all of it or none: where one is lost to another request, all are decided again', async () => {
    const { put, batch, listed } = await openKnowledge();
    const names = Array.from({ length: 10 }, (_, index) => `${index}`);
    const [response] = await Promise.all([
      batch(names.map((name) => document(name, { tags: ['batch'] }))),
      ...names.map((name) => put(name, { tags: ['put'] })),
    ]);
    expect(response.status, response.text).toBe(200);
    const shown = await listed();
    expect(shown.map(({ externalId }) => externalId).sort()).toEqual(names);
  });

  test('five at once make each document once', async () => {
    const { batch, listed } = await openKnowledge();
    const sent = Array.from({ length: 8 }, (_, index) => document(`${index}`));
    const all = await Promise.all(Array.from({ length: 5 }, () => batch(sent)));
    expect(all.map(({ status }) => status)).toEqual(Array(5).fill(200));
    expect(await listed()).toHaveLength(8);
    const created = all.filter(({ data }) => results(data).every(({ outcome }) => outcome === 'created'));
    expect(created).toHaveLength(1);
  });

  test.each([
    ['none', [], ['documents']],
    ['26', Array.from({ length: 26 }, (_, index) => document(`${index}`)), ['documents']],
    ['an externalId twice', [document('a'), document('b'), document('a')], ['documents.2.externalId']],
    ['no externalId', [document('a'), { title: 't', content: 'c' }], ['documents.1.externalId']],
    [
      'faults in two of them',
      [document('a', { title: '' }), document('b'), document('c', { colour: 'red' })],
      ['documents.0.title', 'documents.2.colour'],
    ],
  ])('400 validation_error, and nothing is written: %s', async (_, sent, paths) => {
    const { batch, listed } = await openKnowledge();
    const { error } = await batch(sent);
    expect(error.details?.map(({ path }) => path)).toEqual(paths);
    expect(await listed()).toEqual([]);
  });
});
