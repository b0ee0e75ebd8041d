/** The index of one version of a project's knowledge: how it is built, kept as text, and asked. */

import MiniSearch, { type Options } from 'minisearch';
import type { Chunk } from './chunk.ts';
import { termOf, wordsOf } from './terms.ts';

/** Goes into every version: an index of another algorithm is another index, also of the same documents. */
export const algorithm = 'minisearch-7/chunks-1200/terms-1';

/** A document as the index knows it. */
export type IndexedDocument = { id: string; title: string; tags: readonly string[] };

/** Where a chunk's text is: in which block, as which of its chunks. */
type Place = readonly [document: number, block: number, chunk: number];

type Entry = { id: number; title: string; heading: string; text: string };

const options: Options<Entry> = {
  fields: ['title', 'heading', 'text'],
  tokenize: wordsOf,
  processTerm: termOf,
  searchOptions: { boost: { title: 2, heading: 1.5 } },
};

export type Hit = { document: IndexedDocument; block: number; chunk: number; score: number };

export type SearchIndex = {
  search(query: string, filter: { tag: string | undefined }, limit: number): Hit[];
};

export type IndexBuilder = ReturnType<typeof buildIndex>;

/** @returns a builder, to be given the documents one after the other */
export function buildIndex() {
  const engine = new MiniSearch<Entry>(options);
  const documents: IndexedDocument[] = [];
  const places: Place[] = [];
  return {
    add({ id, title, tags, chunks }: IndexedDocument & { chunks: readonly Chunk[] }, block: number) {
      documents.push({ id, title, tags });
      for (const [at, { heading, text }] of chunks.entries()) {
        engine.add({ id: places.length, title, heading, text });
        places.push([documents.length - 1, block, at]);
      }
    },
    chunkCount: () => places.length,
    /** @returns the index as text */
    serialise: () => JSON.stringify({ engine, documents, places }),
  };
}

/** @param text what `serialise` returned */
export function loadIndex(text: string): SearchIndex {
  const { engine, documents, places } = JSON.parse(text) as {
    engine: Parameters<typeof MiniSearch.loadJS>[0];
    documents: IndexedDocument[];
    places: Place[];
  };
  const loaded = MiniSearch.loadJS<Entry>(engine, options);
  const documentOf = (id: number) => documents[places[id]?.[0] ?? -1];
  return {
    search(query, { tag }, limit) {
      const filter = tag === undefined ? {} : { filter: tagged(tag) };
      const exact = loaded.search(query, filter);
      // Only where the words as they are find nothing: else a misspelt guess would stand among what was meant.
      const found = exact.length > 0 ? exact : loaded.search(query, { ...filter, prefix: true, fuzzy: 0.2 });
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
