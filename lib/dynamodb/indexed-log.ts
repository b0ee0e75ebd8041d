/**
 * A log: items of a tenant, sorted by time, that can be found by some of their values, and by any combination of them. For
 * each such value there is an entry in a partition of that value. An item is written after its entries, so a reader who finds
 * it finds it by all of them.
 */

import { hash } from 'node:crypto';
import { idBelow } from '../base/derived-ids.ts';
import { firstIdAt, type IdKind, idRangeOf } from '../base/ids.ts';
import { type Collection, type Stored, tenantCollection } from './collection.ts';
import { type Budget, intersect, openSource, type Source } from './intersection.ts';
import { fitting, type Store } from './store.ts';
import type { TableName } from './tables.ts';
import type { Write } from './write.ts';

type StoredEntry = Stored<{ id: string; ttl: number }>;
/** The attributes of an item. */
type Content = { id: string; ttl: number };

export type Log<Kind extends Content, Index extends string> = {
  idKind: IdKind;
  items: Collection<Stored<Kind>, [], Store>;
  entries: Collection<StoredEntry, [index: Index, value: string], Store>;
  indexes: readonly Index[];
  /** @returns the values by which an item is found */
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

/** @returns the writes of the entries of an item. They come before the item */
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

/** TTL may not have removed it yet. */
export const isKept = ({ ttl }: Pick<Content, 'ttl'>, nowMs: number): boolean => ttl > nowMs / 1000;

/** The values that an item must have one of, by the name of the index. Undefined for any. */
export type LogFilters<Index extends string> = {
  readonly [Name in Index]?: readonly string[] | undefined;
};

export type LogRange = {
  /** Epoch milliseconds; `from` is inclusive, `to` exclusive. */
  fromMs: number | undefined;
  toMs: number | undefined;
  /** The greatest id of the page, where the previous one has ended. */
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

/** The number of entries and items that a request reads. The cursor continues from there. */
const maxRead = 1000;

type LogQuery<Kind extends Content, Index extends string, Shown> = {
  filters: LogFilters<Index>;
  range: LogRange;
  limit: number;
  nowMs: number;
  /** @returns those of the items that exist and pass, as they are returned, in any order. An entry may be there before its item */
  read(ids: readonly string[], passes: (item: Stored<Kind>) => boolean): Promise<readonly Shown[]>;
};

/**
 * @param query has at least one filter
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
    const wanted = filters[index]?.map((value) =>
      openSource(store, {
        table: log.items.table,
        partition: log.entries.partition(index, value),
        from,
        budget,
        pageSize: limit,
      }),
    );
    return wanted ? [{ source: anyOf(wanted), exact: true }] : [];
  });
  const places = intersect(sources, to, idBelow);
  const passes = (item: Stored<Kind>) => {
    const values = log.valuesOf(item);
    return (
      isKept(item, nowMs) &&
      log.indexes.every((index) => {
        const wanted = filters[index];
        const value = values[index];
        return wanted === undefined || (value !== null && wanted.includes(value));
      })
    );
  };
  const items: Shown[] = [];
  let next: string | null | undefined;
  // One more than `limit` tells whether there is a next page.
  while (next === undefined && items.length <= limit) {
    const ids: string[] = [];
    while (next === undefined && ids.length <= limit) {
      const { done, value } = await places.next();
      if (done) next = value;
      else ids.push(value.place);
    }
    budget.left -= ids.length;
    const shown = ids.length === 0 ? [] : await read(ids, passes);
    items.push(...shown.toSorted((a, b) => (a.id < b.id ? 1 : -1)));
  }
  const page = items.slice(0, Math.min(limit, fitting(items)));
  const end = page.at(-1);
  return { items: page, next: items.length > page.length && end ? idBelow(end.id) : (next ?? null) };
}

/** The positions that are in any of the sources. */
function anyOf(sources: readonly Source[]): Source {
  const [only] = sources;
  if (only && sources.length === 1) return only;
  return {
    async upTo(bound) {
      const reached = await Promise.all(sources.map((source) => source.upTo(bound)));
      let highest: string | null = null;
      for (const place of reached) {
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
