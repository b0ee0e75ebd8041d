import { dayMs, hourMs, minuteMs, secondMs } from '../../base/time.ts';

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
