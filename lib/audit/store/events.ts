/**
 * The audit log. An event never changes. Beside it are its origin, which expires earlier, and an entry for each value by which
 * events can be found, in a partition of that value. The event is written last, so whoever finds it finds it by all of them.
 */

import { hash } from 'node:crypto';
import { type Caller, withinProjects } from '../../caller.ts';
import { type Stored, tenantCollection, type Unstored } from '../../dynamodb/collection.ts';
import { load } from '../../dynamodb/load.ts';
import type { Store } from '../../dynamodb/store.ts';
import type { Write } from '../../dynamodb/write.ts';
import { timeOfId } from '../../ids.ts';
import { dayMs, timestamp, ttlSeconds } from '../../time.ts';
import type { AuditEvent } from '../schema.ts';
import type { Draft } from './drafts.ts';

const originDays = 90;

export type StoredEvent = Stored<Omit<AuditEvent, 'at' | 'origin'> & { ttl: number }>;
export type StoredOrigin = Stored<NonNullable<AuditEvent['origin']> & { id: string; ttl: number }>;
type StoredEntry = Stored<{ id: string; ttl: number }>;

export const indexes = ['actor', 'action', 'resourceId', 'projectId'] as const;
export type Index = (typeof indexes)[number];

export const auditEvents = tenantCollection<StoredEvent>('audit');
export const auditOrigins = tenantCollection<StoredOrigin>('audit', () => ['origins']);
/** A value can have any length and any character. Its hash fits into a key. */
export const auditEntries = tenantCollection<StoredEntry, [index: Index, value: string]>(
  'audit',
  (index, value) => ['by', index, hash('sha256', value, 'base64url')],
);

/** @returns the values by which an event is found */
export const indexedValues = ({
  actor,
  action,
  resource,
  projectId,
}: Pick<StoredEvent, 'actor' | 'action' | 'resource' | 'projectId'>): Record<Index, string | null> => ({
  actor: actor.id,
  action,
  resourceId: resource.id,
  projectId,
});

const actorKind = (id: string): AuditEvent['actor']['kind'] => {
  if (id.startsWith('key_')) return 'key';
  if (id.startsWith('sub:')) return 'token';
  return id.startsWith('worker:') ? 'worker' : 'operator';
};

type Writes = { first: Write<never>[]; last: Write<never>[] };

/**
 * @param name of the API key
 * @param days how long events are kept
 * @returns the writes of an event, in their order; none if it has expired. Repeated, they write nothing
 */
export function putEvent(
  store: Store,
  { actorId, origin, ...draft }: Draft,
  name: string | null,
  { nowMs, days }: { nowMs: number; days: number },
): Writes {
  const { id } = draft;
  const atMs = timeOfId(id);
  const ttl = ttlSeconds(atMs + days * dayMs);
  if (ttl <= nowMs / 1000) return { first: [], last: [] };
  const event: Unstored<StoredEvent> = {
    ...draft,
    actor: { kind: actorKind(actorId), id: actorId, name },
    ttl,
  };
  const originTtl = Math.min(ttl, ttlSeconds(atMs + originDays * dayMs));
  const values = indexedValues(event);
  return {
    first: [
      ...(origin ? [auditOrigins.at(store).put({ id, ...origin, ttl: originTtl })] : []),
      ...indexes.flatMap((index) => {
        const value = values[index];
        return value === null ? [] : [auditEntries.at(store, index, value).put({ id, ttl })];
      }),
    ],
    last: [auditEvents.at(store).put(event)],
  };
}

/** TTL may not have removed it yet. */
export const isKept = ({ ttl }: { ttl: number }, nowMs: number): boolean => ttl > nowMs / 1000;

/** Whether the caller may see the event: a credential that is bound to projects sees only theirs. */
export const isVisible = ({ projectId }: Pick<StoredEvent, 'projectId'>, caller: Caller): boolean =>
  withinProjects(caller, projectId === null ? null : [projectId]);

export const showEvent = (
  event: StoredEvent,
  origin: StoredOrigin | undefined,
  nowMs: number,
): AuditEvent => ({
  ...event,
  at: timestamp(timeOfId(event.id)),
  origin: origin && isKept(origin, nowMs) ? origin : null,
});

/** The event in the path, if the caller may see it. */
export const auditEventInPath = load({
  from: [auditEvents],
  read: (get, { event_id }: { event_id: string }) =>
    Promise.all([get(auditEvents, event_id), get(auditOrigins, event_id)]),
  find: ([event, origin], { caller, nowMs }: { caller: Caller; nowMs: number }) =>
    event && isKept(event, nowMs) && isVisible(event, caller) ? showEvent(event, origin, nowMs) : undefined,
});
