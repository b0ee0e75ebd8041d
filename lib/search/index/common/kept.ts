/** What the filter and the places of an index mean for each piece. */

import type { Ranked } from './best.ts';
import type { LoadedFile } from './index-file.ts';
import type { Filter, Hit, Scores } from './search-index.ts';

type Places = Pick<LoadedFile, 'documents' | 'places'>;

/** @returns whether a piece may be returned; undefined if all may, and `none` if no piece may */
export function keptBy(
  { documents, places }: Places,
  { tag, without = new Set() }: Filter,
): ((id: number) => boolean) | 'none' | undefined {
  if (tag === undefined && without.size === 0) return undefined;
  const isAllowed = documents.map(
    ({ id, tags }) => (tag === undefined || tags.includes(tag)) && !without.has(id),
  );
  return isAllowed.includes(true) ? (id) => isAllowed[places[id]?.[0] ?? -1] === true : 'none';
}

/** @param ranked the best pieces; the score is by words only if they have no `scores` */
export const hitsOf = (
  { documents, places }: Places,
  ranked: readonly (Ranked & { scores?: Scores })[],
): Hit[] =>
  ranked.flatMap(({ id, score, scores = { lexical: score, semantic: null } }) => {
    const [at, block, chunk] = places[id] ?? [];
    const document = documents[at ?? -1];
    if (!document || block === undefined || chunk === undefined) return [];
    const { lexical, semantic } = scores;
    return [
      {
        document,
        block,
        chunk,
        score: round(score),
        scores: {
          lexical: lexical === null ? null : round(lexical),
          semantic: semantic === null ? null : round(semantic),
        },
      },
    ];
  });

const round = (score: number): number => Math.round(score * 1000) / 1000;
