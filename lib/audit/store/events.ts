/**
 * An event of the audit log never changes. Beside it are its origin, which expires earlier, and an entry for each value by
 * which events can be found, in a partition of that value. The event is written last, so as soon as it exists, all its values
 * find it.
 */

import { type Caller, credentialIn, subjectIn, withinProjects } from '../../base/caller.ts';
import { idBelow, idRangeOf, timeOfId } from '../../base/ids.ts';
import { dayMs, timestamp, ttlSeconds } from '../../base/time.ts';
import { mcpAgent } from '../../base/version.ts';
import { type Stored, tenantCollection } from '../../dynamodb/collection.ts';
import {
  defineLog,
  idsIn,
  isKept,
  type LogRange,
  pageOfLog,
  putEntries,
} from '../../dynamodb/indexed-log.ts';
import { load } from '../../dynamodb/load.ts';
import type { Store } from '../../dynamodb/store.ts';
import type { Write } from '../../dynamodb/write.ts';
import type { AuditEvent } from '../schema.ts';
import type { Draft, Origin } from './drafts.ts';

export const originDays = 90;

type EventContent = Omit<AuditEvent, 'at' | 'origin'> & { ttl: number };
export type StoredEvent = Stored<EventContent>;
type StoredOrigin = Stored<Origin & { id: string; ttl: number }>;
export const indexes = ['actor', 'action', 'resourceId', 'projectId'] as const;
export type Index = (typeof indexes)[number];

const auditLog = defineLog<EventContent, Index>('audit', {
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
const auditOrigins = tenantCollection<StoredOrigin>('audit', () => ['origins']);

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

type EventFilters = { readonly [Name in Index]?: string | undefined };

export type EventList = EventFilters & LogRange & { limit: number };

type Reader = Pick<Caller, 'projectIds'>;
type Page = { items: AuditEvent[]; next: string | null };

/** @returns a page, from the newest, and the `begin` of the next page; null at the end */
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
  const { first, last } = idRangeOf('auditEvent');
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
