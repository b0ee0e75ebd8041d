/**
 * Ranks pieces by their words and their meaning: the vectors nearest to the question's, by their signs first and then by all
 * their bytes, with the best by words.
 */

import {
  cosineTo,
  dimensions,
  distanceTo,
  type PieceVectors,
  signsOf,
  type Vector,
} from '../../semantic/vectors.ts';
import { best, type Limit, type Ranked } from '../common/best.ts';
import type { Scores, Semantic } from '../common/search-index.ts';
import type { Scores as LexicalScores } from './ranking.ts';

/** How many pieces are candidates by their words, and as many by their meaning. */
const maxCandidates = 400;

/**
 * The share of words in a score; meaning has the rest. Words count most if the best piece has all of them, which is a multiple of their
 * worth: a question with the words of the documents. They count least if it has a part of them only: one in other words.
 */
const wordWeight = { least: 0.3, most: 0.6, from: 2.5, to: 3.5 };

/** The cosine of two texts that have nothing to do with each other. */
const unrelatedCosine = 0.1;
/** If no piece reaches this cosine, nothing answers the question, and the best meaning counts less. */
const relatedCosine = 0.5;
/** A piece that shares no word with the question is found from this cosine on. */
const minCosine = 0.25;

/** Fewer pieces than this say little about the language: their words may be misspelt words of the question. */
const fewPieces = 10;

export type ScoredPiece = Ranked & { scores: Scores };

/**
 * @param lexical the scores by words
 * @param isKept whether a piece may be returned. Default: all
 * @returns the best, with both scores; a score of at most 1
 */
export function rankHybrid(
  { question, vectors }: Semantic,
  size: number,
  lexical: LexicalScores,
  documentOf: (id: number) => number | undefined,
  isKept: ((id: number) => boolean) | undefined,
  limit: Limit,
): ScoredPiece[] {
  const byWords = best(size, lexical.scoreOf, documentOf, { ...limit, pieces: maxCandidates }).map(
    ({ id }) => id,
  );
  const byMeaning = nearest(question, vectors, isKept);
  // `best` needs the ids in the order of the index.
  const ids = [...new Set([...byWords, ...byMeaning])].sort((a, b) => a - b);
  const candidates = ids.map((id) => ({
    id,
    words: lexical.scoreOf(id),
    cosine: vectors.has[id] ? cosineTo(question, vectors, id) : null,
  }));
  const mostWords = candidates.reduce((most, { words }) => Math.max(most, words), 0);
  const mostCosine = candidates.reduce((most, { cosine }) => Math.max(most, cosine ?? 0), relatedCosine);
  // If the pieces with the question's words are in a language that the model does not speak, so is the question.
  const withVector = byWords.filter((id) => vectors.has[id]).length;
  const spokenShare = (withVector + fewPieces) / (byWords.length + fewPieces);
  const weight = 1 - spokenShare * (1 - weightOfWords(lexical.worth > 0 ? mostWords / lexical.worth : 0));

  const scoredPieces = candidates.map(({ id, words, cosine }): ScoredPiece => {
    const isFound = words > 0 || (cosine !== null && cosine >= minCosine);
    const ofWords = mostWords > 0 ? words / mostWords : 0;
    const ofMeaning = Math.max(0, ((cosine ?? 0) - unrelatedCosine) / (mostCosine - unrelatedCosine));
    return {
      id,
      score: isFound ? weight * ofWords + (1 - weight) * ofMeaning : 0,
      scores: { lexical: words > 0 ? words : null, semantic: cosine },
    };
  });
  const ranked = best(
    scoredPieces.length,
    (at) => scoredPieces[at]?.score ?? 0,
    (at) => documentOf(ids[at] as number),
    limit,
  );
  return ranked.flatMap(({ id: at }) => scoredPieces[at] ?? []);
}

/** @param multiple the best score by words, in multiples of the words' worth */
function weightOfWords(multiple: number): number {
  const { least, most, from, to } = wordWeight;
  return least + (most - least) * Math.min(1, Math.max(0, (multiple - from) / (to - from)));
}

/** @returns the pieces whose signs differ least from the question's. Of two that are as near, the first */
function nearest(
  question: Vector,
  vectors: PieceVectors,
  isKept: ((id: number) => boolean) | undefined,
): number[] {
  const signs = signsOf(question);
  const distances = new Uint16Array(vectors.count);
  const counts = new Uint32Array(dimensions + 1);
  for (let id = 0; id < vectors.count; id += 1) {
    if (!vectors.has[id] || (isKept && !isKept(id))) {
      distances[id] = dimensions + 1;
      continue;
    }
    const distance = distanceTo(signs, vectors, id);
    distances[id] = distance;
    counts[distance] = (counts[distance] as number) + 1;
  }
  let [farthest, room] = [0, maxCandidates];
  while (farthest <= dimensions && (counts[farthest] as number) <= room) {
    room -= counts[farthest] as number;
    farthest += 1;
  }
  const ids: number[] = [];
  for (let id = 0; id < vectors.count; id += 1) {
    const distance = distances[id] as number;
    if (distance > farthest || distance > dimensions) continue;
    if (distance < farthest) ids.push(id);
    else if (room > 0) {
      ids.push(id);
      room -= 1;
    }
  }
  return ids;
}
