/**
 * What a search by meaning costs more than one by words only: time and memory, in pairs, in one process. Times are those of the
 * processor, which other load changes less. On an idle machine, callers wait as long: all runs on one thread.
 */

import { loadIndex } from '../lib/search/index/algorithms.ts';
import { buildIndex } from '../lib/search/index/builder.ts';
import type { SearchIndex } from '../lib/search/index/common/search-index.ts';
import { chunksOf } from '../lib/search/pieces/chunk.ts';
import { loadEncoder } from '../lib/search/semantic/encoder.ts';
import { dimensions } from '../lib/search/semantic/model-name.ts';
import { pieceText } from '../lib/search/semantic/piece-text.ts';
import type { Encoder, PieceVectors } from '../lib/search/semantic/types.ts';
import { quantised, signsOf } from '../lib/search/semantic/vectors.ts';
import { type BudgetName, budgets, type Findings } from './budgets.ts';
import { documentAt, queryAt, randomOf } from './corpus.ts';
import { median, ms, percentile, progress, table } from './statistics.ts';

const sizes = [
  { pieces: 3_000, budget: 'hybridSmallMs' },
  { pieces: 100_000, budget: 'hybridLargeMs' },
] as const satisfies readonly { pieces: number; budget: BudgetName }[];

const documentBytes = 4096;
const queries = 200;
const encodedPieces = 40;
const limit = { pieces: 10, perDocument: 3 };

export async function hybridSearch(): Promise<Findings> {
  const before = process.memoryUsage().rss;
  const begun = processorMs();
  const encoder = await loadEncoder();
  await encoder.encode(['warm']);
  const loadedMs = processorMs() - begun;
  const modelBytes = process.memoryUsage().rss - before;
  const encoding = await encodingMs(encoder);

  const rows: (string | number)[][] = [];
  const budgeted: Findings['budgeted'][number][] = [];
  for (const { pieces, budget } of sizes) {
    progress(`hybrid-search: ${pieces} pieces`);
    const index = indexOf(pieces);
    const vectors = someVectors(pieces);
    const { lexical, hybrid, question } = await pairs(encoder, index, vectors);
    const added = median(hybrid.map((time, at) => time - (lexical[at] ?? 0)));
    rows.push([
      pieces.toLocaleString('en'),
      ...[ms(median(lexical)), ms(median(hybrid)), ms(added), ms(median(question))],
      `${((vectors.bytes.byteLength + vectors.bits.byteLength + vectors.has.byteLength) / 1e6).toFixed(1)} MB`,
    ]);
    budgeted.push({ budget, what: `what meaning adds to a search of ${pieces} pieces, in ms`, value: added });
  }
  return {
    text: [
      table(
        ['pieces', 'by words', 'by words and meaning', 'added', 'of which the question', 'vectors in memory'],
        rows,
      ),
      '',
      `Time of the processor, medians of ${queries} queries of one to four words, each searched both ways; without reading from tables. Vectors are ` +
        `random. Budget: ${sizes.map(({ budget }) => ms(budgets[budget])).join(' and ')} added. To load the model and encode a ` +
        `first text takes ${ms(loadedMs)} and ${(modelBytes / 1e6).toFixed(0)} MB. A piece is encoded in ` +
        `${ms(median(encoding))} (95 % in at most ${ms(percentile(encoding, 0.95))}), by one thread. A vector has ` +
        `${dimensions} bytes, and its signs ${dimensions / 8}.`,
    ].join('\n'),
    budgeted,
  };
}

function processorMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/** @returns how long each piece takes */
async function encodingMs(encoder: Encoder): Promise<number[]> {
  const { title, content } = documentAt(0, documentBytes * 10);
  const times: number[] = [];
  for (const chunk of chunksOf(content).slice(0, encodedPieces)) {
    const begun = processorMs();
    await encoder.encode([pieceText({ title, ...chunk })]);
    times.push(processorMs() - begun);
  }
  return times;
}

/** @returns an index of exactly so many pieces */
function indexOf(pieces: number): SearchIndex {
  const builder = buildIndex();
  for (let number = 0; builder.chunkCount() < pieces; number += 1) {
    const { title, content, tags } = documentAt(number, documentBytes);
    const chunks = chunksOf(content).slice(0, pieces - builder.chunkCount());
    builder.add({ id: `kdoc_${number}`, title, tags, chunks }, 0);
  }
  return loadIndex(Buffer.from([...builder.serialise()].join('')));
}

function someVectors(count: number): PieceVectors {
  const random = randomOf(count);
  const bytes = new Int8Array(count * dimensions);
  const one = new Float32Array(dimensions);
  for (let piece = 0; piece < count; piece += 1) {
    for (let at = 0; at < dimensions; at += 1) one[at] = random() - 0.5;
    bytes.set(quantised(one), piece * dimensions);
  }
  return { count, bytes, bits: signsOf(bytes), has: new Uint8Array(count).fill(1) };
}

/** @returns the time of each query, by words and by both, and of its encoding */
async function pairs(encoder: Encoder, index: SearchIndex, vectors: PieceVectors) {
  const times = { lexical: [] as number[], hybrid: [] as number[], question: [] as number[] };
  for (let number = -20; number < queries; number += 1) {
    const query = queryAt(number + 20);
    const begun = processorMs();
    index.search(query, { tag: undefined }, limit);
    const searched = processorMs();
    // Two of the words together may be Spanish.
    const [question] = await encoder.encode([`how is ${query}`]);
    const encoded = processorMs();
    index.search(query, { tag: undefined }, limit, question && { question, vectors });
    const done = processorMs();
    if (!question) throw new Error(`the model does not speak ${query}`);
    // The first ones warm the compiler.
    if (number < 0) continue;
    times.lexical.push(searched - begun);
    times.hybrid.push(done - searched);
    times.question.push(encoded - searched);
  }
  return times;
}
