/** The rankings that are compared: the search by words and meaning, by words only, and a textbook's. */

import { defaultPerDocument } from '../../lib/indexing/search/search.ts';
import { withoutMarks } from '../../lib/readers/sections.ts';
import { currentAlgorithm, loadIndex } from '../../lib/search/index/algorithms.ts';
import { buildIndex } from '../../lib/search/index/builder.ts';
import type { Semantic } from '../../lib/search/index/common/search-index.ts';
import { termsOf } from '../../lib/search/index/common/terms.ts';
import { snippetOf } from '../../lib/search/index/snippet.ts';
import { pieceText } from '../../lib/search/pieces/chunk.ts';
import { pieceVectors } from '../../lib/search/semantic/vectors.ts';
import type { Document } from './corpora.ts';
import { vectorsOf } from './vectors.ts';

/** A piece that a query finds, with the id of its document. */
export type Piece = { id: string };
export type Hit = Piece & { text: string; snippet: string };

/** @returns the pieces that a query finds, best first */
export type Ranker = (query: string) => Promise<Piece[]> | Piece[];

/** @returns the ids of the documents, best first, each once: a document is as good as its best piece */
export const idsOf = (pieces: readonly Piece[]): string[] => [...new Set(pieces.map(({ id }) => id))];

/** The largest number of pieces that a request can ask for. */
const pieces = 50;
const limit = { pieces, perDocument: defaultPerDocument };

export const rankers = {
  'plain BM25': plainBm25,
  lexical: (documents) => searchWith(documents),
  hybrid,
} satisfies Record<string, (documents: readonly Document[]) => Ranker | Promise<Ranker>>;

export type RankerName = keyof typeof rankers;

function searchWith(documents: readonly Document[]) {
  const builder = buildIndex({ algorithm: currentAlgorithm });
  for (const document of documents) builder.add({ ...document, tags: [] }, 0);
  const index = loadIndex(Buffer.from([...builder.serialise()].join('')), currentAlgorithm);
  const byId = new Map(documents.map((document) => [document.id, document]));
  return (query: string, semantic?: Semantic): Hit[] => {
    const { hits, weightOf } = index.search(query, {}, limit, semantic);
    return hits.flatMap(({ document: { id }, chunk }) => {
      const piece = byId.get(id)?.chunks[chunk];
      return piece
        ? [{ id, text: piece.text, snippet: snippetOf(withoutMarks(piece), weightOf).snippet }]
        : [];
    });
  };
}

async function hybrid(documents: readonly Document[]) {
  const search = searchWith(documents);
  const vectors = pieceVectors(await vectorsOf(textsOf(documents)));
  return async (query: string) => {
    const [question] = await vectorsOf([query]);
    return search(query, question && { question, vectors });
  };
}

/** @returns the texts of all pieces, in the order of the index */
export const textsOf = (documents: readonly Document[]): string[] =>
  documents.flatMap(({ title, chunks }) => chunks.map((chunk) => pieceText({ title, ...chunk })));

/**
 * BM25 over passages with their titles and headings (S. Robertson and H. Zaragoza, "The probabilistic relevance framework:
 * BM25 and beyond", 2009), with our words and their usual parameters.
 */
export function plainBm25(documents: readonly Document[]) {
  const passages = documents.flatMap(({ id, title, chunks }) =>
    chunks.map(({ heading, text }) => ({ id, terms: termsOf(`${title}\n${heading}\n${text}`) })),
  );
  const mean = passages.reduce((sum, { terms }) => sum + terms.length, 0) / passages.length;
  const postings = new Map<string, Map<number, number>>();
  for (const [at, { terms }] of passages.entries()) {
    for (const term of terms) {
      const own = postings.get(term) ?? new Map<number, number>();
      own.set(at, (own.get(at) ?? 0) + 1);
      postings.set(term, own);
    }
  }
  return (query: string): Piece[] => {
    const scores = new Map<number, number>();
    for (const term of termsOf(query)) {
      const own = postings.get(term) ?? new Map<number, number>();
      const rarity = Math.log(1 + (passages.length - own.size + 0.5) / (own.size + 0.5));
      for (const [at, count] of own) {
        const length = 0.25 + (0.75 * (passages[at]?.terms.length ?? 0)) / mean;
        scores.set(at, (scores.get(at) ?? 0) + (rarity * count * 2.2) / (count + 1.2 * length));
      }
    }
    const best = [...scores].sort(([a, one], [b, other]) => other - one || a - b).slice(0, pieces);
    return best.flatMap(([at]) => passages[at] ?? []);
  };
}
