/** The first algorithm: exact words ranked as in MiniSearch, and similar words if no word matches. */

import { best, type Limit, type Ranked } from '../common/best.ts';
import type { LoadedFile, Postings, PostingsStore } from '../common/index-file.ts';
import { allowance, hitsOf, keptBy, rarity, type SearchIndex, type Work } from '../common/search-index.ts';
import { firstFrom, similarSpellings } from '../common/spelling.ts';
import { stemOf, termsOf } from '../common/terms.ts';

const boosts = [2, 1.5, 1];

/** The number of words of a query that are replaced by similar terms. */
const maxSimilarWords = 10;

export function openMinisearch(file: LoadedFile): SearchIndex {
  const { places, lengths, store, byTerm, means } = file;
  const collection: Collection = { store, boosts, lengths, means, documentOf: (id) => places[id]?.[0] };
  // Only a search without matches needs the sorted terms.
  let sorted: string[] | undefined;

  const exactly = (word: string): Match[] => {
    const postings = byTerm.get(word);
    return postings ? [{ postings, weight: 1 }] : [];
  };
  const similarly = (words: readonly string[], work: Work): Match[][] => {
    sorted ??= [...byTerm.keys()].sort();
    const terms = sorted;
    // Long words are the rarest, and the most likely to be misspelt.
    const longest = words.toSorted((a, b) => b.length - a.length).slice(0, maxSimilarWords);
    const comparisons = Math.floor(work.comparisons / longest.length);
    return longest.map((word) => {
      // Each word has its own share of the work.
      const share = { ...work, comparisons };
      const similar = similarTerms(terms, word, share);
      work.comparisons -= comparisons - share.comparisons;
      const matches = similar.map(({ term, weight }) => ({ postings: byTerm.get(term) ?? [], weight }));
      return [...exactly(word), ...matches];
    });
  };

  return {
    documents: file.documents,
    search(query, filter, limit, _semantic, work = allowance()) {
      const words = new Set(termsOf(query));
      const weightOf = (term: string) =>
        words.has(stemOf(term)) ? rarity(places.length, postingsOf(byTerm.get(stemOf(term)))) : 0;
      const isKept = keptBy(file, filter);
      if (words.size === 0 || isKept === 'none') return { hits: [], weightOf };
      const exact = rank(collection, [...words].map(exactly), isKept, limit, work);
      // Similar words would mix with exact matches, so they count only if the exact words find nothing.
      const ranked =
        exact.length > 0 ? exact : rank(collection, similarly([...words], work), isKept, limit, work);
      return { hits: hitsOf(file, ranked), weightOf };
    },
  };
}

/** The postings of a term, by field, and how well the term matches the word of the query. */
type Match = { postings: readonly (Postings | undefined)[]; weight: number };

type Collection = {
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

const postingsOf = (byField: readonly (Postings | undefined)[] = []): number =>
  byField.reduce((size, range) => size + (range ? range.to - range.from : 0), 0);

const sizeOf = (matches: readonly Match[]): number =>
  matches.reduce((sum, { postings }) => sum + postingsOf(postings), 0);

/**
 * @param words the matching terms of each word of the query
 * @param isKept whether a chunk may be returned. Default: all
 * @param work the remaining work, which this reduces. The rarest words are scored first. A word that needs more than what is left
 *   does not count
 */
function rank(
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

/** How well a similar term matches the word, below 1. */
type Similar = { term: string; weight: number };

/** The weights of MiniSearch. */
const prefixWeight = 0.375;
const spellingWeight = 0.45;
/** A fifth of the letters may differ, and at most two. */
const differingShare = 0.2;
const maxDistance = 2;
/** This many of the most similar terms are looked up. */
const maxSimilar = 50;

/**
 * @param sortedTerms all terms, sorted by code units
 * @param work the remaining work, which this reduces. When nothing is left, the remaining terms are skipped
 * @returns the most similar terms, best first, without the word itself
 */
export function similarTerms(sortedTerms: readonly string[], word: string, work: Work): Similar[] {
  const weights = new Map<string, number>();
  const maxEdits = Math.min(Math.round(word.length * differingShare), maxDistance);
  if (maxEdits > 0) {
    for (const { term, distance } of similarSpellings(sortedTerms, word, maxEdits, work, 'two')) {
      weights.set(term, (spellingWeight * term.length) / (term.length + distance));
    }
  }
  for (
    let at = firstFrom(sortedTerms, word);
    sortedTerms[at]?.startsWith(word) && work.comparisons > 0;
    at += 1
  ) {
    const term = sortedTerms[at] as string;
    work.comparisons -= word.length;
    weights.set(term, (prefixWeight * term.length) / (term.length + 0.3 * (term.length - word.length)));
  }
  weights.delete(word);
  return [...weights]
    .map(([term, weight]) => ({ term, weight }))
    .sort((a, b) => b.weight - a.weight)
    .slice(0, maxSimilar);
}
