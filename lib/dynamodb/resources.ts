/**
 * Resources: the items that callers know, as the tables declare them. A resource can move between partitions. When it is
 * deleted, a tombstone takes its place in the partition `gone`.
 */

import { type TableDefinition, type TableName, tables } from './tables.ts';

export const gonePlace = 'gone';

export type Resource = {
  /** The partition key of what it belongs to: an organisation, a tenant or a project. */
  home: string;
  id: string;
  /** The rest of its partition key: `''`, or a name such as `deleted`; `gone` for its tombstone. */
  place: string;
};

/** The number of parts of a partition key, `org_…#live#proj_…`. */
const depths = { organisation: 1, tenant: 2, project: 3 } as const;

/** @returns the resource at this place, or the one whose tombstone is there; undefined for a helper item */
export function resourceAt(
  table: TableName,
  { tenant, id }: { tenant: string; id: string },
): Resource | undefined {
  const { resources }: TableDefinition = tables[table];
  if (!resources) return undefined;
  const { level, places } = resources;
  const parts = tenant.split('#');
  const place = parts.slice(depths[level]).join('#');
  const isPlace = ([prefix, names]: [string, readonly string[]]) =>
    id.startsWith(prefix) && (place === gonePlace || names.includes(place));
  if (parts.length < depths[level] || !Object.entries(places).some(isPlace)) return undefined;
  return { home: parts.slice(0, depths[level]).join('#'), id, place };
}

/** Identifies a resource of a table, wherever it is. */
export const resourceKey = ({ home, id }: Resource): string => `${home}/${id}`;
