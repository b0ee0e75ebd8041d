/** Lists of events are sorted from the newest, with any combination of filters. */

import type { Caller } from '../../base/caller.ts';
import { idBelow } from '../../base/ids.ts';
import { missingScopes } from '../../base/scopes.ts';
import { idsIn, isKept, type LogFilters, type LogRange, pageOfLog } from '../../dynamodb/indexed-log.ts';
import type { Store } from '../../dynamodb/store.ts';
import type { PlatformEvent } from '../schema.ts';
import { mayReadEvent, readableTypes, scopesOfTypes } from '../scopes.ts';
import { type EventIndex, eventLog, events, isVisible, showEvent } from './events.ts';

export type EventList = LogRange & { filters: LogFilters<EventIndex>; limit: number };

type Page = { items: PlatformEvent[]; next: string | null };

/**
 * If a caller may not read all types, the list uses the index by type. Otherwise, the list would read, and then skip, events
 * that this caller may not see.
 * @returns a page of the events that the caller may read, and the `begin` of the next page; null at the end
 */
export async function listEvents(
  store: Store,
  caller: Caller,
  { filters, limit, ...range }: EventList,
  nowMs: number,
): Promise<Page> {
  const projectId = filters.projectId ?? caller.projectIds ?? undefined;
  const readable = readableTypes(caller.scopes);
  const isAll = missingScopes(caller.scopes, scopesOfTypes(['*'])).length === 0;
  const type = isAll ? filters.type : readable.filter((name) => filters.type?.includes(name) ?? true);
  if (Object.values({ ...filters, projectId, type }).every((values) => values === undefined)) {
    const query = {
      ...idsIn('event', range),
      limit,
      filter: (event: { ttl: number }) => isKept(event, nowMs),
    };
    const { items, next } = await events.at(store).page(query);
    return { items: items.map(showEvent), next: next === null ? null : idBelow(next) };
  }
  return pageOfLog(store, eventLog, {
    filters: { ...filters, projectId, type },
    range,
    limit,
    nowMs,
    read: async (ids, passes) => {
      const storedEvents = await events.at(store).getMany(ids);
      // A filter by project may name a project that the caller may not see.
      const visibleEvents = storedEvents
        .filter((event) => passes(event) && isVisible(event, caller))
        .map(showEvent);
      // A caller may be allowed to read only some events of a type.
      return visibleEvents.filter((event) => mayReadEvent(caller.scopes, event));
    },
  });
}
