/**
 * Events are stored for 30 days. An event has a copy of its resource, which an erasure reduces to the id. It can be found by
 * its type, its resource and its project.
 */

import { type Caller, withinProjects } from '../../base/caller.ts';
import { timeOfId } from '../../base/ids.ts';
import { dayMs, timestamp } from '../../base/time.ts';
import type { Stored } from '../../dynamodb/collection.ts';
import { defineLog, isKept, putEntries } from '../../dynamodb/indexed-log.ts';
import { load } from '../../dynamodb/load.ts';
import type { Store } from '../../dynamodb/store.ts';
import type { Write } from '../../dynamodb/write.ts';
import type { PlatformEvent } from '../schema.ts';

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
export type EventIndex = 'type' | 'resourceId' | 'projectId';

/** @returns the remaining data of a removed resource */
export const redactedData = (resourceId: string): string => JSON.stringify({ id: resourceId });

export const eventLog = defineLog<EventContent, EventIndex>('events', {
  idKind: 'event',
  indexes: ['type', 'resourceId', 'projectId'],
  valuesOf: ({ type, resourceId, projectId }) => ({ type, resourceId, projectId }),
});
export const events = eventLog.items;
export const eventEntries = eventLog.entries;

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
