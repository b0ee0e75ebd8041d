/**
 * The vectors that this process has in memory. They load in reads that are independent: Lambda freezes a function after its
 * response, and what a later request finds unfinished then may never end, because its connection is gone. That is read again,
 * and the rest stays.
 */

import type { ProjectStore } from '../../documents/store/documents.ts';
import { leastRecent } from '../../search/index/loaded-indexes.ts';
import type { PieceVectors } from '../../search/semantic/vectors.ts';
import { joinParts } from '../store/vector-part.ts';
import { getLane, type LaneRead, laneReads } from '../store/vectors.ts';

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
export async function loadVectors(
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
