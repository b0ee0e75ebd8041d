/** What every algorithm offers: a search in one version of a project's documents. */

import type { PieceVectors, Vector } from '../../semantic/types.ts';
import type { Limit } from './best.ts';
import type { IndexedDocument } from './index-file.ts';
import type { Work } from './work.ts';

/** `semantic` is the cosine of the angle between the vectors; null without a vector. `lexical` is null without a matching word. */
export type Scores = { lexical: number | null; semantic: number | null };

export type Hit = {
  document: IndexedDocument;
  block: number;
  chunk: number;
  /** A search by words only has the score of `scores.lexical`. A score by words and meaning is at most 1. */
  score: number;
  scores: Scores;
};

/** A question's vector, and those of the pieces in the order of `places`. */
export type Semantic = { question: Vector; vectors: PieceVectors };

export type Filter = { tag: string | undefined; without?: ReadonlySet<string> };

export type Matches = {
  hits: Hit[];
  /** @returns whether this term of a text is why the text was found */
  isMatch(term: string): boolean;
};

export type SearchIndex = {
  readonly documents: readonly IndexedDocument[];
  /**
   * @param filter `without` are documents to exclude
   * @param semantic finds by meaning, too. Default: by words only, which is all that the first algorithm can do
   * @param work the remaining work, which this reduces. Default: the usual limit
   */
  search(query: string, filter: Filter, limit: Limit, semantic?: Semantic, work?: Work): Matches;
};
