/** The attempts of a delivery, as they are stored, and the pauses between them. Pure. */

import { dayMs, hourMs, minuteMs, secondMs } from '../../base/time.ts';
import type { Outcome } from '../../network/network.ts';
import type { Delivery } from '../schema/delivery.ts';

export type Attempt = Delivery['attempts'][number];

const maxKept = 20;
/** The bodies of all attempts have at most so many bytes, so that a delivery stays small. The oldest bodies are dropped. */
const maxBodyBytes = 64 * 1024;

/** @returns the attempts, with an attempt that begins now */
export const withBegun = (attempts: readonly Attempt[], at: string): Attempt[] =>
  [...attempts, { at, status: null, durationMs: null, body: null, error: 'interrupted' as const }].slice(
    -maxKept,
  );

/** @returns the attempts, with the outcome of the last attempt */
export function withOutcome(
  attempts: readonly Attempt[],
  { status, durationMs, body, error }: Outcome,
): Attempt[] {
  const last = attempts.at(-1);
  if (!last) return [];
  let remainingBytes = maxBodyBytes;
  return [...attempts.slice(0, -1), { ...last, status, durationMs, body, error }]
    .toReversed()
    .map((attempt) => {
      remainingBytes -= Buffer.byteLength(attempt.body ?? '');
      return remainingBytes < 0 ? { ...attempt, body: null } : attempt;
    })
    .toReversed();
}

/** @returns whether the attempt has not ended, or was interrupted */
export const isOpen = (attempt: Attempt | undefined): attempt is Attempt => attempt?.error === 'interrupted';

export const isSuccess = ({ status, error }: Pick<Outcome, 'status' | 'error'>): boolean =>
  error === null && status !== null && status >= 200 && status < 300;

/** The pause after each failed attempt. After the last attempt, the delivery has failed. */
export const retryDelaysMs = [
  5 * secondMs,
  5 * minuteMs,
  30 * minuteMs,
  2 * hourMs,
  5 * hourMs,
  10 * hourMs,
  10 * hourMs,
] as const;

export const maxAttempts = retryDelaysMs.length + 1;

/** A pause is up to this share longer, so that retries of many deliveries do not come at once. */
const maxJitter = 0.2;
/** A receiver may ask for longer pauses, for this time in all. */
const maxRetryAfterMs = dayMs;
/** An attempt may end so long after its time: the schedule is up to two minutes late, and the attempt takes 15 seconds. */
const maxLateMs = 5 * minuteMs;

/** @returns the longest time that these pauses take, with the attempts after them */
const spanMs = (delaysMs: readonly number[]): number =>
  delaysMs.reduce((sum, delayMs) => sum + delayMs * (1 + maxJitter) + maxLateMs, 0);

/** A delivery that is older has failed. All attempts fit into this time, unless attempts had to wait for other attempts. */
export const maxAgeMs = spanMs(retryDelaysMs) + maxRetryAfterMs;

export type Failure = {
  /** The number of failed attempts, at least 1. */
  failures: number;
  retryAfterMs: number | undefined;
  /** The time since the delivery was requested. */
  ageMs: number;
  /** A random number from 0 to below 1. */
  fraction: number;
};

/**
 * A long `Retry-After` never costs an attempt, because a pause ends early enough for all attempts after it.
 * @returns the pause before the next attempt; undefined if there is no next attempt
 */
export function retryDelayMs({ failures, retryAfterMs = 0, ageMs, fraction }: Failure): number | undefined {
  const delayMs = retryDelaysMs[failures - 1];
  if (delayMs === undefined) return undefined;
  const latestMs = maxAgeMs - ageMs - maxLateMs - spanMs(retryDelaysMs.slice(failures));
  const jitter = 1 + maxJitter * fraction;
  const requestedMs = Math.min(Math.min(retryAfterMs, maxRetryAfterMs) * jitter, latestMs);
  return Math.round(Math.max(delayMs * jitter, requestedMs));
}
