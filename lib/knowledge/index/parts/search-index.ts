/** What every algorithm offers: a search in one version of a project's documents. */

import type { Limit } from './best.ts';
import type { IndexedDocument } from './index-file.ts';
import type { Work } from './work.ts';

export type Hit = { document: IndexedDocument; block: number; chunk: number; score: number };

export type Filter = { tag: string | undefined; without?: ReadonlySet<string> };

export type Found = {
  hits: Hit[];
  /** @returns whether this term of a text is why the text was found */
  isMatch(term: string): boolean;
};

export type SearchIndex = {
  /**
   * @param filter `without` are documents to exclude
   * @param work the remaining work, which this reduces. Default: the usual limit
   */
  search(query: string, filter: Filter, limit: Limit, work?: Work): Found;
};
