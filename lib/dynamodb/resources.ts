/**
 * Resources are the items that callers know, as the tables declare them. A resource can move between partitions. When it is
 * deleted, a tombstone takes its place in the partition `gone`. All other items are helpers. A few helpers are traced.
 */

import { type TableDefinition, type TableName, tables } from './tables.ts';
import type { Item, Stamp } from './write.ts';

export const gonePlace = 'gone';

export type Resource = {
  /** The partition key of the owner: an organisation, a tenant or a project. */
  home: string;
  id: string;
  /** The rest of the partition key: `''`, or a name such as `deleted`; `gone` for a tombstone. */
  place: string;
};

/** The number of parts of a partition key, `org_…#live#proj_…`. */
const depths = { organisation: 1, tenant: 2, project: 3 } as const;

/** @returns the resource at this place, or the resource whose tombstone is there; undefined for a helper item */
export function resourceAt(
  table: TableName,
  { tenant, id }: { tenant: string; id: string },
): Resource | undefined {
  const { resources }: TableDefinition = tables[table];
  const keyParts = resources && below(resources.level, tenant);
  if (!keyParts) return undefined;
  const { place } = keyParts;
  const isPlace = ([prefix, names]: [string, readonly string[]]) =>
    id.startsWith(prefix) && (place === gonePlace || names.includes(place));
  return Object.entries(resources.places).some(isPlace) ? { ...keyParts, id } : undefined;
}

/** @returns the traced helper at this place; undefined for any other item */
export function tracedAt(
  table: TableName,
  { tenant, id }: { tenant: string; id: string },
): Resource | undefined {
  const { traced }: TableDefinition = tables[table];
  const keyParts = traced && below(traced.level, tenant);
  return keyParts && id.startsWith(traced.prefix) && traced.place.test(keyParts.place)
    ? { ...keyParts, id }
    : undefined;
}

/** @returns the two parts of a partition key; undefined if it is above the level */
function below(level: keyof typeof depths, tenant: string): Pick<Resource, 'home' | 'place'> | undefined {
  let end = -1;
  for (let part = 1; part <= depths[level]; part += 1) {
    if (end === tenant.length) return undefined;
    const next = tenant.indexOf('#', end + 1);
    end = next === -1 ? tenant.length : next;
  }
  return { home: tenant.slice(0, end), place: tenant.slice(end + 1) };
}

/** @returns the identity of a resource in a table, wherever it is */
export const resourceKey = ({ home, id }: Resource): string => `${home}/${id}`;

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
 * The audit log and the events need the changes of resources among the changes of items. Every commit puts each resource that
 * it changes, or its tombstone, with stamps. So only puts count. A removal is either part of a move or a deletion, and a put
 * records both, or an expiry, which is not a change. The result does not depend on how a stream splits or orders the writes of
 * a transaction.
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
