/**
 * A log has items of a tenant, sorted by time. They can be found by some of their values, and by any combination of these
 * values. For each such value there is an entry in a partition of that value. An item is written after its entries, so a reader
 * who finds it by one value finds it by all of them.
 */

import { hash } from 'node:crypto';
import { firstIdAt, type IdKind, idBelow, idRangeOf } from '../base/ids.ts';
import { type Collection, type Stored, tenantCollection } from './collection.ts';
import { type Budget, intersect, openSource, type Source } from './intersection.ts';
import { fitting, type Store } from './store.ts';
import type { TableName } from './tables.ts';
import type { Write } from './write.ts';

type StoredEntry = Stored<{ id: string; ttl: number }>;
type Content = { id: string; ttl: number };

export type Log<Kind extends Content, Index extends string> = {
  idKind: IdKind;
  items: Collection<Stored<Kind>, [], Store>;
  entries: Collection<StoredEntry, [index: Index, value: string], Store>;
  indexes: readonly Index[];
  valuesOf(item: Kind): Readonly<Record<Index, string | null>>;
};

/** @param valuesOf returns the values by which an item is found, by the name of the index */
export const defineLog = <Kind extends Content, Index extends string>(
  table: TableName,
  { idKind, indexes, valuesOf }: Pick<Log<Kind, Index>, 'idKind' | 'indexes' | 'valuesOf'>,
): Log<Kind, Index> => ({
  idKind,
  items: tenantCollection<Stored<Kind>>(table),
  // A value can have any length and any character. Its hash fits into a key.
  entries: tenantCollection<StoredEntry, [index: Index, value: string]>(table, (index, value) => [
    'by',
    index,
    hash('sha256', value, 'base64url'),
  ]),
  indexes,
  valuesOf,
});

/** @returns the writes of the entries of an item, which come before the write of the item */
export function putEntries<Kind extends Content, Index extends string>(
  { entries, indexes, valuesOf }: Log<Kind, Index>,
  store: Store,
  item: Kind,
): Write<never>[] {
  const { id, ttl } = item;
  const values = valuesOf(item);
  return indexes.flatMap((index) => {
    const value = values[index];
    return value === null
      ? []
      : [entries.at(store, index, value).put({ id, ttl }, { condition: { kind: 'any' } })];
  });
}

/** @returns whether the item has not expired. TTL may not have removed an expired item yet */
export const isKept = ({ ttl }: Pick<Content, 'ttl'>, nowMs: number): boolean => ttl > nowMs / 1000;

/** An item must have one of these values, by the name of the index. Without a list, it may have any. */
export type LogFilters<Index extends string> = {
  readonly [Name in Index]?: readonly string[] | undefined;
};

export type LogRange = {
  /** `fromMs` is inclusive, and `toMs` exclusive. */
  fromMs: number | undefined;
  toMs: number | undefined;
  /** The greatest id of the page: the previous page has ended above it. */
  begin: string | undefined;
};

/** @returns the first and the last id, inclusive */
export function idsIn(kind: IdKind, { fromMs, toMs, begin }: LogRange): { from: string; to: string } {
  const { first, last } = idRangeOf(kind);
  return {
    from: fromMs === undefined ? first : firstIdAt(kind, fromMs),
    to: begin ?? (toMs === undefined ? last : idBelow(firstIdAt(kind, toMs))),
  };
}

/** A request reads at most so many entries and items. The cursor continues from there. */
const maxRead = 1000;

type LogQuery<Kind extends Content, Index extends string, Shown> = {
  filters: LogFilters<Index>;
  range: LogRange;
  limit: number;
  nowMs: number;
  /** @returns the items that exist and pass, for the response, in any order. An entry may exist before its item */
  read(ids: readonly string[], passes: (item: Stored<Kind>) => boolean): Promise<readonly Shown[]>;
};

/**
 * @param query a query with at least one filter
 * @returns the items that pass all filters, newest first, and the `begin` of the next page; null at the end
 */
export async function pageOfLog<Kind extends Content, Index extends string, Shown extends { id: string }>(
  store: Store,
  log: Log<Kind, Index>,
  { filters, range, limit, nowMs, read }: LogQuery<Kind, Index, Shown>,
): Promise<{ items: Shown[]; next: string | null }> {
  const { from, to } = idsIn(log.idKind, range);
  if (from > to) return { items: [], next: null };
  const budget: Budget = { left: maxRead };
  const sources = log.indexes.flatMap((index) => {
    const sourcesOfValues = filters[index]?.map((value) =>
      openSource(store, {
        table: log.items.table,
        partition: log.entries.partition(index, value),
        from,
        budget,
        pageSize: limit,
      }),
    );
    return sourcesOfValues ? [{ source: anyOf(sourcesOfValues), exact: true }] : [];
  });
  const places = intersect(sources, to, idBelow);
  const passes = (item: Stored<Kind>) => {
    const values = log.valuesOf(item);
    return (
      isKept(item, nowMs) &&
      log.indexes.every((index) => {
        const allowedValues = filters[index];
        const value = values[index];
        return allowedValues === undefined || (value !== null && allowedValues.includes(value));
      })
    );
  };
  const items: Shown[] = [];
  let next: string | null | undefined;
  // One more item than `limit` shows whether there is a next page.
  while (next === undefined && items.length <= limit) {
    const ids: string[] = [];
    while (next === undefined && ids.length <= limit) {
      const { done, value } = await places.next();
      if (done) next = value;
      else ids.push(value.place);
    }
    budget.left -= ids.length;
    const batch = ids.length === 0 ? [] : await read(ids, passes);
    items.push(...batch.toSorted((a, b) => (a.id < b.id ? 1 : -1)));
  }
  const page = items.slice(0, Math.min(limit, fitting(items)));
  const end = page.at(-1);
  return { items: page, next: items.length > page.length && end ? idBelow(end.id) : (next ?? null) };
}

/** @returns a source with the positions that are in any of the sources */
function anyOf(sources: readonly Source[]): Source {
  const [only] = sources;
  if (only && sources.length === 1) return only;
  return {
    async upTo(bound) {
      const positions = await Promise.all(sources.map((source) => source.upTo(bound)));
      let highest: string | null = null;
      for (const place of positions) {
        if (place === undefined) return undefined;
        if (place !== null && (highest === null || place > highest)) highest = place;
      }
      return highest;
    },
    item: () => undefined,
    wasted: () => 0,
    reached: () => '',
  };
}
