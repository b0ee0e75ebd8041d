/** The index of one version of a project's documents: building, serialising and searching it. */

import type { Section } from '../chunks/sections.ts';
import { type ChunkTerms, fields, termsOfChunks } from './document-terms.ts';
import { asDistances, type Postings, PostingsStore } from './postings.ts';
import { type Collection, type Match, rank } from './ranking.ts';
import { similarTerms } from './similar-terms.ts';
import { termsOf } from './terms.ts';
import { allowance, type Work } from './work.ts';

/** Part of every version: another algorithm makes another version, even of the same documents. */
export const algorithm = 'minisearch-7/postings-1/chunks-1200-3/terms-2';

/** A document in the index. */
export type IndexedDocument = { id: string; title: string; tags: readonly string[] };

/** The position of a chunk's text: its block, and its number in the block. */
type Place = readonly [document: number, block: number, chunk: number];

const boosts = [2, 1.5, 1];

/** The number of words of a query that are replaced by similar terms. */
const maxSimilarWords = 10;

/** The first line of an index. Each other line is a term, the field's number, and the result of `asDistances`. */
type Head = {
  documents: readonly IndexedDocument[];
  places: readonly Place[];
  /** The number of different words in each field of each chunk. */
  lengths: readonly number[][];
  /** The total number of postings. */
  postings: number;
};
type Line = [term: string, field: number, ...postings: number[]];

export type Hit = { document: IndexedDocument; block: number; chunk: number; score: number };

export type Filter = { tag: string | undefined; without?: ReadonlySet<string> };

export type SearchIndex = {
  /**
   * @param filter `without` are documents to exclude
   * @param work the remaining work, which this reduces. Default: the usual limit
   */
  search(query: string, filter: Filter, limit: number, work?: Work): Hit[];
};

export type IndexBuilder = ReturnType<typeof buildIndex>;

/** The length of the pieces in which an index is written, large enough for fast streams. */
const pieceLength = 64 * 1024;

/**
 * The limits of the memory of the functions that build and load an index. Ordinary texts of the maximum size reach a
 * third of it. Texts with only different words, or headings without text, reach more.
 */
export const indexLimits = { chunks: 500_000, terms: 1_000_000 };

/** @returns a builder, which takes documents until it is too large */
export function buildIndex(limits = indexLimits) {
  const documents: IndexedDocument[] = [];
  const places: Place[] = [];
  const lengths: number[][] = [];
  /** By field and term: chunk and frequency in turn. */
  const found = fields.map(() => new Map<string, number[]>());

  const addTerm = (postings: Map<string, number[]>, term: string, id: number, count: number): void => {
    const pairs = postings.get(term);
    if (pairs) pairs.push(id, count);
    else postings.set(term, [id, count]);
  };

  return {
    /** @param terms of the chunks, if already computed */
    add(
      document: IndexedDocument & { chunks: readonly Section[] },
      block: number,
      terms: readonly ChunkTerms[] = termsOfChunks(document),
    ) {
      const { id, title, tags } = document;
      documents.push({ id, title, tags });
      for (const [at, ofFields] of terms.entries()) {
        for (const [field, { terms, counts }] of ofFields.entries()) {
          const postings = found[field] ?? new Map();
          for (const [index, term] of terms.entries()) {
            addTerm(postings, term, places.length, counts[index] ?? 0);
          }
        }
        lengths.push(ofFields.map(({ terms }) => terms.length));
        places.push([documents.length - 1, block, at]);
      }
    },
    chunkCount: () => places.length,
    isTooLarge: () =>
      places.length > limits.chunks || found.reduce((sum, { size }) => sum + size, 0) > limits.terms,
    /** @returns the index as lines of JSON, in large pieces */
    *serialise(): Generator<string> {
      let postings = 0;
      for (const pairs of found.flatMap((terms) => [...terms.values()])) postings += pairs.length / 2;
      let piece = JSON.stringify({ documents, places, lengths, postings } satisfies Head);
      for (const [field, terms] of found.entries()) {
        for (const [term, pairs] of terms) {
          piece += `\n${JSON.stringify([term, field, ...asDistances(pairs)] satisfies Line)}`;
          if (piece.length < pieceLength) continue;
          yield piece;
          piece = '';
        }
      }
      yield piece;
    },
  };
}

/** @returns the documents in an index, without loading the rest of it */
export const documentsIn = (bytes: Buffer): readonly IndexedDocument[] =>
  (linesOf(bytes).next().value as Head).documents;

/** @param bytes the result of `serialise`, in UTF-8 */
export function loadIndex(bytes: Buffer): SearchIndex {
  const lines = linesOf(bytes);
  const { documents, places, lengths, postings } = lines.next().value as Head;
  const store = new PostingsStore(postings);
  const byTerm = new Map<string, (Postings | undefined)[]>();
  for (const line of lines as Iterable<Line>) {
    const [term, field] = line;
    const byField = byTerm.get(term) ?? [undefined, undefined, undefined];
    byField[field] = store.add(line, 2);
    byTerm.set(term, byField);
  }
  const means = fields.map(
    (_, field) => lengths.reduce((sum, length) => sum + (length[field] ?? 0), 0) / lengths.length,
  );
  const collection: Collection = { store, boosts, lengths, means };
  // Needed only for a search without matches.
  let sorted: string[] | undefined;

  const exactly = (word: string): Match[] => {
    const found = byTerm.get(word);
    return found ? [{ postings: found, weight: 1 }] : [];
  };
  const similarly = (words: readonly string[], work: Work): Match[][] => {
    sorted ??= [...byTerm.keys()].sort();
    const terms = sorted;
    // Long words are the rarest, and the most likely to be misspelt.
    const longest = words.toSorted((a, b) => b.length - a.length).slice(0, maxSimilarWords);
    const comparisons = Math.floor(work.comparisons / longest.length);
    return longest.map((word) => {
      // Each word has its own share of the work.
      const own = { ...work, comparisons };
      const similar = similarTerms(terms, word, own);
      work.comparisons -= comparisons - own.comparisons;
      const matches = similar.map(({ term, weight }) => ({ postings: byTerm.get(term) ?? [], weight }));
      return [...exactly(word), ...matches];
    });
  };

  return {
    search(query, { tag, without = new Set() }, limit, work = allowance()) {
      const words = [...new Set(termsOf(query))];
      const isFiltered = tag !== undefined || without.size > 0;
      const kept =
        isFiltered &&
        documents.map(({ id, tags }) => (tag === undefined || tags.includes(tag)) && !without.has(id));
      if (words.length === 0 || (kept && !kept.includes(true))) return [];
      const isKept = kept ? (id: number) => kept[places[id]?.[0] ?? -1] === true : undefined;
      const exact = rank(collection, words.map(exactly), isKept, limit, work);
      // Only if the exact words find nothing. Otherwise similar words would mix with exact matches.
      const found = exact.length > 0 ? exact : rank(collection, similarly(words, work), isKept, limit, work);
      return found.flatMap(({ id, score }) => {
        const [at, block, chunk] = places[id] ?? [];
        const document = documents[at ?? -1];
        if (!document || block === undefined || chunk === undefined) return [];
        return [{ document, block, chunk, score: Math.round(score * 1000) / 1000 }];
      });
    },
  };
}

/** @returns the parsed lines */
function* linesOf(bytes: Buffer): Generator<unknown> {
  for (let from = 0; from < bytes.length; ) {
    const end = bytes.indexOf('\n', from);
    const to = end === -1 ? bytes.length : end;
    yield JSON.parse(bytes.toString('utf8', from, to));
    from = to + 1;
  }
}
