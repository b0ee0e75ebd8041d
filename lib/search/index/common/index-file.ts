/** An index as it is stored: lines of JSON. */

import { fields } from './document-terms.ts';
import { type Postings, PostingsStore } from './postings.ts';

export type IndexedDocument = { id: string; title: string; tags: readonly string[] };

/** The position of a chunk's text: its block, and its number in the block. */
export type Place = readonly [document: number, block: number, chunk: number];

/** The first line of an index. Each other line is a term, the field's number, and the result of `asDistances`. */
export type Head = {
  documents: readonly IndexedDocument[];
  places: readonly Place[];
  /** The length of each field of each chunk, as its algorithm counts it. */
  lengths: readonly number[][];
  /** The total number of postings. */
  postings: number;
};
export type Line = [term: string, field: number, ...postings: number[]];

export type LoadedFile = Omit<Head, 'postings'> & {
  store: PostingsStore;
  /** The postings of each term, by field, in the order of the lines. */
  byTerm: ReadonlyMap<string, readonly (Postings | undefined)[]>;
  /** The mean length, by field. */
  means: readonly number[];
};

/** @returns the documents in an index, without loading the rest of it */
export const documentsIn = (bytes: Buffer): readonly IndexedDocument[] =>
  (linesOf(bytes).next().value as Head).documents;

/** @param bytes the result of `serialise`, in UTF-8 */
export function loadFile(bytes: Buffer): LoadedFile {
  const lines = linesOf(bytes);
  const { documents, places, lengths, postings } = lines.next().value as Head;
  const store = new PostingsStore(postings);
  const byTerm = new Map<string, (Postings | undefined)[]>();
  for (const line of lines as Iterable<Line>) {
    const [term, field] = line;
    const byField = byTerm.get(term) ?? fields.map(() => undefined);
    byField[field] = store.add(line, 2);
    byTerm.set(term, byField);
  }
  const means = fields.map(
    (_, field) => lengths.reduce((sum, length) => sum + (length[field] ?? 0), 0) / lengths.length,
  );
  return { documents, places, lengths, store, byTerm, means };
}

function* linesOf(bytes: Buffer): Generator<unknown> {
  for (let from = 0; from < bytes.length; ) {
    const end = bytes.indexOf('\n', from);
    const to = end === -1 ? bytes.length : end;
    yield JSON.parse(bytes.toString('utf8', from, to));
    from = to + 1;
  }
}
