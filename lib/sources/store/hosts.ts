/**
 * Which job of the tenant may send requests to a host, so that each host gets one request at a time, however many sources it
 * has. A lease ends by itself if the job is killed, and its own next run takes it again at once. Jobs take turns: a job that finds
 * the host taken waits behind the jobs that wait already, and a job whose step has ended waits behind all of them.
 */

import { hash } from 'node:crypto';
import { minuteMs, secondMs, ttlSeconds } from '../../base/time.ts';
import { type Stored, tenantCollection, unchanged } from '../../dynamodb/collection.ts';
import type { Store } from '../../dynamodb/store.ts';
import type { Write } from '../../dynamodb/write.ts';

/** A job that waits for a host, until it has not asked for some time: epoch milliseconds. */
type Waiting = { jobId: string; untilMs: number };

type HostLease = Stored<{
  id: string;
  jobId: string;
  /** When the lease ends: epoch milliseconds. */
  untilMs: number;
  /** Before this time, the host wants no request (`Retry-After`). */
  pausedUntilMs: number;
  /** The jobs that wait for it, the first of them first. */
  waiting?: readonly Waiting[];
  ttl: number;
}>;

const leases = tenantCollection<HostLease>('limits', () => ['hosts']);

/** A lease is longer than one request with all of its writes. */
export const leaseMs = 2 * minuteMs;
/** Another job may end its step before its lease is over. */
const retryMs = 20 * secondMs;
/** A waiting job asks again within some minutes, because the schedule runs every minute. */
const waitingMs = 4 * minuteMs;
/** Further jobs wait without a place: they ask again. */
const maxWaiting = 20;

export const hostKey = (host: string): string => hash('sha256', host, 'hex');

/** The host is not free. */
type Busy = {
  /** When the job may ask again: epoch milliseconds. */
  busyUntilMs: number;
  /** Whether another job has it, or is next. */
  isTaken: boolean;
  /** The writes with which the job waits in its place. */
  waits: Write<never>[];
};

/** @returns the writes that take or renew the lease, or why it is not free */
export async function takeLease(
  store: Store,
  host: string,
  jobId: string,
  nowMs: number,
): Promise<{ writes: Write<never>[]; untilMs: number } | Busy> {
  const items = leases.at(store);
  const currentLease = await items.get(hostKey(host));
  const waiting = (currentLease?.waiting ?? []).filter((one) => one.untilMs > nowMs);
  if (currentLease) {
    const isHeld = currentLease.untilMs > nowMs && currentLease.jobId !== jobId;
    if (!isHeld && currentLease.pausedUntilMs > nowMs)
      return { busyUntilMs: currentLease.pausedUntilMs, isTaken: false, waits: [] };
    const isRenewed = currentLease.untilMs > nowMs && currentLease.jobId === jobId;
    const isNext = waiting.length === 0 || waiting[0]?.jobId === jobId;
    if (!isRenewed && (isHeld || !isNext)) {
      const endMs = isHeld ? currentLease.untilMs : nowMs + retryMs;
      const ttl = Math.max(currentLease.ttl, ttlSeconds(nowMs + waitingMs));
      const waits = items.update(
        currentLease.id,
        { waiting: withWaiting(waiting, jobId, nowMs + waitingMs), ttl },
        { condition: unchanged(currentLease) },
      );
      return { busyUntilMs: Math.min(endMs, nowMs + retryMs), isTaken: true, waits: [waits] };
    }
  }
  const untilMs = nowMs + leaseMs;
  const others = waiting.filter((one) => one.jobId !== jobId);
  const ttl = ttlSeconds(untilMs + waitingMs);
  const lease = { id: hostKey(host), jobId, untilMs, pausedUntilMs: 0, waiting: others, ttl };
  const condition = currentLease ? unchanged(currentLease) : ({ kind: 'absent' } as const);
  return { writes: [items.put(lease, { condition })], untilMs };
}

/** @returns the jobs that wait, with this job in its place, or at the end */
function withWaiting(waiting: readonly Waiting[], jobId: string, untilMs: number): Waiting[] {
  const isWaiting = waiting.some((one) => one.jobId === jobId);
  if (!isWaiting) return [...waiting, { jobId, untilMs }].slice(0, maxWaiting);
  return waiting.map((one) => (one.jobId === jobId ? { jobId, untilMs } : one));
}

/**
 * Gives the lease back, and notes until when the host wants no request.
 * @param pausedUntilMs 0 if it wants no pause
 */
export const returnLease = (
  store: Store,
  host: string,
  jobId: string,
  pausedUntilMs: number,
  nowMs: number,
): Write<never> =>
  leases
    .at(store)
    .update(
      hostKey(host),
      { untilMs: 0, pausedUntilMs, ttl: ttlSeconds(Math.max(pausedUntilMs, nowMs) + waitingMs) },
      { condition: { kind: 'equals', attribute: 'jobId', value: jobId } },
    );
