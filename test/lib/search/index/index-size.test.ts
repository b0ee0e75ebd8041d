/** An index that would not fit into memory is not built, and the previous one stays. */

import { expect, test } from 'vitest';
import { buildIndex } from '../../../../lib/search/index/builder.ts';
import { openKnowledge } from '../../../support/knowledge.ts';

const words = (from: number, bytes: number) => {
  const all: string[] = [];
  for (let n = from, length = 0; length < bytes; n += 1) {
    all.push(n.toString(36));
    length += n.toString(36).length + 1;
  }
  return all.slice(0, -1).join(' ');
};

test.each([
  // Each has some 2000 pieces.
  ['pieces', 260, 20, () => '# a\n'.repeat(2100)],
  // Each has more than 25 000 words that the others do not have.
  ['different words', 40, 1, (n: number) => words(100_000 + n * 40_000, 200_000)],
])('too many %s', { tags: ['nightly'] }, async (_, count, atOnce, contentOf) => {
  const api = await openKnowledge();
  await api.create({ content: 'before' });
  expect((await api.reindex()).status).toBe('succeeded');
  for (let from = 0; from < count; from += atOnce) {
    const documents = Array.from({ length: Math.min(atOnce, count - from) }, (_, n) => ({
      externalId: `document-${from + n}`,
      title: 't',
      content: contentOf(from + n),
      mimeType: 'text/markdown',
    }));
    expect((await api.batch(documents)).status).toBe(200);
  }
  expect(await api.reindex()).toMatchObject({ status: 'failed', error: { code: 'too_much_text' } });
  const { data } = await api.call('GET', `${api.project}/knowledge/search?q=before`);
  expect(data.items).toHaveLength(1);
});

test('an index with more pieces than its limit is too large', () => {
  const builder = buildIndex({ limits: { chunks: 1, terms: 5 } });
  const document = { id: 'kdoc_1', title: 'a', tags: [], chunks: [{ heading: 'b', text: 'c d' }] };
  builder.add(document, 0);
  expect(builder.isTooLarge()).toBe(false);
  builder.add({ ...document, id: 'kdoc_2' }, 0);
  expect(builder.isTooLarge()).toBe(true);
});
