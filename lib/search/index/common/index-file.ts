/** An index as it is stored: lines of JSON. The postings say which chunks have a term in a field, and how often. */

import { fields } from './terms.ts';

/** The postings of one term in one field: a range of the store's arrays. */
export type Postings = { from: number; to: number };

/** The postings of all terms in two arrays, because an index has millions, but few per term. */
export class PostingsStore {
  readonly ids: Uint32Array;
  readonly counts: Uint16Array;
  private nextIndex = 0;

  /** @param size the total number of postings */
  constructor(size: number) {
    this.ids = new Uint32Array(size);
    this.counts = new Uint16Array(size);
  }

  /** @param line the result of `asDistances`, from `at` on */
  add(line: readonly (string | number)[], at: number): Postings {
    const from = this.nextIndex;
    let id = 0;
    for (let next = at; next < line.length; next += 2) {
      id += line[next] as number;
      this.ids[this.nextIndex] = id;
      this.counts[this.nextIndex] = line[next + 1] as number;
      this.nextIndex += 1;
    }
    return { from, to: this.nextIndex };
  }
}

/**
 * @param pairs chunk and frequency in turn, in the order of the chunks
 * @returns the same with each chunk as the distance from the previous one: mostly small numbers, which compress well
 */
export const asDistances = (pairs: readonly number[]): number[] =>
  pairs.map((value, at) => (at % 2 === 0 && at > 0 ? value - (pairs[at - 2] as number) : value));

export type IndexedDocument = {
  id: string;
  title: string;
  tags: readonly string[];
  /** The address of its page. Missing if it is of no page, and in indexes of earlier versions. */
  url?: string | undefined;
  /** The values by which a search can filter. Missing without any. */
  fields?: Readonly<Record<string, string>> | undefined;
};

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
