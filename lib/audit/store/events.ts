/**
 * An event of the audit log never changes. Beside it are its origin, which expires earlier, and an entry for each value by
 * which events can be found, in a partition of that value. The event is written last, so as soon as it exists, all its values
 * find it.
 */

import { type Caller, credentialIn, subjectIn, withinProjects } from '../../base/caller.ts';
import { timeOfId } from '../../base/ids.ts';
import { dayMs, timestamp, ttlSeconds } from '../../base/time.ts';
import { mcpAgent } from '../../base/version.ts';
import { type Stored, tenantCollection } from '../../dynamodb/collection.ts';
import { defineLog, isKept, putEntries } from '../../dynamodb/indexed-log.ts';
import { load } from '../../dynamodb/load.ts';
import type { Store } from '../../dynamodb/store.ts';
import type { Write } from '../../dynamodb/write.ts';
import type { AuditEvent } from '../schema.ts';
import type { Draft, Origin } from './drafts.ts';

export const originDays = 90;

type EventContent = Omit<AuditEvent, 'at' | 'origin'> & { ttl: number };
export type StoredEvent = Stored<EventContent>;
export type StoredOrigin = Stored<Origin & { id: string; ttl: number }>;
export const indexes = ['actor', 'action', 'resourceId', 'projectId'] as const;
export type Index = (typeof indexes)[number];

export const auditLog = defineLog<EventContent, Index>('audit', {
  idKind: 'auditEvent',
  indexes,
  valuesOf: ({ actor, action, resource, projectId }) => ({
    actor: actor.id,
    action,
    resourceId: resource.id,
    projectId,
  }),
});
export const auditEvents = auditLog.items;
export const auditOrigins = tenantCollection<StoredOrigin>('audit', () => ['origins']);

const actorKind = (id: string): AuditEvent['actor']['kind'] => {
  if (id.startsWith('key_')) return 'key';
  if (id.startsWith('wid_')) return 'identity';
  if (id.startsWith('sub:')) return 'token';
  return id.startsWith('worker:') ? 'worker' : 'operator';
};

type Writes = { first: Write<never>[]; last: Write<never>[] };

/**
 * @param name of the API key or of the workload identity
 * @param days how long events are kept
 * @returns the writes of an event, in their order; empty if it has expired. Repeated writes change nothing
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
  const event: EventContent = {
    ...draft,
    actor: { kind: actorKind(actorId), id: credentialIn(actorId), subject: subjectIn(actorId), name },
    ttl,
  };
  const originTtl = Math.min(ttl, ttlSeconds(atMs + originDays * dayMs));
  return {
    first: [
      ...(origin ? [auditOrigins.at(store).put({ id, ...origin, ttl: originTtl })] : []),
      ...putEntries(auditLog, store, event),
    ],
    last: [auditEvents.at(store).put(event)],
  };
}

/** @returns whether the caller may see the event. A credential that is bound to projects sees only their events */
export const isVisible = (
  { projectId }: Pick<StoredEvent, 'projectId'>,
  caller: Pick<Caller, 'projectIds'>,
): boolean => withinProjects(caller, projectId === null ? null : [projectId]);

export const showEvent = (
  event: StoredEvent,
  origin: StoredOrigin | undefined,
  nowMs: number,
): AuditEvent => ({
  ...event,
  at: timestamp(timeOfId(event.id)),
  origin: origin && isKept(origin, nowMs) ? { ...origin, via: viaOf(origin.userAgent) } : null,
});

/** @returns through which interface of the API a request came, as its sender claims */
const viaOf = (userAgent: string | null): 'mcp' | null => (userAgent?.startsWith(mcpAgent) ? 'mcp' : null);

/** The event in the path, if the caller may see it. */
export const auditEventInPath = load({
  from: [auditEvents],
  read: (get, { event_id }: { event_id: string }) =>
    Promise.all([get(auditEvents, event_id), get(auditOrigins, event_id)]),
  find: ([event, origin], { caller, nowMs }: { caller: Caller; nowMs: number }) =>
    event && isKept(event, nowMs) && isVisible(event, caller) ? showEvent(event, origin, nowMs) : undefined,
});
