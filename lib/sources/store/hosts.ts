/**
 * Which job of the tenant may send requests to a host, so that each host gets one request at a time, however many sources it
 * has. A lease ends by itself if the job is killed, and its own next run takes it again at once. Jobs take turns: a job that finds
 * the host taken waits behind the jobs that wait already, and a job whose turn has ended waits behind all of them. The job that
 * gives the host back starts the first that waits.
 */

import { hash } from 'node:crypto';
import { minuteMs, ttlSeconds } from '../../base/time.ts';
import { type Stored, tenantCollection, unchanged } from '../../dynamodb/collection.ts';
import type { Store } from '../../dynamodb/store.ts';
import type { Write } from '../../dynamodb/write.ts';

/**
 * A job that waits for a host, until it has not asked for some time: epoch milliseconds. A job that waits since before the version
 * with `projectId` is not started: it asks every minute.
 */
export type Waiting = { jobId: string; projectId?: string; untilMs: number };

type HostLease = Stored<{
  id: string;
  jobId: string;
  /** When the lease ends: epoch milliseconds. */
  untilMs: number;
  /** Before this time, the host wants no request (`Retry-After`), or is not asked again after it has given no answer. */
  pausedUntilMs: number;
  /** The sum of the pauses in which the host has given no answer. */
  silentMs?: number;
  /** The jobs that wait for it, the first of them first. */
  waiting?: readonly Waiting[];
  ttl: number;
}>;

const leases = tenantCollection<HostLease>('limits', () => ['hosts']);

/** A lease is longer than one request with all of its writes. */
export const leaseMs = 2 * minuteMs;
/** The job that has the host starts the next one. Only if it is killed, a waiting job has to ask. */
const askAgainMs = 10 * minuteMs;
/** A waiting job asks again before this time. Nobody needs to know longer that a host was silent. */
const waitingMs = 15 * minuteMs;
/** A job that was started takes the host in this time. */
const startMs = minuteMs;
/** Further jobs wait without a place: they ask again. */
const maxWaiting = 20;

export const hostKey = (host: string): string => hash('sha256', host, 'hex');

/** The host is not free. */
type Busy = {
  /** When the job may ask again: epoch milliseconds. */
  busyUntilMs: number;
  /** If another job has it, or is next: the write with which the job waits in its place. */
  waits?: Write<never>;
};

type Job = { id: string; projectId: string };

/** @returns the writes that take or renew the lease, or why it is not free */
export async function takeLease(
  store: Store,
  host: string,
  { id: jobId, projectId }: Job,
  nowMs: number,
): Promise<{ writes: Write<never>[]; untilMs: number; silentMs: number } | Busy> {
  const items = leases.at(store);
  const currentLease = await items.get(hostKey(host));
  const waiting = (currentLease?.waiting ?? []).filter((one) => one.untilMs > nowMs);
  if (currentLease) {
    const isHeld = currentLease.untilMs > nowMs && currentLease.jobId !== jobId;
    if (!isHeld && currentLease.pausedUntilMs > nowMs) return { busyUntilMs: currentLease.pausedUntilMs };
    const isRenewed = currentLease.untilMs > nowMs && currentLease.jobId === jobId;
    const isNext = waiting.length === 0 || waiting[0]?.jobId === jobId;
    if (!isRenewed && (isHeld || !isNext)) {
      const ttl = Math.max(currentLease.ttl, ttlSeconds(nowMs + waitingMs));
      const waits = items.update(
        currentLease.id,
        { waiting: withWaiting(waiting, { jobId, projectId, untilMs: nowMs + waitingMs }), ttl },
        { condition: unchanged(currentLease) },
      );
      const startedUntilMs = isHeld ? undefined : waiting[0]?.untilMs;
      return { busyUntilMs: Math.min(startedUntilMs ?? nowMs + askAgainMs, nowMs + askAgainMs), waits };
    }
  }
  const untilMs = nowMs + leaseMs;
  const others = waiting.filter((one) => one.jobId !== jobId);
  const ttl = ttlSeconds(untilMs + waitingMs);
  const { pausedUntilMs = 0, silentMs: storedMs = 0 } = currentLease ?? {};
  const silentMs = pausedUntilMs > nowMs - waitingMs ? storedMs : 0;
  const lease = { id: hostKey(host), jobId, untilMs, pausedUntilMs, silentMs, waiting: others, ttl };
  const condition = currentLease ? unchanged(currentLease) : ({ kind: 'absent' } as const);
  return { writes: [items.put(lease, { condition })], untilMs, silentMs };
}

/** @returns the jobs that wait, with this job in its place, or at the end */
function withWaiting(waiting: readonly Waiting[], own: Waiting): Waiting[] {
  const isWaiting = waiting.some(({ jobId }) => jobId === own.jobId);
  if (!isWaiting) return [...waiting, own].slice(0, maxWaiting);
  return waiting.map((one) => (one.jobId === own.jobId ? own : one));
}

/** How a job leaves a host. */
export type Left = {
  /** Until when the host gets no request: epoch milliseconds, in the past if it wants no pause. */
  pausedUntilMs: number;
  silentMs: number;
};

/**
 * Gives the lease back.
 * @param isOpen whether a waiting job has not ended
 * @returns the writes, and the job that has the host next; no writes if another job has the lease
 */
export async function returnLease(
  store: Store,
  host: string,
  jobId: string,
  { pausedUntilMs, silentMs }: Left,
  nowMs: number,
  isOpen: (job: Job) => Promise<boolean>,
): Promise<{ writes: Write<never>[]; next?: Job }> {
  const items = leases.at(store);
  const lease = await items.get(hostKey(host));
  if (lease?.jobId !== jobId) return { writes: [] };
  let waiting = (lease.waiting ?? []).filter((one) => one.untilMs > nowMs);
  let next: Job | undefined;
  for (let [first] = waiting; first?.projectId !== undefined && !next; [first] = waiting) {
    const job = { id: first.jobId, projectId: first.projectId };
    if (await isOpen(job)) next = job;
    else waiting = waiting.slice(1);
  }
  const endMs = Math.max(pausedUntilMs, nowMs);
  if (next) waiting = waiting.map((one, place) => (place === 0 ? { ...one, untilMs: endMs + startMs } : one));
  const ttl = ttlSeconds(endMs + waitingMs);
  const changes = { untilMs: 0, pausedUntilMs, silentMs, waiting, ttl };
  const write = items.update(lease.id, changes, { condition: unchanged(lease) });
  return { writes: [write], ...(next && { next }) };
}
