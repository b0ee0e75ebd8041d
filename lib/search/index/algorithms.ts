/**
 * The algorithms of the search. A version is searched with the algorithm that built it. So an algorithm stays here until no
 * version uses it.
 */

import type { Section } from '../../readers/sections.ts';
import { loadFile } from './common/index-file.ts';
import type { SearchIndex } from './common/search-index.ts';
import { type ChunkTerms, termsByField, termsOf } from './common/terms.ts';
import { openMinisearch } from './minisearch/search.ts';
import { openPassages } from './passages/search.ts';
import { termsWithIdentifiers } from './passages/terms.ts';

/**
 * The algorithm of each version whose manifest names none. Deployments search such versions until the next deployment. The hash of
 * a version includes the name of its algorithm.
 */
export const firstAlgorithm = 'minisearch-7/postings-1/chunks-1200-3/terms-2';

/** The algorithm of the versions whose pieces cut tables in the middle of rows, and have no `#`. */
const tablesCutAlgorithm = 'bm25f-1/postings-1/chunks-1200-3/terms-3';

/** The algorithm of the versions whose HTML was read as lines, without its lists and code, and whose code ends at any fence. */
const linesAlgorithm = 'bm25f-1/postings-1/chunks-1200-4/terms-3';

/** The algorithm of the versions whose HTML tables repeat at most twice their own text, and whose CSV has `"` as its only quotation mark. */
const doubleQuotesAlgorithm = 'bm25f-1/postings-1/html-2/chunks-1200-5/terms-3';

/** The algorithm of new versions. What reads HTML is a part of its name, because it reads contents that are sent as HTML. */
export const currentAlgorithm = 'bm25f-1/postings-1/html-3/chunks-1200-6/terms-3';

type TitledDocument = { title: string; chunks: readonly Section[] };

const passages = {
  terms: (document: TitledDocument) => termsByField(document, termsWithIdentifiers, 'all'),
  open: openPassages,
};

const algorithms = {
  [firstAlgorithm]: {
    terms: (document: TitledDocument) => termsByField(document, termsOf, 'different'),
    open: openMinisearch,
  },
  [tablesCutAlgorithm]: passages,
  [linesAlgorithm]: passages,
  [doubleQuotesAlgorithm]: passages,
  [currentAlgorithm]: passages,
};

/** @throws Error if a later version of the code built the index */
function algorithm(name: string) {
  const entry = Object.entries(algorithms).find(([key]) => key === name)?.[1];
  if (!entry) throw new Error(`there is no algorithm ${name}`);
  return entry;
}

export const algorithmOf = ({ algorithm }: { algorithm?: string }): string => algorithm ?? firstAlgorithm;

export const termsOfChunks = (name: string, document: TitledDocument): readonly ChunkTerms[] =>
  algorithm(name).terms(document);

/** @param bytes the result of `serialise`, in UTF-8 */
export const loadIndex = (bytes: Buffer, name: string = currentAlgorithm): SearchIndex =>
  algorithm(name).open(loadFile(bytes));
