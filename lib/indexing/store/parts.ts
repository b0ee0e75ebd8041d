/** The parts of a build: the index, cut into items, and blocks with the texts of its pieces. All are compressed. */

import { pipeline } from 'node:stream/promises';
import { brotliCompressSync, brotliDecompressSync, constants, createBrotliCompress } from 'node:zlib';
import { pagesOf } from '../../base/pages.ts';
import { dayMs, ttlSeconds } from '../../base/time.ts';
import { type Items, projectCollection, type Stored } from '../../dynamodb/collection.ts';
import type { ProjectStore } from '../../dynamodb/store.ts';
import type { Write } from '../../dynamodb/write.ts';
import type { ExtractionNote } from '../../readers/blocks.ts';
import type { IndexedDocument } from '../../search/index/common/index-file.ts';
import type { Chunk } from '../../search/pieces/passage.ts';

/** How long the parts of a version stay after it was replaced. */
export const retiredRetentionMs = 7 * dayMs;
/** An item has at most 400 KB. */
const partBytes = 380 * 1024;
/** A response of DynamoDB has at most 16 MB. */
const partsPerRead = 40;
/** On an index, quality 4 takes half the time of gzip and three fifths of its space. */
export const compression = { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } };

export type StoredPart = Stored<{ id: string; bytes: Uint8Array; ttl?: number }>;

export const parts = projectCollection<StoredPart, [build: string]>('knowledgeIndexes', (build) => [
  'build',
  build,
]);

/** The partitions of a build's vectors (vectors.ts). */
const lanes = Array.from({ length: 8 }, (_, lane) => `vectors-${lane}`);

export const vectorParts = projectCollection<StoredPart, [build: string, lane: string]>(
  'knowledgeIndexes',
  (build, lane) => ['build', build, lane],
);

/** @returns the lane of a part, so that parts are spread evenly */
export const laneOf = (number: number): string => lanes[number % lanes.length] ?? '';

export const partitionsOf = (store: ProjectStore, build: string): Items<StoredPart>[] => [
  parts.at(store, build),
  ...lanes.map((lane) => vectorParts.at(store, build, lane)),
];

/** The texts of some documents. */
export type Block = { documents: readonly PreparedDocument[] };

export type PreparedDocument = IndexedDocument & {
  /** A hash of everything that the index contains of the document. */
  fingerprint: string;
  /** Empty if the document failed. */
  chunks: readonly Chunk[];
  /** A hash of the content and its type. Missing in builds of older versions. */
  content?: string;
  /** These chunks follow those in the block before: a long document has several blocks. */
  continues?: true;
  /** The last chunks of the block before, and the first of the next one: a search with their neighbours reads no further block. */
  before?: readonly Chunk[];
  after?: readonly Chunk[];
  error: { code: string; message: string } | null;
  warning?: { code: string; message: string } | null;
  /** What the reader of a content has left out. Missing in builds of older versions. */
  notes?: readonly ExtractionNote[];
};

export const partId = (kind: 'block' | 'index' | 'list', number: number) =>
  `${kind}-${String(number).padStart(6, '0')}`;

/** A repetition changes nothing, because nothing reads a block before its build is complete. */
export const putBlock = (store: ProjectStore, build: string, number: number, block: Block): Write<never> =>
  putPart(store, build, partId('block', number), brotliCompressSync(JSON.stringify(block), compression));

/** @param numbers at most 100 */
export async function getBlocks(store: ProjectStore, build: string, numbers: readonly number[]) {
  const items = await parts.at(store, build).getMany(numbers.map((number) => partId('block', number)));
  return items.map(({ id, bytes }) => ({
    number: Number(id.slice(-6)),
    block: JSON.parse(brotliDecompressSync(bytes).toString()) as Block,
  }));
}

/**
 * @param pieces the index as text, never all of it at once: it is many times as large as when compressed
 * @returns a write for each part of the index
 */
export async function putIndex(
  store: ProjectStore,
  build: string,
  pieces: Iterable<string>,
): Promise<Write<never>[]> {
  const chunks: Buffer[] = [];
  await pipeline(pieces, createBrotliCompress(compression), async (output) => {
    for await (const piece of output) chunks.push(piece);
  });
  return cut(Buffer.concat(chunks)).map((bytes, number) =>
    putPart(store, build, partId('index', number), bytes),
  );
}

const cut = (bytes: Buffer): Buffer[] =>
  Array.from({ length: Math.ceil(bytes.length / partBytes) }, (_, number) =>
    bytes.subarray(number * partBytes, (number + 1) * partBytes),
  );

/** @returns the index in UTF-8, or undefined if a part is missing */
export async function getIndex(
  store: ProjectStore,
  { build, indexParts }: { build: string; indexParts: number },
): Promise<Buffer | undefined> {
  const ids = Array.from({ length: indexParts }, (_, number) => partId('index', number));
  const reads = Array.from({ length: Math.ceil(ids.length / partsPerRead) }, (_, read) =>
    parts.at(store, build).getMany(ids.slice(read * partsPerRead, (read + 1) * partsPerRead)),
  );
  const items = (await Promise.all(reads)).flat().sort((a, b) => (a.id < b.id ? -1 : 1));
  if (items.length < ids.length) return undefined;
  return brotliDecompressSync(Buffer.concat(items.map(({ bytes }) => bytes)));
}

/**
 * @param after the position to begin behind, of an earlier call; empty for all parts
 * @returns page by page, writes that give every part a TTL, and the position behind them
 */
export async function* expireParts(
  store: ProjectStore,
  build: string,
  nowMs: number,
  after = '',
): AsyncGenerator<{ writes: Write<never>[]; position: string }> {
  const ttl = ttlSeconds(nowMs + retiredRetentionMs);
  const [first = 0, last] = after.split('/');
  for (const [lane, items] of partitionsOf(store, build).entries()) {
    if (lane < Number(first)) continue;
    for await (const page of pagesOfParts(items, lane === Number(first) ? last : undefined)) {
      const lastOfPage = page.at(-1);
      if (!lastOfPage) continue;
      const partsToExpire = page.filter((part) => part.ttl === undefined);
      const writes = partsToExpire.map(({ id }) =>
        items.update(id, { ttl }, { condition: { kind: 'present' } }),
      );
      yield { writes, position: `${lane}/${lastOfPage.id}` };
    }
  }
}

/** @returns page by page, writes that remove every part */
export async function* removeParts(store: ProjectStore, build: string): AsyncGenerator<Write<never>[]> {
  for (const items of partitionsOf(store, build)) {
    for await (const page of pagesOfParts(items)) {
      yield page.map(({ id }) => items.remove(id, { condition: { kind: 'any' } }));
    }
  }
}

const pagesOfParts = (items: Items<StoredPart>, behind?: string): AsyncGenerator<StoredPart[]> =>
  pagesOf((after) => items.page({ after: after ?? behind, limit: 100 }));

export const putPart = (store: ProjectStore, build: string, id: string, bytes: Uint8Array): Write<never> =>
  parts.at(store, build).put({ id, bytes }, { condition: { kind: 'any' } });
