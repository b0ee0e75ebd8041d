/**
 * The audit log and the events need the changes of resources among the changes of items. Every commit puts each resource that
 * it changes, or its tombstone, with stamps. So only puts count. A removal is either part of a move or a deletion, and a put
 * records both, or an expiry, which is not a change. The result does not depend on how a stream splits or orders the writes of
 * a transaction.
 */

import { gonePlace, resourceAt, resourceKey, tracedAt } from './resources.ts';
import type { TableName } from './tables.ts';
import type { Item, Stamp } from './write.ts';

export type ItemChange = { table: TableName; before: Item | undefined; after: Item | undefined };

export type ResourceChange = Required<Pick<Stamp, 'changedBy' | 'changedIn'>> &
  Pick<Stamp, 'changedThrough' | 'changedAs' | 'changedFrom' | 'changedUsing' | 'changedRequest'> & {
    table: TableName;
    /** The partition key of the owner of the resource, such as `org_…#live#proj_…`. */
    home: string;
    id: string;
    /** The resource before the change. Undefined if it is new, or has moved and its removal is not among the changes. */
    before: Item | undefined;
    /** The resource after the change. Undefined if it is deleted. */
    after: Item | undefined;
  };

/**
 * @param changes the changes of any tables, in any order, even repeated
 * @returns each change of a resource once, in the order of the puts
 */
export function resourceChanges(changes: readonly ItemChange[]): ResourceChange[] {
  const removedItems = new Map<string, Item>();
  for (const { table, before, after } of changes) {
    const resource = before && !after ? resourceAt(table, before) : undefined;
    if (before && resource && resource.place !== gonePlace) {
      removedItems.set(`${table}/${resourceKey(resource)}`, before);
    }
  }
  const changesByKey = new Map<string, ResourceChange>();
  for (const { table, before, after } of changes) {
    const resource = after && resourceAt(table, after);
    if (!after || !resource || before?.changedIn === after.changedIn) continue;
    const { home, id, place } = resource;
    const name = `${table}/${resourceKey(resource)}`;
    const isGone = place === gonePlace;
    changesByKey.set(`${name}/${after.changedIn}`, {
      table,
      home,
      id,
      ...stampsOf(after),
      before: (isGone ? undefined : before) ?? removedItems.get(name),
      after: isGone ? undefined : after,
    });
  }
  return [...changesByKey.values()];
}

/** @returns the change of a traced helper by a request, in the same form; undefined for any other change */
export function tracedChange({ table, before, after }: ItemChange): ResourceChange | undefined {
  const helper = after && tracedAt(table, after);
  if (!helper || after.changedRequest === undefined || before?.changedIn === after.changedIn)
    return undefined;
  const { home, id } = helper;
  return { table, home, id, ...stampsOf(after), before, after };
}

function stampsOf(item: Item) {
  const { changedBy, changedIn, changedThrough, changedAs, changedFrom, changedUsing, changedRequest } =
    item as Item & Stamp;
  return {
    changedBy,
    changedIn,
    ...(changedThrough !== undefined && { changedThrough }),
    ...(changedAs !== undefined && { changedAs }),
    ...(changedFrom !== undefined && { changedFrom }),
    ...(changedUsing !== undefined && { changedUsing }),
    ...(changedRequest !== undefined && { changedRequest }),
  };
}
