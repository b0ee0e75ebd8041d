/**
 * Ranks pieces by their words and their meaning: the vectors nearest to the question's, by their signs first and then by all
 * their bytes, with the best by words.
 */

import { dimensions } from '../../semantic/model-name.ts';
import type { PieceVectors, Vector } from '../../semantic/types.ts';
import { cosineTo, distanceTo, signsOf } from '../../semantic/vectors.ts';
import { best, type Limit, type Ranked } from '../parts/best.ts';
import type { Scores, Semantic } from '../parts/search-index.ts';

/** How many pieces are candidates by their words, and as many by their meaning. */
const maxCandidates = 400;

/** What words count; meaning counts the rest. */
const wordWeight = 0.6;

/** A piece that shares no word with the question is found from this cosine on. */
const minCosine = 0.3;

export type Scored = Ranked & { scores: Scores };

/**
 * @param lexicalOf the score by words; 0 if the piece was not found or may not be returned
 * @param isKept whether a piece may be returned. Default: all
 * @returns the best, with both scores; a score of at most 1
 */
export function rankHybrid(
  { question, vectors }: Semantic,
  size: number,
  lexicalOf: (id: number) => number,
  documentOf: (id: number) => number | undefined,
  isKept: ((id: number) => boolean) | undefined,
  limit: Limit,
): Scored[] {
  const byWords = best(size, lexicalOf, documentOf, { ...limit, pieces: maxCandidates }).map(({ id }) => id);
  const byMeaning = nearest(question, vectors, isKept);
  const candidates = [...new Set([...byWords, ...byMeaning])].sort((a, b) => a - b);
  const cosines = candidates.map((id) => (vectors.has[id] ? cosineTo(question, vectors, id) : null));
  const bestWords = Math.max(...candidates.map(lexicalOf), 0);
  const known = cosines.filter((cosine) => cosine !== null);
  const [least, most] = [Math.min(...known), Math.max(...known)];
  const scored = candidates.map((id, at): Scored => {
    const lexical = lexicalOf(id);
    const cosine = cosines[at] ?? null;
    const isFound = lexical > 0 || (cosine !== null && cosine >= minCosine);
    const ofWords = bestWords > 0 ? lexical / bestWords : 0;
    const ofMeaning = cosine === null || most === least ? 0 : (cosine - least) / (most - least);
    return {
      id,
      score: isFound ? wordWeight * ofWords + (1 - wordWeight) * ofMeaning : 0,
      scores: { lexical: lexical > 0 ? lexical : null, semantic: cosine },
    };
  });
  const ranked = best(
    scored.length,
    (at) => scored[at]?.score ?? 0,
    (at) => documentOf(candidates[at] as number),
    limit,
  );
  return ranked.flatMap(({ id }) => scored[id] ?? []);
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
  const found: number[] = [];
  for (let id = 0; id < vectors.count; id += 1) {
    const distance = distances[id] as number;
    if (distance > farthest || distance > dimensions) continue;
    if (distance < farthest) found.push(id);
    else if (room > 0) {
      found.push(id);
      room -= 1;
    }
  }
  return found;
}
