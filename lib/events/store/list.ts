/** Lists of events, newest first, with any combination of filters. */

import type { Caller } from '../../caller.ts';
import { idBelow } from '../../derived-ids.ts';
import { idsIn, isKept, type LogFilters, type LogRange, pageOfLog } from '../../dynamodb/indexed-log.ts';
import type { Store } from '../../dynamodb/store.ts';
import type { PlatformEvent } from '../schema.ts';
import { type EventIndex, eventLog, events, isVisible, showEvent } from './events.ts';

export type EventList = LogRange & { filters: LogFilters<EventIndex>; limit: number };

type Page = { items: PlatformEvent[]; next: string | null };

/** @returns a page, and the `begin` of the next one; null at the end */
export async function listEvents(
  store: Store,
  caller: Caller,
  { filters, limit, ...range }: EventList,
  nowMs: number,
): Promise<Page> {
  const projectId = filters.projectId ?? caller.projectIds ?? undefined;
  if (Object.values({ ...filters, projectId }).every((values) => values === undefined)) {
    const query = {
      ...idsIn('event', range),
      limit,
      filter: (event: { ttl: number }) => isKept(event, nowMs),
    };
    const { items, next } = await events.at(store).page(query);
    return { items: items.map(showEvent), next: next === null ? null : idBelow(next) };
  }
  return pageOfLog(store, eventLog, {
    filters: { ...filters, projectId },
    range,
    limit,
    nowMs,
    read: async (ids, passes) => {
      const found = await events.at(store).getMany(ids);
      // A filter by project may name one that the caller may not see.
      return found.filter((event) => passes(event) && isVisible(event, caller)).map(showEvent);
    },
  });
}
