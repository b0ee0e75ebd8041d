/**
 * Events are stored for 30 days. An event has a copy of its resource, which an erasure reduces to the id. It can be found by
 * its type, its resource and its project.
 */

import { type Caller, withinProjects } from '../../base/caller.ts';
import { idBelow, timeOfId } from '../../base/ids.ts';
import { pagesOf } from '../../base/pages.ts';
import { missingScopes } from '../../base/scopes.ts';
import { dayMs, timestamp } from '../../base/time.ts';
import type { Stored } from '../../dynamodb/collection.ts';
import {
  defineLog,
  idsIn,
  isKept,
  type LogFilters,
  type LogRange,
  pageOfLog,
  putEntries,
} from '../../dynamodb/indexed-log.ts';
import { load } from '../../dynamodb/load.ts';
import type { Store } from '../../dynamodb/store.ts';
import type { Item, Write } from '../../dynamodb/write.ts';
import type { Checkpoint } from '../../workers/turn.ts';
import type { WorkerInput } from '../../workers/worker.ts';
import type { PlatformEvent } from '../schema.ts';
import { mayReadEvent, readableTypes, scopesOfTypes } from '../scopes.ts';

export { isKept };

export const eventDays = 30;
export const eventRetentionMs = eventDays * dayMs;

export type EventContent = Omit<PlatformEvent, 'timestamp' | 'data'> & {
  /** The resource is JSON, because a map in the table would lose the order of its fields. */
  data: string;
  /** The id of the resource, or the name of an environment. */
  resourceId: string;
  ttl: number;
};
export type StoredEvent = Stored<EventContent>;
type EventIndex = 'type' | 'resourceId' | 'projectId';

/** @returns the remaining data of a removed resource */
export const redactedData = (resourceId: string): string => JSON.stringify({ id: resourceId });

const eventLog = defineLog<EventContent, EventIndex>('events', {
  idKind: 'event',
  indexes: ['type', 'resourceId', 'projectId'],
  valuesOf: ({ type, resourceId, projectId }) => ({ type, resourceId, projectId }),
});
export const events = eventLog.items;
const eventEntries = eventLog.entries;

/** @returns the writes of the entries that lead to an event */
export const putEventEntries = (store: Store, event: EventContent): Write<never>[] =>
  putEntries(eventLog, store, event);

/** @returns whether the caller may see the event. A credential that is bound to projects sees only their events */
export const isVisible = ({ projectId }: Pick<EventContent, 'projectId'>, caller: Caller): boolean =>
  withinProjects(caller, projectId === null ? null : [projectId]);

export const showEvent = ({ id, type, projectId, data }: EventContent): PlatformEvent => ({
  id,
  type,
  timestamp: timestamp(timeOfId(id)),
  projectId,
  data: JSON.parse(data) as PlatformEvent['data'],
});

/** The event in the path, if the caller may see it. */
export const eventInPath = load({
  from: [events],
  read: (get, { event_id }: { event_id: string }) => get(events, event_id),
  find: (event, { caller, nowMs }: { caller: Caller; nowMs: number }) =>
    event && isKept(event, nowMs) && isVisible(event, caller) ? showEvent(event) : undefined,
});

export type EventList = LogRange & { filters: LogFilters<EventIndex>; limit: number };

type Page = { items: PlatformEvent[]; next: string | null };

/**
 * Lists events from the newest, with any combination of filters. If a caller may not read all types, the list uses the index by
 * type. Otherwise, the list would read, and then skip, events that this caller may not see.
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

const pageSize = 100;

/**
 * Reduces the events of a resource to its id. Call it only after the wait of lib/runtime/fence.ts: a worker that read the
 * resource before the erasure then no longer writes.
 */
export async function eraseFromEvents(
  store: Store,
  resourceId: string,
  input: Pick<WorkerInput, 'writeEach'>,
  { after: begin, save }: Checkpoint,
): Promise<void> {
  const entries = eventEntries.at(store, 'resourceId', resourceId);
  const readPage = (after = begin || undefined) => entries.page({ order: 'oldest', after, limit: pageSize });
  for await (const items of pagesOf(readPage)) {
    const storedEvents = await events.at(store).getMany(items.map(({ id }) => id));
    const data = redactedData(resourceId);
    const writes = storedEvents
      .filter((event) => event.data !== data)
      .map((event) => events.at(store).put({ ...event, data }, { condition: { kind: 'any' } }));
    await input.writeEach(writes);
    const last = items.at(-1);
    if (last) await save(last.id);
  }
}

/** @returns whether there are events of the resource */
export const hasEvents = async (store: Store, resourceId: string): Promise<boolean> =>
  (await eventEntries.at(store, 'resourceId', resourceId).page({ limit: 1 })).items.length > 0;

/** The purge of a project starts from the entries of its events. Other items are removed before each entry. */
export const eventsOfProject = (projectId: string) =>
  ({ table: 'events', partition: eventEntries.partition('projectId', projectId) }) as const;

/** @returns the removal of the event that the entry leads to, and of its other entries */
export async function removalsOfEvent(store: Store, { id }: Item): Promise<Write<never>[]> {
  const event = await events.at(store).get(id);
  if (!event) return [];
  const condition = { kind: 'any' } as const;
  return [
    eventEntries.at(store, 'type', event.type).remove(id, { condition }),
    eventEntries.at(store, 'resourceId', event.resourceId).remove(id, { condition }),
    events.at(store).remove(id, { condition }),
  ];
}
