/**
 * Which job of the tenant may send requests to a host, so that each host gets one request at a time, however many sources it
 * has. A lease ends by itself if the job is killed, and its own next run takes it again at once.
 */

import { hash } from 'node:crypto';
import { minuteMs, secondMs, ttlSeconds } from '../../../base/time.ts';
import { type Stored, tenantCollection, unchanged } from '../../../dynamodb/collection.ts';
import type { Store } from '../../../dynamodb/store.ts';
import type { Write } from '../../../dynamodb/write.ts';

type HostLease = Stored<{
  id: string;
  jobId: string;
  /** Until when the job has it: epoch milliseconds. */
  untilMs: number;
  /** Before this time, the host wants no request (`Retry-After`). */
  pausedUntilMs: number;
  ttl: number;
}>;

const leases = tenantCollection<HostLease>('limits', () => ['hosts']);

/** Longer than one request with all of its writes. */
export const leaseMs = 2 * minuteMs;

export const hostKey = (host: string): string => hash('sha256', host, 'hex');

type Busy = {
  /** Until when it is not free: epoch milliseconds. */
  busyUntilMs: number;
  /** Whether another job has it. */
  isTaken: boolean;
};

/** @returns the writes that take or renew the lease, or why it is not free */
export async function takeLease(
  store: Store,
  host: string,
  jobId: string,
  nowMs: number,
): Promise<{ writes: Write<never>[]; untilMs: number } | Busy> {
  const items = leases.at(store);
  const found = await items.get(hostKey(host));
  const isTaken = found !== undefined && found.jobId !== jobId && found.untilMs > nowMs;
  if (isTaken) return { busyUntilMs: Math.min(found.untilMs, nowMs + retryMs), isTaken };
  const pausedUntilMs = found?.pausedUntilMs ?? 0;
  if (pausedUntilMs > nowMs) return { busyUntilMs: pausedUntilMs, isTaken };
  const untilMs = nowMs + leaseMs;
  const lease = { id: hostKey(host), jobId, untilMs, pausedUntilMs: 0, ttl: ttlSeconds(untilMs) };
  const condition = found ? unchanged(found) : ({ kind: 'absent' } as const);
  return { writes: [items.put(lease, { condition })], untilMs };
}

/** Another job may end its step before its lease is over. */
const retryMs = 20 * secondMs;

/** Gives the lease back, and notes until when the host wants no request. */
export const returnLease = (store: Store, host: string, jobId: string, pausedUntilMs: number): Write<never> =>
  leases
    .at(store)
    .put(
      { id: hostKey(host), jobId, untilMs: 0, pausedUntilMs, ttl: ttlSeconds(pausedUntilMs + leaseMs) },
      { condition: { kind: 'equals', attribute: 'jobId', value: jobId } },
    );
