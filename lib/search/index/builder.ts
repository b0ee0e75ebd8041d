/** Builds the index of one version of a project's documents. */

import type { Section } from '../../readers/sections.ts';
import { currentAlgorithm, termsOfChunks } from './algorithms.ts';
import { asDistances, type Head, type IndexedDocument, type Line, type Place } from './common/index-file.ts';
import { type ChunkTerms, fields } from './common/terms.ts';

/** The length of the pieces in which an index is written, large enough for fast streams. */
const pieceLength = 64 * 1024;

/**
 * The limits of the memory of the functions that build and load an index. Ordinary texts of the maximum size reach a
 * third of it. Texts with only different words, or headings without text, reach more.
 */
export const indexLimits = { chunks: 500_000, terms: 1_000_000 };

/** @returns a builder, which takes documents until it is too large */
export function buildIndex({ algorithm = currentAlgorithm, limits = indexLimits } = {}) {
  const documents: IndexedDocument[] = [];
  const places: Place[] = [];
  const lengths: number[][] = [];
  /** The postings by field and term: chunk and frequency in turn. */
  const postingsByField = fields.map(() => new Map<string, number[]>());

  const addTerm = (postings: Map<string, number[]>, term: string, id: number, count: number): void => {
    const pairs = postings.get(term);
    if (pairs) pairs.push(id, count);
    else postings.set(term, [id, count]);
  };

  return {
    /** @param terms the terms of the chunks, if they are computed already */
    add(
      document: IndexedDocument & { chunks: readonly Section[] },
      block: number,
      terms: readonly ChunkTerms[] = termsOfChunks(algorithm, document),
    ) {
      const { id, title, tags, url, fields: values } = document;
      // A long document comes in several blocks, one after the other.
      if (documents.at(-1)?.id !== id) documents.push({ id, title, tags, url, fields: values });
      for (const [at, chunkTerms] of terms.entries()) {
        for (const [field, { terms, counts }] of chunkTerms.entries()) {
          const postings = postingsByField[field] ?? new Map();
          for (const [index, term] of terms.entries()) {
            addTerm(postings, term, places.length, counts[index] ?? 0);
          }
        }
        lengths.push(chunkTerms.map(({ length }) => length));
        places.push([documents.length - 1, block, at]);
      }
    },
    chunkCount: () => places.length,
    isTooLarge: () =>
      places.length > limits.chunks ||
      postingsByField.reduce((sum, { size }) => sum + size, 0) > limits.terms,
    /** @returns the index as lines of JSON, in large pieces. The terms are in the order of their code units */
    *serialise(): Generator<string> {
      let postings = 0;
      for (const terms of postingsByField) for (const pairs of terms.values()) postings += pairs.length / 2;
      let piece = JSON.stringify({ documents, places, lengths, postings } satisfies Head);
      const allTerms = new Set<string>();
      for (const terms of postingsByField) for (const term of terms.keys()) allTerms.add(term);
      for (const term of [...allTerms].sort()) {
        for (const [field, terms] of postingsByField.entries()) {
          const pairs = terms.get(term);
          if (pairs) piece += `\n${JSON.stringify([term, field, ...asDistances(pairs)] satisfies Line)}`;
        }
        if (piece.length < pieceLength) continue;
        yield piece;
        piece = '';
      }
      yield piece;
    },
  };
}
