/** Which chunks have the words of a query, best first: BM25+ as MiniSearch counts it, with a limit to the work. */

import type { Postings, PostingsStore } from './postings.ts';
import type { Work } from './work.ts';

/** What a term of the index has, by field; and how well it stands for the word of the query. */
export type Match = { postings: readonly (Postings | undefined)[]; weight: number };

export type Collection = {
  store: PostingsStore;
  /** How much the fields count. */
  boosts: readonly number[];
  /** How many different words each field of each chunk has. */
  lengths: readonly (readonly number[])[];
  /** The mean of the lengths, by field. */
  means: readonly number[];
};

export type Ranked = { id: number; score: number };

/** V. Lv and C. Zhai, "Lower-bounding term frequency normalization", CIKM 2011; MiniSearch's parameters. */
const bm25 = { k: 1.2, b: 0.7, d: 0.5 };

const sizeOf = (matches: readonly Match[]): number =>
  matches.reduce(
    (sum, { postings }) => sum + postings.reduce((size, of) => size + (of ? of.to - of.from : 0), 0),
    0,
  );

/**
 * @param words for each word of the query, what matches it
 * @param isKept whether a chunk may be found; all when left out
 * @param work is used up. The rarest words come first, and where the next one is more than is left, it does not count
 */
export function rank(
  collection: Collection,
  words: readonly (readonly Match[])[],
  isKept: ((id: number) => boolean) | undefined,
  limit: number,
  work: Work,
): Ranked[] {
  const size = collection.lengths.length;
  const scores = new Float64Array(size);
  /** How many words of the query a chunk has, and which was the last one that was counted. */
  const counts = new Uint16Array(size);
  const counted = new Uint16Array(size);
  const found: number[] = [];

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
      if (counts[id] === 0) found.push(id);
      if (counted[id] !== word) {
        counted[id] = word;
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
      for (const [field, of] of byField.entries()) {
        if (of) add(of, field, weight * (collection.boosts[field] ?? 1), index + 1);
      }
    }
  }
  // Chunks that have more of the words come first.
  return best(found, (id) => (scores[id] as number) * (counts[id] as number), limit);
}

/** @returns the best, in their order; of two that are as good, the first */
function best(ids: readonly number[], scoreOf: (id: number) => number, limit: number): Ranked[] {
  const top: Ranked[] = [];
  const isBehind = (a: Ranked, b: Ranked) => (a.score === b.score ? a.id > b.id : a.score < b.score);
  for (const id of ids) {
    const one = { id, score: scoreOf(id) };
    const last = top.at(-1);
    if (top.length === limit && last && isBehind(one, last)) continue;
    let [low, high] = [0, top.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (isBehind(one, top[middle] as Ranked)) low = middle + 1;
      else high = middle;
    }
    top.splice(low, 0, one);
    if (top.length > limit) top.pop();
  }
  return top;
}
