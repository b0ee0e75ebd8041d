/** Removes all items of a partition, in as many runs as it takes. */

import { untilEmpty } from '../base/pages.ts';
import type { Items } from '../dynamodb/collection.ts';
import { checkRemainingTime } from './time-limit.ts';
import type { Item, WorkerInput, Write } from './worker.ts';

const pageSize = 100;

/**
 * @param write writes the removals of a page
 * @param before runs before the items of a page are removed
 * @returns the number of removed items
 * @throws Error if the time is over
 */
export async function removeAll<Kind extends Item>(
  items: Items<Kind>,
  input: Pick<WorkerInput, 'remainingMs'>,
  write: (writes: readonly Write<never>[]) => Promise<unknown>,
  before: (found: readonly Kind[]) => Promise<unknown> = async () => {},
): Promise<number> {
  let removed = 0;
  for await (const found of untilEmpty(() => items.page({ order: 'oldest', limit: pageSize }))) {
    await before(found);
    await write(found.map(({ id }) => items.remove(id, { condition: { kind: 'any' } })));
    removed += found.length;
    checkRemainingTime(input);
  }
  return removed;
}
