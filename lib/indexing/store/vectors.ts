/**
 * The vectors of a build, in parts in the order of the index's pieces. The parts are spread over several partitions, because
 * together they are many times as large as the index, and DynamoDB limits how much of one partition is read per second.
 */

import { hash } from 'node:crypto';
import { unchanged } from '../../dynamodb/collection.ts';
import type { ProjectStore } from '../../dynamodb/store.ts';
import type { Write } from '../../dynamodb/write.ts';
import { dimensions, type PieceVectors, signsOf, type Vector } from '../../search/semantic/vectors.ts';
import { laneOf, type StoredPart, vectorParts } from './parts.ts';

/** A hash is the start of a SHA-256: 160 bits. */
const hashBytes = 20;
const recordBytes = hashBytes + 1 + dimensions;

/** So many pieces take about 104 KB, and at most half a minute of encoding. */
export const piecesPerPart = 256;

/** The vector of a text: null if the model does not speak its language, undefined if it is not known yet. */
export type Known = Vector | null | undefined;

const stateOf = (vector: Known): number => (vector === undefined ? 2 : vector === null ? 0 : 1);
const hasVector = 1;
const isMissing = 2;

/** @returns the hash of a piece's text, in a string of 20 characters */
export const hashOfText = (text: string): string =>
  hash('sha256', text, 'buffer').toString('latin1', 0, hashBytes);

export type PartPiece = { hash: string; vector: Known };

export function packPart(pieces: readonly PartPiece[]): Uint8Array {
  const bytes = Buffer.alloc(pieces.length * recordBytes);
  const states = pieces.length * hashBytes;
  for (const [at, { hash, vector }] of pieces.entries()) {
    bytes.write(hash, at * hashBytes, 'latin1');
    bytes[states + at] = stateOf(vector);
    if (vector) bytes.set(bytesOf(vector), states + pieces.length + at * dimensions);
  }
  return bytes;
}

const bytesOf = ({ buffer, byteOffset, byteLength }: Vector) =>
  new Uint8Array(buffer, byteOffset, byteLength);

/** @returns the pieces of a part, whose vectors are views of its bytes */
export function unpackPart(bytes: Uint8Array): PartPiece[] {
  const { count, states, vectors } = sectionsOf(bytes);
  const hashes = Buffer.from(bytes.buffer, bytes.byteOffset, count * hashBytes);
  return Array.from({ length: count }, (_, at) => {
    const vector = vectors.subarray(at * dimensions, (at + 1) * dimensions);
    const state = states[at];
    return {
      hash: hashes.toString('latin1', at * hashBytes, (at + 1) * hashBytes),
      vector: state === hasVector ? vector : state === isMissing ? undefined : null,
    };
  });
}

function sectionsOf(bytes: Uint8Array) {
  const count = bytes.length / recordBytes;
  const afterHashes = count * hashBytes;
  return {
    count,
    states: bytes.subarray(afterHashes, afterHashes + count),
    vectors: new Int8Array(bytes.buffer, bytes.byteOffset + afterHashes + count, count * dimensions),
  };
}

/** @param parts in their order @returns the vectors of all pieces, for a search */
export function joinParts(parts: readonly Uint8Array[]): PieceVectors {
  const sections = parts.map(sectionsOf);
  const count = sections.reduce((sum, part) => sum + part.count, 0);
  const bytes = new Int8Array(count * dimensions);
  const has = new Uint8Array(count);
  let at = 0;
  for (const part of sections) {
    bytes.set(part.vectors, at * dimensions);
    for (const state of part.states) has[at++] = state === hasVector ? 1 : 0;
  }
  return { count, bytes, has, bits: signsOf(bytes) };
}

/** BatchGetItem allows 100, which have at most 11 MB. */
const partsPerRead = 100;
/** There are as many reads as lanes, so each lane has one read in a wave. */
const readsAtOnce = 8;

const idOf = (number: number) => `vectors-${String(number).padStart(6, '0')}`;
const numberOf = ({ id }: Pick<StoredPart, 'id'>) => Number(id.slice(-6));

/** @param before the part as it was read; by default, any part is replaced */
export const putVectorPart = (
  store: ProjectStore,
  build: string,
  number: number,
  bytes: Uint8Array,
  before?: StoredPart,
): Write<never> =>
  vectorParts
    .at(store, build, laneOf(number))
    .put({ id: idOf(number), bytes }, { condition: before ? unchanged(before) : { kind: 'any' } });

export const getVectorPart = (
  store: ProjectStore,
  build: string,
  number: number,
): Promise<StoredPart | undefined> => vectorParts.at(store, build, laneOf(number)).get(idOf(number));

/** One read of some parts of one lane. */
export type LaneRead = readonly number[];

/** @param count the number of parts @returns reads that together have all parts, and can be done at the same time */
export function laneReads(count: number, from = 0): LaneRead[] {
  const numbers = Array.from({ length: count }, (_, number) => from + number);
  return [...Map.groupBy(numbers, laneOf).values()].flatMap((lane) =>
    Array.from({ length: Math.ceil(lane.length / partsPerRead) }, (_, read) =>
      lane.slice(read * partsPerRead, (read + 1) * partsPerRead),
    ),
  );
}

/** @returns the stored ones of these parts, by their numbers */
export async function getLane(
  store: ProjectStore,
  build: string,
  numbers: LaneRead,
): Promise<Map<number, Uint8Array>> {
  const [first = 0] = numbers;
  const items = await vectorParts.at(store, build, laneOf(first)).getMany(numbers.map(idOf));
  return new Map(items.map((part) => [numberOf(part), part.bytes]));
}

/** @returns all vector parts of a build, also of an incomplete one, in no order */
export async function* allVectorParts(store: ProjectStore, build: string): AsyncGenerator<Uint8Array> {
  const perWave = partsPerRead * readsAtOnce;
  for (let from = 0; ; from += perWave) {
    const reads = laneReads(perWave, from).map((numbers) => getLane(store, build, numbers));
    const parts = (await Promise.all(reads)).flatMap((lane) => [...lane.values()]);
    yield* parts;
    if (parts.length < perWave) return;
  }
}
