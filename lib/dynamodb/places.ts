/**
 * Numbered places turn "at most N at the same time" into a condition of a transaction. A limit has N places, which are items.
 * Whoever needs a place takes a free one in its own transaction, and so no race can exceed the limit. A place is free when its
 * time (`ttl`) is over, or when its holder has ended. A free place is taken again as it is, so nothing has to remove it.
 */

import { hash } from 'node:crypto';
import { secondMs } from '../base/time.ts';
import { type Items, unchanged } from './collection.ts';
import type { Condition, Item } from './write.ts';

type PlaceItem = Item & { ttl: number; changedIn: string };

/** A place that can be taken. The condition of the write that takes it fails if another request was faster. */
type FreePlace = { id: string; condition: Condition<never> };

export const numbered = (count: number, prefix = '', digits = 2): string[] =>
  Array.from({ length: count }, (_, number) => `${prefix}${String(number).padStart(digits, '0')}`);

/** @returns one of the places, by a number from 0 to below 1. Simultaneous requests pick different places */
export const pick = <Place>(free: readonly Place[], chance: number): Place | undefined =>
  free[Math.floor(chance * free.length)];

/** @returns a number from 0 to below 1 that depends on the id of the new holder, which differs in each attempt */
export const chanceOf = (id: string): number => hash('sha256', id, 'buffer').readUInt32BE(0) / 2 ** 32;

/** @param holder the item that has the place */
export const freeAt = (id: string, holder: { changedIn: string } | undefined): FreePlace => ({
  id,
  condition: holder ? unchanged(holder) : { kind: 'absent' },
});

type PlaceQuery<Kind> = {
  count: number;
  nowMs: number;
  chance: number;
  /** @returns the places whose holders have ended before their time. It is called only if no other place is free */
  endedOf: (places: readonly Kind[]) => Promise<readonly Kind[]>;
};

/** So many places are checked at once. */
const checkedAtOnce = 25;

/**
 * Reads the places, and if all of them are taken, their holders.
 * @returns a free place, or undefined if there is none
 */
export async function findPlace<Kind extends PlaceItem>(
  items: Pick<Items<Kind>, 'page'>,
  { count, nowMs, chance, endedOf }: PlaceQuery<Kind>,
): Promise<FreePlace | undefined> {
  const { items: places } = await items.page({ limit: count });
  const placesById = new Map(places.map((place) => [place.id, place]));
  const isOver = (id: string) => (placesById.get(id)?.ttl ?? 0) * secondMs <= nowMs;
  const free = pick(numbered(count).filter(isOver), chance);
  if (free !== undefined) return freeAt(free, placesById.get(free));
  // Simultaneous requests begin at different places.
  const start = Math.floor(chance * places.length);
  const rotated = [...places.slice(start), ...places.slice(0, start)];
  for (let index = 0; index < rotated.length; index += checkedAtOnce) {
    const place = pick(await endedOf(rotated.slice(index, index + checkedAtOnce)), chance);
    if (place) return freeAt(place.id, place);
  }
  return undefined;
}
