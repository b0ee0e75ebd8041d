/** Ranks the chunks that match a query: BM25+ as in MiniSearch, with a work limit. */

import { best, type Limit, type Ranked } from '../common/best.ts';
import type { Postings, PostingsStore } from '../common/postings.ts';
import type { Work } from '../common/work.ts';

/** The postings of a term, by field, and how well the term matches the word of the query. */
export type Match = { postings: readonly (Postings | undefined)[]; weight: number };

export type Collection = {
  store: PostingsStore;
  /** The weights of the fields. */
  boosts: readonly number[];
  /** The number of different words in each field of each chunk. */
  lengths: readonly (readonly number[])[];
  /** The mean length, by field. */
  means: readonly number[];
  documentOf: (id: number) => number | undefined;
};

/** V. Lv and C. Zhai, "Lower-bounding term frequency normalization", CIKM 2011; MiniSearch's parameters. */
const bm25 = { k: 1.2, b: 0.7, d: 0.5 };

const sizeOf = (matches: readonly Match[]): number =>
  matches.reduce(
    (sum, { postings }) =>
      sum + postings.reduce((size, range) => size + (range ? range.to - range.from : 0), 0),
    0,
  );

/**
 * @param words the matching terms of each word of the query
 * @param isKept whether a chunk may be returned. Default: all
 * @param work the remaining work, which this reduces. The rarest words are scored first. A word that needs more than what is left does not count
 */
export function rank(
  collection: Collection,
  words: readonly (readonly Match[])[],
  isKept: ((id: number) => boolean) | undefined,
  limit: Limit,
  work: Work,
): Ranked[] {
  const size = collection.lengths.length;
  const scores = new Float64Array(size);
  /** The number of the query's words in a chunk, and the last one that was counted. */
  const counts = new Uint16Array(size);
  const lastWords = new Uint16Array(size);

  const add = ({ from, to }: Postings, field: number, weight: number, word: number): void => {
    const { store, lengths, means } = collection;
    const { k, b, d } = bm25;
    const rarity = Math.log(1 + (size - (to - from) + 0.5) / (to - from + 0.5));
    const end = Math.min(to, from + Math.max(work.postings, 0));
    work.postings -= end - from;
    for (let at = from; at < end; at += 1) {
      const id = store.ids[at] as number;
      if (isKept && !isKept(id)) continue;
      const frequency = store.counts[at] as number;
      const length = (lengths[id]?.[field] ?? 0) / (means[field] ?? 1);
      const score = weight * rarity * (d + (frequency * (k + 1)) / (frequency + k * (1 - b + b * length)));
      if (lastWords[id] !== word) {
        lastWords[id] = word;
        counts[id] = (counts[id] as number) + 1;
      }
      scores[id] = (scores[id] as number) + score;
    }
  };

  const rarestFirst = words
    .map((matches) => ({ matches, size: sizeOf(matches) }))
    .filter((one) => one.size > 0);
  rarestFirst.sort((a, b) => a.size - b.size);
  for (const [index, { matches, size: postings }] of rarestFirst.entries()) {
    if (index > 0 && postings > work.postings) break;
    for (const { postings: byField, weight } of matches) {
      for (const [field, range] of byField.entries()) {
        if (range) add(range, field, weight * (collection.boosts[field] ?? 1), index + 1);
      }
    }
  }
  // Chunks with more of the words rank first.
  const scoreOf = (id: number) => (scores[id] as number) * (counts[id] as number);
  return best(size, scoreOf, collection.documentOf, limit);
}
