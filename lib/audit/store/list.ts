/** Lists of events, newest first, with any combination of filters. */

import type { Caller } from '../../caller.ts';
import { type Budget, intersect, openSource, type Source } from '../../dynamodb/intersection.ts';
import type { Store } from '../../dynamodb/store.ts';
import { firstIdAt, idRangeOf } from '../../ids.ts';
import type { AuditEvent } from '../schema.ts';
import { idBelow } from './event-id.ts';
import {
  auditEntries,
  auditEvents,
  auditOrigins,
  type Index,
  indexedValues,
  indexes,
  isKept,
  isVisible,
  type StoredEvent,
  type StoredOrigin,
  showEvent,
} from './events.ts';

export type EventFilters = { readonly [Name in Index]?: string | undefined };

export type EventList = EventFilters & {
  /** Epoch milliseconds; `from` is inclusive, `to` exclusive. */
  fromMs: number | undefined;
  toMs: number | undefined;
  /** The greatest id of the page. */
  begin: string | undefined;
  limit: number;
};

type Page = { items: AuditEvent[]; next: string | null };
type Range = { from: string; to: string };

/** The number of index entries and events that a request reads. The cursor continues from there. */
const maxRead = 1000;

const { first, last } = idRangeOf('auditEvent');

/** @returns a page, and the `begin` of the next one; null at the end */
export function listEvents(store: Store, caller: Caller, list: EventList, nowMs: number): Promise<Page> {
  const { fromMs, toMs } = list;
  const range = {
    from: fromMs === undefined ? first : firstIdAt('auditEvent', fromMs),
    to: list.begin ?? (toMs === undefined ? last : idBelow(firstIdAt('auditEvent', toMs))),
  };
  const isFiltered = indexes.some((index) => list[index] !== undefined);
  return isFiltered || caller.projectIds !== null
    ? listFiltered(store, caller, list, range, nowMs)
    : listAll(store, list, range, nowMs);
}

/** Events and origins have the same ids, so both are read at once. */
async function listAll(
  store: Store,
  { limit }: EventList,
  { from, to }: Range,
  nowMs: number,
): Promise<Page> {
  const query = { from, to, limit };
  const [page, origins] = await Promise.all([
    auditEvents.at(store).page({ ...query, filter: (event) => isKept(event, nowMs) }),
    auditOrigins.at(store).page(query),
  ]);
  const known = byId(origins.items);
  // Origins are written before their events, so there may be more of them.
  const lowest = origins.next === null ? first : (origins.items.at(-1)?.id ?? last);
  const beyond = page.items.map(({ id }) => id).filter((id) => id < lowest);
  const others = byId(beyond.length > 0 ? await auditOrigins.at(store).getMany(beyond) : []);
  return {
    items: page.items.map((event) => showEvent(event, known.get(event.id) ?? others.get(event.id), nowMs)),
    next: page.next === null ? null : idBelow(page.next),
  };
}

const byId = (origins: readonly StoredOrigin[]) => new Map(origins.map((origin) => [origin.id, origin]));

async function listFiltered(
  store: Store,
  caller: Caller,
  list: EventList,
  { from, to }: Range,
  nowMs: number,
): Promise<Page> {
  if (from > to) return { items: [], next: null };
  const { limit } = list;
  const budget: Budget = { left: maxRead };
  const open = (index: Index, value: string): Source => {
    const partition = auditEntries.partition(index, value);
    return openSource(store, { table: 'audit', partition, from, budget, pageSize: limit });
  };
  const filters = indexes.flatMap((index) => {
    const value = list[index];
    return value === undefined ? [] : [open(index, value)];
  });
  // A filter by project is checked with each event.
  const isBound = caller.projectIds !== null && list.projectId === undefined;
  const projects = isBound ? [anyOf((caller.projectIds ?? []).map((id) => open('projectId', id)))] : [];
  const sources = [...filters, ...projects].map((source) => ({ source, exact: true }));
  const places = intersect(sources, to, idBelow);
  const matches = (event: StoredEvent) => {
    const values = indexedValues(event);
    const isWanted = indexes.every((index) => list[index] === undefined || list[index] === values[index]);
    return isWanted && isKept(event, nowMs) && isVisible(event, caller);
  };
  const items: AuditEvent[] = [];
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
    items.push(...(await readEvents(store, ids, matches, nowMs)));
  }
  const shown = items.slice(0, limit);
  const end = shown.at(-1);
  return { items: shown, next: items.length > limit && end ? idBelow(end.id) : (next ?? null) };
}

/** @returns those of the events that match, newest first. An entry may be there before its event. */
async function readEvents(
  store: Store,
  ids: readonly string[],
  matches: (event: StoredEvent) => boolean,
  nowMs: number,
): Promise<AuditEvent[]> {
  if (ids.length === 0) return [];
  const [events, origins] = await Promise.all([
    auditEvents.at(store).getMany(ids),
    auditOrigins.at(store).getMany(ids),
  ]);
  const known = byId(origins);
  return events
    .filter(matches)
    .sort((a, b) => (a.id < b.id ? 1 : -1))
    .map((event) => showEvent(event, known.get(event.id), nowMs));
}

/** The positions that are in any of the sources. */
const anyOf = (sources: readonly Source[]): Source => ({
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
});
