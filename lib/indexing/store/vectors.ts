/**
 * The vectors of a build, in parts in the order of the index's pieces. The parts are spread over several partitions, because
 * together they are many times as large as the index, and DynamoDB limits how much of one partition is read per second.
 */

import { unchanged } from '../../dynamodb/collection.ts';
import type { ProjectStore } from '../../dynamodb/store.ts';
import type { Write } from '../../dynamodb/write.ts';
import { laneOf, type StoredPart, vectorParts } from './parts.ts';

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
