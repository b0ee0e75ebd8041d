/**
 * Ranks pieces by their words in all fields at once (BM25F: S. Robertson, H. Zaragoza and M. Taylor, "Simple BM25 extension
 * to multiple weighted fields", CIKM 2004), and by what the whole document has of them.
 */

import type { LoadedFile } from '../common/index-file.ts';
import { rarity, type Work } from '../common/search-index.ts';

/** A word of a query: the terms that match it, and how much it counts. */
export type Word = {
  terms: ReadonlyMap<string, number>;
  weight: number;
  /** Whether a piece that has only this word is a match. */
  isEnough: boolean;
};

export type Collection = Pick<LoadedFile, 'byTerm' | 'store' | 'lengths' | 'means'> & {
  /** The document of each piece. The pieces of a document follow each other. */
  documentOf: Uint32Array;
  /** The length of each document's text, and their mean. */
  documentLengths: Float64Array;
  meanDocumentLength: number;
};

/** The weights of the fields: title, heading, text. */
const boosts = [2, 1, 1];
const textField = 2;
const piece = { k: 1.4, b: 0.6 };
const document = { k: 5, b: 0.6, weight: 0.8 };

const saturate = (frequency: number, k: number) => (frequency * (k + 1)) / (frequency + k);
const normalise = (length: number, mean: number, b: number) => (mean > 0 ? 1 - b + (b * length) / mean : 1);

export type Scores = {
  /** 0 if the piece was not found or may not be returned. */
  scoreOf(id: number): number;
  /** The sum over the words, known or not, that are enough for a match. A piece that has all of them reaches a multiple. */
  worth: number;
};

/**
 * @param isKept whether a piece may be returned. Default: all
 * @param work the remaining work, which this reduces. The rarest words are scored first. A word that needs more than what is left does not count
 * @returns the score of each piece, and what the words are worth together, to compare a score with
 */
export function scoresOf(
  collection: Collection,
  words: readonly Word[],
  isKept: ((id: number) => boolean) | undefined,
  work: Work,
): Scores {
  const { documentOf, documentLengths } = collection;
  const size = documentOf.length;
  const scores = new Float64Array(size);
  const isFound = new Uint8Array(size);
  const documentScores = new Float64Array(documentLengths.length);
  const pieces = frequencies(size);
  const parents = frequencies(documentLengths.length);

  const wordPostings = words.map((word) => ({ word, postings: postingsOf(collection, word) }));
  const unknownWords = wordPostings.filter(({ word, postings }) => word.isEnough && postings === 0);
  let worth = unknownWords.reduce((sum, { word }) => sum + word.weight * rarity(size, 0), 0);
  const rarestFirst = wordPostings
    .filter(({ postings }) => postings > 0)
    .sort((a, b) => a.postings - b.postings);
  for (const [index, { word, postings }] of rarestFirst.entries()) {
    if (index > 0 && postings > work.postings) break;
    addFrequencies(collection, word, work, pieces, parents);
    const { weight, isEnough } = word;
    const pieceWeight = weight * rarity(size, pieces.ids.length);
    if (isEnough) worth += pieceWeight;
    for (const id of pieces.ids) {
      scores[id] = (scores[id] as number) + pieceWeight * saturate(pieces.counts[id] as number, piece.k);
      if (isEnough && (!isKept || isKept(id))) isFound[id] = 1;
    }
    const documentWeight = weight * document.weight * rarity(documentLengths.length, parents.ids.length);
    for (const at of parents.ids) {
      const frequency = parents.counts[at] as number;
      documentScores[at] = (documentScores[at] as number) + documentWeight * saturate(frequency, document.k);
    }
    clear(pieces);
    clear(parents);
  }
  return {
    scoreOf: (id) =>
      isFound[id] ? (scores[id] as number) + (documentScores[documentOf[id] as number] as number) : 0,
    worth,
  };
}

const postingsOf = ({ byTerm }: Collection, { terms }: Word): number => {
  let sum = 0;
  for (const term of terms.keys())
    for (const range of byTerm.get(term) ?? []) sum += range ? range.to - range.from : 0;
  return sum;
};

/** How often each piece or document has a word. The counts are in arrays, because a frequent word has very many postings. */
type Frequencies = { counts: Float64Array; ids: number[] };

const frequencies = (size: number): Frequencies => ({ counts: new Float64Array(size), ids: [] });

function increase({ counts, ids }: Frequencies, id: number, by: number): void {
  if (counts[id] === 0) ids.push(id);
  counts[id] = (counts[id] as number) + by;
}

function clear(frequencies: Frequencies): void {
  for (const id of frequencies.ids) frequencies.counts[id] = 0;
  frequencies.ids = [];
}

/** Adds how often each piece and each document has the word, with the weights of forms and fields, by its length. */
function addFrequencies(
  collection: Collection,
  { terms }: Word,
  work: Work,
  pieces: Frequencies,
  parents: Frequencies,
): void {
  const { byTerm, store, lengths, means, documentOf, documentLengths, meanDocumentLength } = collection;
  for (const [term, weight] of terms) {
    for (const [field, range] of (byTerm.get(term) ?? []).entries()) {
      if (!range) continue;
      const end = Math.min(range.to, range.from + Math.max(work.postings, 0));
      work.postings -= end - range.from;
      for (let at = range.from; at < end; at += 1) {
        const id = store.ids[at] as number;
        const count = store.counts[at] as number;
        // Titles and headings say a thing once.
        const weightedCount = weight * (boosts[field] ?? 1) * (field === textField ? count : 1);
        const length = normalise(lengths[id]?.[field] ?? 0, means[field] ?? 0, piece.b);
        increase(pieces, id, weightedCount / length);
        if (field !== textField) continue;
        const parent = documentOf[id] as number;
        const documentLength = normalise(documentLengths[parent] as number, meanDocumentLength, document.b);
        increase(parents, parent, (weight * count) / documentLength);
      }
    }
  }
}
