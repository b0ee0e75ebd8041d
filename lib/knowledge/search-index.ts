/** The index of one version of a project's knowledge: how it is built, kept as bytes, and asked. */

import MiniSearch, { type Options } from 'minisearch';
import type { Chunk } from './chunk.ts';
import { asDistances, PostingsStore } from './postings.ts';
import { termsOf } from './terms.ts';

/** Goes into every version: an index of another algorithm is another index, also of the same documents. */
export const algorithm = 'minisearch-7/postings-1/chunks-1200/terms-2';

/** A document as the index knows it. */
export type IndexedDocument = { id: string; title: string; tags: readonly string[] };

/** Where a chunk's text is: in which block, as which of its chunks. */
type Place = readonly [document: number, block: number, chunk: number];

const fields = ['title', 'heading', 'text'] as const;
type Entry = { id: number } & Record<(typeof fields)[number], string>;

export const options: Options<Entry> = {
  fields: [...fields],
  tokenize: termsOf,
  processTerm: (term) => term,
  searchOptions: { boost: { title: 2, heading: 1.5 } },
};

/** The first line of an index. Each of the others is a term, the field's number, and what `asDistances` makes. */
type Head = {
  documents: readonly IndexedDocument[];
  places: readonly Place[];
  /** How many different words each field of each chunk has. */
  lengths: readonly number[][];
  /** How many there are of all terms. */
  postings: number;
};
type Line = [term: string, field: number, ...postings: number[]];

export type Hit = { document: IndexedDocument; block: number; chunk: number; score: number };

export type SearchIndex = {
  search(query: string, filter: { tag: string | undefined }, limit: number): Hit[];
};

export type IndexBuilder = ReturnType<typeof buildIndex>;

/** Characters of the pieces in which an index is written: enough for a stream to be quick. */
const pieceLength = 64 * 1024;

/**
 * Not by MiniSearch's own `add` and `toJSON`: its Maps take four times the memory of these arrays, and the object that
 * it writes ten times, of which a function has little.
 *
 * @returns a builder, to be given the documents one after the other
 */
export function buildIndex() {
  const documents: IndexedDocument[] = [];
  const places: Place[] = [];
  const lengths: number[][] = [];
  /** By field and term: a chunk, how often it has the term, the next chunk, and so on. */
  const found = fields.map(() => new Map<string, number[]>());

  const addWords = (text: string, terms: Map<string, number[]>, id: number): number => {
    const all = termsOf(text);
    for (const term of all) {
      const pairs = terms.get(term);
      if (!pairs) terms.set(term, [id, 1]);
      else if (pairs.at(-2) === id) pairs.push((pairs.pop() ?? 0) + 1);
      else pairs.push(id, 1);
    }
    return new Set(all).size;
  };

  return {
    add({ id, title, tags, chunks }: IndexedDocument & { chunks: readonly Chunk[] }, block: number) {
      documents.push({ id, title, tags });
      for (const [at, { heading, text }] of chunks.entries()) {
        const entry = { title, heading, text };
        lengths.push(
          fields.map((field, index) => addWords(entry[field], found[index] ?? new Map(), places.length)),
        );
        places.push([documents.length - 1, block, at]);
      }
    },
    chunkCount: () => places.length,
    /** @returns the index as lines of JSON, in pieces of some size */
    *serialise(): Generator<string> {
      let postings = 0;
      for (const pairs of found.flatMap((terms) => [...terms.values()])) postings += pairs.length / 2;
      let piece = JSON.stringify({ documents, places, lengths, postings } satisfies Head);
      for (const [field, terms] of found.entries()) {
        for (const [term, pairs] of terms) {
          piece += `\n${JSON.stringify([term, field, ...asDistances(pairs)] satisfies Line)}`;
          if (piece.length < pieceLength) continue;
          yield piece;
          piece = '';
        }
      }
      yield piece;
    },
  };
}

/** @param bytes what `serialise` returned, in UTF-8 */
export function loadIndex(bytes: Buffer): SearchIndex {
  const lines = linesOf(bytes);
  const head = lines.next().value as Head;
  const { documents, places } = head;
  const engine = new Engine(head, lines as Iterable<Line>);
  const documentOf = (id: number) => documents[places[id]?.[0] ?? -1];
  return {
    search(query, { tag }, limit) {
      const filter = tag === undefined ? {} : { filter: tagged(tag) };
      const exact = engine.search(query, filter);
      // Only where the words as they are find nothing: else a misspelt guess would stand among what was meant.
      const found = exact.length > 0 ? exact : engine.search(query, { ...filter, prefix: true, fuzzy: 0.2 });
      return found.slice(0, limit).flatMap(({ id, score }) => {
        const [, block, chunk] = places[id as number] ?? [];
        const document = documentOf(id as number);
        if (!document || block === undefined || chunk === undefined) return [];
        return [{ document, block, chunk, score: Math.round(score * 1000) / 1000 }];
      });
    },
  };

  function tagged(tag: string) {
    return ({ id }: { id: unknown }) => documentOf(id as number)?.tags.includes(tag) ?? false;
  }
}

/** MiniSearch, filled with what an index has stored. */
class Engine extends MiniSearch<Entry> {
  constructor({ lengths, postings }: Head, lines: Iterable<Line>) {
    super(options);
    this._documentCount = lengths.length;
    this._nextId = lengths.length;
    for (const [id, length] of lengths.entries()) {
      this._documentIds.set(id, id);
      this._fieldLength.set(id, length);
    }
    this._avgFieldLength = fields.map(
      (_, field) => lengths.reduce((sum, length) => sum + (length[field] ?? 0), 0) / lengths.length,
    );
    const store = new PostingsStore(postings);
    for (const line of lines) {
      const [term, field] = line;
      // It reads the size, the keys and the values of these Maps, and nothing else.
      const found = store.add(line, 2) as unknown as Map<number, number>;
      this._index.fetch(term, () => new Map()).set(field, found);
    }
  }
}

/** @returns what the lines say */
function* linesOf(bytes: Buffer): Generator<unknown> {
  for (let from = 0; from < bytes.length; ) {
    const end = bytes.indexOf('\n', from);
    const to = end === -1 ? bytes.length : end;
    yield JSON.parse(bytes.toString('utf8', from, to));
    from = to + 1;
  }
}
