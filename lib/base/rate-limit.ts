/**
 * A limit of requests slides: it also counts a part of the previous window, the part that is less than `per` ago, as if the
 * requests of that window had come evenly. So a counter needs three numbers for any limit.
 *
 * In any time T, at most `requests` × (1 + T / per) requests pass, and in one window at most `requests` (docs/limits.md).
 */

import { hourMs, minuteMs, secondMs } from './time.ts';

export const periodsMs = { '1s': secondMs, '1m': minuteMs, '1h': hourMs } as const;
export type Period = keyof typeof periodsMs;

export type RateLimit = { requests: number; per: Period };

/** A request of another key may count in the limit of this key, too. */
export type KeyLimit = { keyId: string; rateLimit: RateLimit };

/** The highest limit, in requests per second, is the quota of the gateway for an account. */
export const maxRate = 10_000;
export const maxRequests = (per: Period): number => (maxRate * periodsMs[per]) / secondMs;

/** An item of DynamoDB takes 1000 writes per second. Half of that leaves room for refused requests, which write, too. */
const maxShardRate = 500;

/** @returns the shares of a limit that is too high for one counter: numbers of requests, with the limit as their sum */
export function sharesOf({ requests, per }: RateLimit): number[] {
  const shards = Math.ceil(requests / (periodsMs[per] / secondMs) / maxShardRate);
  return Array.from(
    { length: shards },
    (_, shard) => Math.floor(requests / shards) + (shard < requests % shards ? 1 : 0),
  );
}

/**
 * @returns whether a limit allows at most as much as another limit. They are compared in the period of the other limit, so a
 *   longer period cannot evade a limit with a short period.
 */
export function isWithin(limit: RateLimit | null, other: RateLimit | null): boolean {
  if (other === null) return true;
  if (limit === null) return false;
  const periods = Math.max(1, periodsMs[other.per] / periodsMs[limit.per]);
  return limit.requests * periods <= other.requests;
}

export type Window = { startMs: number; count: number; previousCount: number };

/** Windows follow the wall clock, so that all functions agree on their start. */
export const windowStartMs = (nowMs: number, per: Period): number => nowMs - (nowMs % periodsMs[per]);

/** Sums of fractions are not exact, so a time that was computed for a request is never a moment too early for it. */
const precision = 1e-6;

/** @returns the number of requests that the window may have by now */
export function mostBy(
  nowMs: number,
  { requests, per }: RateLimit,
  { startMs, previousCount }: Pick<Window, 'startMs' | 'previousCount'>,
): number {
  const passedShare = Math.min(1, Math.max(0, nowMs - startMs) / periodsMs[per]);
  return Math.floor(requests - Math.min(previousCount, requests) * (1 - passedShare) + precision);
}

/** @returns the window at this time. After a window that has ended comes an empty window with its count */
export function windowAt(nowMs: number, per: Period, stored: Window | undefined): Window {
  const startMs = windowStartMs(nowMs, per);
  if (!stored) return { startMs, count: 0, previousCount: 0 };
  // The clock of another function may be ahead. Then its window counts for all.
  if (stored.startMs >= startMs) return stored;
  const isNext = stored.startMs + periodsMs[per] === startMs;
  return { startMs, count: 0, previousCount: isNext ? stored.count : 0 };
}

/** @returns when the next request may pass, if no other request comes before it */
export function freeAtMs({ requests, per }: RateLimit, { startMs, count, previousCount }: Window): number {
  const perMs = periodsMs[per];
  const remaining = requests - count - 1;
  // This window is full. The next window starts with the count of this window.
  if (remaining < 0) return startMs + perMs + perMs / requests;
  const effectivePrevious = Math.min(previousCount, requests);
  return startMs + perMs * Math.max(0, 1 - remaining / Math.max(effectivePrevious, 1));
}
