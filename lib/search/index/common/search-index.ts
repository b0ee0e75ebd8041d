/** What every algorithm offers: a search in one version of a project's documents, with its filter, its hits and its work. */

import type { PieceVectors, Vector } from '../../semantic/vectors.ts';
import type { Limit, Ranked } from './best.ts';
import type { IndexedDocument, LoadedFile } from './index-file.ts';

/** `semantic` is the cosine of the angle between the vectors; null without a vector. `lexical` is null without a matching word. */
export type Scores = { lexical: number | null; semantic: number | null };

export type Hit = {
  document: IndexedDocument;
  block: number;
  chunk: number;
  /** The number of the piece in its document, from 1. It does not depend on the build. */
  number: number;
  /** A search by words only has the score of `scores.lexical`. A score by words and meaning is at most 1. */
  score: number;
  scores: Scores;
};

/** A question's vector, and those of the pieces in the order of `places`. */
export type Semantic = { question: Vector; vectors: PieceVectors };

/** A document is kept if all of this holds for it. */
export type Filter = {
  /** It has all of these tags, or with `tagMode` any of them. */
  tags?: readonly string[] | undefined;
  tagMode?: 'all' | 'any' | undefined;
  /** It is one of these. */
  documentIds?: readonly string[] | undefined;
  /** It has these values. */
  fields?: readonly { name: string; value: string }[] | undefined;
  /** It is none of these. */
  without?: ReadonlySet<string> | undefined;
};

export type Matches = {
  hits: Hit[];
  /** @returns how rare this term of a text is, if it is why the text was found; otherwise 0 */
  weightOf(term: string): number;
};

/** @returns how much a term says that so many of the pieces have. Above 0 */
export const rarity = (size: number, matches: number): number =>
  Math.log(1 + (Math.max(0, size - matches) + 0.5) / (matches + 0.5));

export type SearchIndex = {
  readonly documents: readonly IndexedDocument[];
  /**
   * @param semantic finds by meaning, too. Default: by words only, which is all that the first algorithm can do
   * @param work the remaining work, which this reduces. Default: the usual limit
   */
  search(query: string, filter: Filter, limit: Limit, semantic?: Semantic, work?: Work): Matches;
};

/** The remaining work of a search. It does not depend on the query or the size of the index. */
export type Work = {
  /** The number of postings to score. */
  postings: number;
  /** The number of characters to compare with a word of the query, to find similar terms. */
  comparisons: number;
};

/** This work takes about 50 ms. In an index of 20 000 documents of 4 KB, the most frequent word has about 100 000 postings. */
export const allowance = (): Work => ({ postings: 1_000_000, comparisons: 4_000_000 });

type Places = Pick<LoadedFile, 'documents' | 'places'>;

/** @returns whether a piece may be returned; undefined if all may, and `none` if no piece may */
export function keptBy(
  { documents, places }: Places,
  filter: Filter,
): ((id: number) => boolean) | 'none' | undefined {
  const checks = checksOf(filter);
  if (checks.length === 0) return undefined;
  const isAllowed = documents.map((document) => checks.every((holds) => holds(document)));
  return isAllowed.includes(true) ? (id) => isAllowed[places[id]?.[0] ?? -1] === true : 'none';
}

type Check = (document: IndexedDocument) => boolean;

function checksOf({ tags = [], tagMode = 'all', documentIds, fields = [], without }: Filter): Check[] {
  const ids = documentIds && new Set(documentIds);
  const checks: Check[] = [];
  if (ids) checks.push(({ id }) => ids.has(id));
  if (without && without.size > 0) checks.push(({ id }) => !without.has(id));
  if (tags.length > 0)
    checks.push(
      tagMode === 'any'
        ? (document) => tags.some((tag) => document.tags.includes(tag))
        : (document) => tags.every((tag) => document.tags.includes(tag)),
    );
  for (const { name, value } of fields) checks.push((document) => document.fields?.[name] === value);
  return checks;
}

/** @param ranked the best pieces; the score is by words only if they have no `scores` */
export const hitsOf = (
  { documents, places }: Places,
  ranked: readonly (Ranked & { scores?: Scores })[],
): Hit[] =>
  ranked.flatMap(({ id, score, scores = { lexical: score, semantic: null } }) => {
    const [at, block, chunk] = places[id] ?? [];
    const document = documents[at ?? -1];
    if (!document || at === undefined || block === undefined || chunk === undefined) return [];
    const { lexical, semantic } = scores;
    return [
      {
        document,
        block,
        chunk,
        number: id - firstPieceOf(places, at) + 1,
        score: round(score),
        scores: {
          lexical: lexical === null ? null : round(lexical),
          semantic: semantic === null ? null : round(semantic),
        },
      },
    ];
  });

/** The pieces are in the order of their documents. */
function firstPieceOf(places: LoadedFile['places'], document: number): number {
  let [low, high] = [0, places.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((places[middle]?.[0] ?? document) < document) low = middle + 1;
    else high = middle;
  }
  return low;
}

const round = (score: number): number => Math.round(score * 1000) / 1000;
