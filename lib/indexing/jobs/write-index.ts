/**
 * Builds an index in memory, and writes it. This is one piece of work, which cannot be stored halfway. The limits of an index bound
 * its time: docs/capacity.md#places-of-workers.
 */

import { JobFailure, type JobRun, writeParts } from '../../jobs/run.ts';
import { buildIndex, indexLimits } from '../../search/index/builder.ts';
import type { DocumentReader } from '../../search/pieces/document-reader.ts';
import { documentList, putDocumentList } from '../store/document-lists.ts';
import { type PreparedDocument, putIndex } from '../store/parts.ts';
import { readBlocks } from './blocks.ts';
import { type Piece, piecesOf } from './piece-vectors.ts';

const tooManyTerms = {
  code: 'too_much_text',
  message: `An index can have at most ${indexLimits.chunks} pieces and ${indexLimits.terms} different words.`,
};

type Build = {
  id: string;
  blocks: number;
  /** Whether the index has what this block has of the document. */
  has: (document: PreparedDocument, block: number) => boolean;
  algorithm: string;
};

/** Writes the index of the documents in the blocks of a build. @returns its pieces, and what the manifest says of it */
export async function writeIndex(
  run: JobRun,
  reader: DocumentReader,
  { id, blocks, has, algorithm }: Build,
): Promise<{ pieces: Piece[]; chunks: number; indexParts: number }> {
  const { store } = run;
  const pieces: Piece[] = [];
  const builder = buildIndex({ algorithm });
  const list = documentList();
  for await (const { number, block } of readBlocks(store, id, blocks)) {
    for (const [at, document] of block.documents.entries()) {
      if (!has(document, number)) continue;
      list.add(document);
      const { title, chunks } = document;
      const terms = chunks.length > 0 ? await reader.terms({ title, chunks }, algorithm) : [];
      builder.add(document, number, terms);
      if (builder.isTooLarge()) throw new JobFailure(tooManyTerms);
      for (const piece of piecesOf(document, number, at)) pieces.push(piece);
    }
  }
  const parts = await putIndex(store, id, builder.serialise());
  await writeParts(run, [...parts, ...putDocumentList(store, id, list.heads())]);
  return { pieces, chunks: builder.chunkCount(), indexParts: parts.length };
}
