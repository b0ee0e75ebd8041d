/**
 * Due work and its times, in the table `schedule`. The items that are due in the same minute share a partition, which belongs
 * to no tenant. So the scheduler finds them without a search, and the many items of one tenant do not hide the few items of
 * another.
 *
 * Each due item has an entry in the partition of the item that has the time. The entry contains the time, so that the time can
 * be changed, and so that an erasure or a purge finds it. One transaction writes both.
 */

import type { Tenant } from '../base/caller.ts';
import { minuteMs } from '../base/time.ts';
import { type Stored, tenantCollection, unchanged } from '../dynamodb/collection.ts';
import type { Page, Partition, Store } from '../dynamodb/store.ts';
import type { TableName } from '../dynamodb/tables.ts';
import type { Write } from '../dynamodb/write.ts';
import type { Notice } from './notice.ts';

/** The worker gets a notice that this item is due. At most one time is set for a worker and an item. */
export type Target = { worker: string; table: TableName; partition: Partition; id: string };

/** Its id has everything else: `<due ms>#<worker>#<tenant>#<partition…>#<id>`. So repeating a write changes nothing. */
export type DueItem = Stored<{ id: string; table: TableName }>;
/** Its id is `<worker>#<id>`. */
export type Entry = Stored<{ id: string; dueMs: number }>;

/** The part of a partition key where a tenant's items have the tenant. */
export const dueTenant = 'due';
export const dueItems = tenantCollection<DueItem, [minute: string]>('schedule', (minute) => [minute]);
export const entries = tenantCollection<Entry, string[]>('schedule', (...partition) => partition);

/** @returns the partition of a time: its minute in UTC, `2026-11-21T22:05` */
export const minuteOf = (ms: number): string =>
  new Date(Math.floor(ms / minuteMs) * minuteMs).toISOString().slice(0, 16);

/** The time of work that waits for the end of a suspension: no other time is as late. */
export const untilResumedMs = 9_999_999_999_999;

/** Waiting work, in the partition of its tenant. It has the same ids and attributes as due work. */
const waitingItems = tenantCollection<DueItem>('schedule', () => [waitingPart]);
const waitingPart = 'waiting';
const waitingAtOnce = 500;

/**
 * How much waiting work was released with times from `fromMs` to a minute later. It is counted before it is released, in the
 * partition of the live tenant, for both modes.
 */
type StoredRelease = Stored<{ id: typeof releaseId; fromMs: number; count: number; ttl: number }>;
export const releaseId = 'release';
export const releases = tenantCollection<StoredRelease>('schedule', () => ['released']);

/** 13 digits, until the year 2286. */
export const timeKey = (ms: number): string => String(ms).padStart(13, '0');

const entryId = ({ worker, id }: Target): string => `${worker}#${id}`;

/** The ids of workers and of scheduled items contain no separator. */
function dueKey({ tenant, id }: { tenant: string; id: string }, dueMs: number) {
  const [worker, itemId] = id.split('#');
  const owner = tenant.split('#').slice(0, 2).join('#');
  return {
    tenant: dueMs === untilResumedMs ? `${owner}#${waitingPart}` : `${dueTenant}#${minuteOf(dueMs)}`,
    id: [timeKey(dueMs), worker, tenant, itemId].join('#'),
  };
}

const unconditional = { condition: { kind: 'any' }, onConditionFailed: 'retry' } as const;

/** @returns the write that removes the due item of an entry */
export const removeDue = (entry: Pick<Entry, 'tenant' | 'id' | 'dueMs'>): Write<never> => ({
  action: 'DeleteItem',
  table: 'schedule',
  key: dueKey(entry, entry.dueMs),
  ...unconditional,
});

/**
 * @param nowMs an item that is due in less than a minute is written again: the scheduler's clock may be ahead, and the item may have
 *   been sent already
 * @returns the writes that set the time of a target; empty if it is already set to that time. They fail if another run has
 *   changed it
 */
export async function setDue(
  store: Store,
  target: Target,
  dueMs: number,
  nowMs: number,
): Promise<Write<never>[]> {
  const items = entries.at(store, ...target.partition);
  const entry = await items.get(entryId(target));
  if (entry?.dueMs === dueMs && dueMs > nowMs + minuteMs) return [];
  const condition = entry ? unchanged(entry) : ({ kind: 'absent' } as const);
  const put = items.put({ id: entryId(target), dueMs }, { condition });
  const due = putDue(put.key, dueMs, target.table);
  return entry && entry.dueMs !== dueMs ? [put, removeDue(entry), due] : [put, due];
}

/** @returns whether the target has a time, or waits for the end of a suspension */
export const isScheduled = async (store: Store, target: Target): Promise<boolean> =>
  (await entries.at(store, ...target.partition).get(entryId(target))) !== undefined;

const putDue = (key: { tenant: string; id: string }, dueMs: number, table: TableName): Write<never> => ({
  action: 'PutItem',
  table: 'schedule',
  key: dueKey(key, dueMs),
  attributes: { table },
  ...unconditional,
});

/** @returns the first items of the tenant that wait for the end of a suspension */
export const pageWaiting = (store: Store): Promise<Page<DueItem>> =>
  waitingItems.at(store).page({ order: 'oldest', limit: waitingAtOnce });

/** @returns the writes after which a target that waits is due. They fail if another run has changed its time */
export async function releaseWaiting(store: Store, target: Target, dueMs: number): Promise<Write<never>[]> {
  const items = entries.at(store, ...target.partition);
  const id = entryId(target);
  const entry = await items.get(id);
  const key = items.key(id);
  const waiting = removeDue({ ...key, dueMs: untilResumedMs });
  // Another run has released it.
  if (entry?.dueMs !== untilResumedMs) return [waiting];
  return [items.remove(id, { condition: unchanged(entry) }), waiting, putDue(key, dueMs, target.table)];
}

/** @returns the writes after which nothing is scheduled for the target. They fail if another run has changed its time */
export async function clearDue(store: Store, target: Target): Promise<Write<never>[]> {
  const items = entries.at(store, ...target.partition);
  const entry = await items.get(entryId(target));
  return entry ? [items.remove(entry.id, { condition: unchanged(entry) }), removeDue(entry)] : [];
}

/** @returns the worker that a due item is for, and the notice */
export function readDue({ id, table }: DueItem): { worker: string; notice: Notice } {
  const [time = '', worker = '', organisation, mode, ...rest] = id.split('#');
  return {
    worker,
    notice: {
      table,
      kind: 'DUE',
      tenant: `${organisation}#${mode}` as Tenant,
      partition: rest.slice(0, -1),
      id: rest.at(-1) ?? '',
      atMs: Number(time),
      sequence: '',
    },
  };
}
