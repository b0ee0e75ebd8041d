/** Lists of events are sorted from the newest, with any combination of filters. */

import type { Caller } from '../../base/caller.ts';
import { idBelow, idRangeOf } from '../../base/ids.ts';
import { idsIn, isKept, type LogRange, pageOfLog } from '../../dynamodb/indexed-log.ts';
import type { Store } from '../../dynamodb/store.ts';
import type { AuditEvent } from '../schema.ts';
import {
  auditEvents,
  auditLog,
  auditOrigins,
  type Index,
  indexes,
  isVisible,
  type StoredOrigin,
  showEvent,
} from './events.ts';

type EventFilters = { readonly [Name in Index]?: string | undefined };

export type EventList = EventFilters & LogRange & { limit: number };

type Reader = Pick<Caller, 'projectIds'>;
type Page = { items: AuditEvent[]; next: string | null };

const { first, last } = idRangeOf('auditEvent');

/** @returns a page, and the `begin` of the next page; null at the end */
export function listEvents(store: Store, caller: Reader, list: EventList, nowMs: number): Promise<Page> {
  const { limit } = list;
  const isFiltered = indexes.some((index) => list[index] !== undefined);
  if (!isFiltered && caller.projectIds === null) return listAll(store, list, nowMs);
  const only = (index: Index) => (list[index] === undefined ? undefined : [list[index]]);
  return pageOfLog(store, auditLog, {
    filters: {
      actor: only('actor'),
      action: only('action'),
      resourceId: only('resourceId'),
      projectId: only('projectId') ?? caller.projectIds ?? undefined,
    },
    range: list,
    limit,
    nowMs,
    read: async (ids, passes) => {
      const [events, origins] = await Promise.all([
        auditEvents.at(store).getMany(ids),
        auditOrigins.at(store).getMany(ids),
      ]);
      const originsById = byId(origins);
      return (
        events
          // A filter by project may name a project that the caller may not see.
          .filter((event) => passes(event) && isVisible(event, caller))
          .map((event) => showEvent(event, originsById.get(event.id), nowMs))
      );
    },
  });
}

/** Events and origins have the same ids, so both are read at once. */
async function listAll(store: Store, list: EventList, nowMs: number): Promise<Page> {
  const query = { ...idsIn('auditEvent', list), limit: list.limit };
  const [page, origins] = await Promise.all([
    auditEvents.at(store).page({ ...query, filter: (event) => isKept(event, nowMs) }),
    auditOrigins.at(store).page(query),
  ]);
  const originsById = byId(origins.items);
  // Origins are written before their events, so there may be more of them.
  const lowest = origins.next === null ? first : (origins.items.at(-1)?.id ?? last);
  const beyond = page.items.map(({ id }) => id).filter((id) => id < lowest);
  const lowerOrigins = byId(beyond.length > 0 ? await auditOrigins.at(store).getMany(beyond) : []);
  return {
    items: page.items.map((event) =>
      showEvent(event, originsById.get(event.id) ?? lowerOrigins.get(event.id), nowMs),
    ),
    next: page.next === null ? null : idBelow(page.next),
  };
}

const byId = (origins: readonly StoredOrigin[]) => new Map(origins.map((origin) => [origin.id, origin]));
