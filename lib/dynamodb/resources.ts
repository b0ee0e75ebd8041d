/**
 * Resources are the items that callers know, as the tables declare them. A resource can move between partitions. When it is
 * deleted, a tombstone takes its place in the partition `gone`. All other items are helpers. A few helpers are traced.
 */

import { type TableDefinition, type TableName, tables } from './tables.ts';

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
  const { home, place } = keyParts;
  const { places } = resources;
  for (const prefix in places) {
    if (id.startsWith(prefix) && (place === gonePlace || places[prefix]?.includes(place)))
      return { home, id, place };
  }
  return undefined;
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
