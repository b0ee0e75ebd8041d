/**
 * The meanings of a version's pieces, and the encoder of questions: what a search by meaning needs, if it is there in time. The
 * vectors load in reads that are independent: Lambda freezes a function after its response, and a read that a later request finds
 * unfinished may never end, because its connection is gone. Only such a read is repeated.
 */

import type { ProjectStore } from '../../documents/store/documents.ts';
import type { Semantic } from '../../search/index/common/search-index.ts';
import { leastRecent } from '../../search/index/loaded-indexes.ts';
import { encoderSource } from '../../search/semantic/encoder.ts';
import type { Encoder, PieceVectors } from '../../search/semantic/vectors.ts';
import { getLane, joinParts, type LaneRead, laneReads } from '../store/vectors.ts';
import type { Manifest } from '../store/versions.ts';

export type Meanings = { encoder: Encoder; vectors: PieceVectors };

/** How long a search waits for the model and the vectors. Then it finds by words only. They go on loading for later searches. */
export const searchPatienceMs = 1500;

/**
 * A function that encodes questions needs a whole core, which Lambda provides from this much memory on ("Configure Lambda function
 * memory", AWS Lambda Developer Guide).
 */
export const memoryMbToEncode = 1769;

export type Wanted = {
  /** The time of the request. */
  nowMs: number;
  /** How long to wait for what is not in memory yet. */
  patienceMs: number;
};

/**
 * Begins to load the encoder and the vectors of a version.
 * @param key names tenant, project, version and build
 * @returns undefined if the version has no vectors of this model, and if they cannot be loaded in time
 */
export async function loadMeanings(
  store: ProjectStore,
  key: string,
  { build, model, vectorParts }: Manifest,
  { nowMs, patienceMs }: Wanted,
): Promise<Meanings | undefined> {
  const source = encoderSource();
  if (model !== source.model || vectorParts === undefined) return undefined;
  const load = async (): Promise<Meanings | undefined> => {
    const [encoder, vectors] = await Promise.all([
      source.load(),
      loadVectors(store, key, { build, vectorParts }, nowMs),
    ]);
    return vectors && { encoder, vectors };
  };
  // Without meanings a search still finds words, whatever the reason is.
  return within(
    load().catch(() => undefined),
    source.patienceMs ?? patienceMs,
  );
}

/** @returns undefined if it takes longer */
async function within<Value>(promise: Promise<Value>, ms: number): Promise<Value | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(resolve, ms, undefined);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** @returns what a search by meaning needs; undefined if the model does not speak the language of the question */
export async function semanticOf(
  meanings: Meanings | undefined,
  question: string,
): Promise<Semantic | undefined> {
  if (!meanings) return undefined;
  const [vector] = await meanings.encoder.encode([question]);
  return vector && { question: vector, vectors: meanings.vectors };
}

/** The limit of all vectors together, which take 433 bytes for each piece. The most recent ones always stay. */
const maxBytes = 300_000_000;

/** A read takes less than a second. One that was frozen ends soon after, or never. */
const maxReadMs = 5_000;

type Parts = Map<number, Uint8Array>;
type Read = { numbers: LaneRead; begunMs: number; parts: Parts | undefined; promise: Promise<Parts> };
type Loading = { reads: Read[] } | { reads?: never; vectors: PieceVectors };

/** The vectors by key, the least recently used first. */
const cache = new Map<string, Loading>();

/**
 * @param key names tenant, project, version and build
 * @param nowMs the time of the request
 * @returns the vectors, from memory if they are there; undefined if they are no longer stored
 */
async function loadVectors(
  store: ProjectStore,
  key: string,
  { build, vectorParts }: { build: string; vectorParts: number },
  nowMs: number,
): Promise<PieceVectors | undefined> {
  const begin = (numbers: LaneRead): Read => {
    const read: Read = { numbers, begunMs: nowMs, parts: undefined, promise: getLane(store, build, numbers) };
    read.promise.then(
      (parts) => {
        read.parts = parts;
      },
      // Whoever waits for it gets the error, and the next request reads again.
      () => {
        read.begunMs = Number.NEGATIVE_INFINITY;
      },
    );
    return read;
  };
  const entry: Loading = cache.get(key) ?? { reads: laneReads(vectorParts).map(begin) };
  cache.delete(key);
  cache.set(key, entry);
  if (!entry.reads) return entry.vectors;
  entry.reads = entry.reads.map((read) =>
    read.parts || nowMs - read.begunMs <= maxReadMs ? read : begin(read.numbers),
  );
  const lanes = await Promise.all(entry.reads.map(({ promise }) => promise));
  const current = cache.get(key);
  if (current && !current.reads) return current.vectors;
  const byNumber = new Map(lanes.flatMap((lane) => [...lane]));
  if (byNumber.size < vectorParts) {
    cache.delete(key);
    return undefined;
  }
  const vectors = joinParts([...byNumber].sort(([a], [b]) => a - b).map(([, bytes]) => bytes));
  cache.set(key, { vectors });
  makeRoom();
  return vectors;
}

const sizeOf = ({ bytes, bits, has }: PieceVectors) => bytes.byteLength + bits.byteLength + has.byteLength;

/** Removes the least recently used vectors until the rest fits. */
function makeRoom(): void {
  const sizes = [...cache].map(([key, entry]) => ({ key, bytes: entry.reads ? 0 : sizeOf(entry.vectors) }));
  for (const key of leastRecent(sizes, maxBytes)) cache.delete(key);
}
