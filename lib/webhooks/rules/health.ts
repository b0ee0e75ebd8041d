/**
 * A limited number of attempts of a webhook may be under way, so that a slow or dead receiver does not take the places of other
 * receivers. Pure.
 *
 * A webhook without restriction needs no write. A webhook is restricted until its first success, while it fails, and while it
 * is slow. Then each attempt needs a lease, and there are few leases. A lease that is not returned expires, so a killed process
 * blocks no lease.
 */

import { hourMs, minuteMs, secondMs, timestamp } from '../../base/time.ts';
import { requestTimeoutMs } from '../../network/network.ts';
import { unreachable } from '../../network/url-form.ts';
import type { Webhook } from '../schema/webhook.ts';

export type Health = {
  /** An attempt has ended. */
  isKnown: boolean;
  /** The number of failed attempts since the last success. */
  failures: number;
  /** The end of the first of them. Null after a success. */
  failingSince: string | null;
  /** The last success took long. */
  isSlow: boolean;
  /** The time at which a failing webhook may be tried again, in epoch milliseconds. */
  probeAtMs: number;
  /** The times at which the leases of attempts under way expire, in epoch milliseconds, by delivery. */
  leases: Readonly<Record<string, number>>;
};

/** A success that takes longer is slow. */
export const slowMs = 3 * secondMs;

const maxLeases = { unknown: 2, failing: 1, slow: 4 } as const;
/** An attempt ends before that time, even in a process that has just started. */
const leaseMs = requestTimeoutMs + 15 * secondMs;

const firstProbeMs = 5 * secondMs;
const maxProbeMs = 5 * minuteMs;

const firstHoldMs = 2 * secondMs;
/** A delivery to a slow receiver gets its turn soon. A delivery to a failing receiver may be in vain. */
const maxHoldMs = { unknown: minuteMs, slow: 5 * minuteMs, failing: 2 * hourMs } as const;

type State = keyof typeof maxLeases;

function stateOf(health: Health | undefined): State | 'free' {
  if (!health?.isKnown) return 'unknown';
  if (health.failures > 0) return 'failing';
  return health.isSlow ? 'slow' : 'free';
}

/** @returns the health since the webhook was last enabled. Earlier failures do not count */
export const sinceEnabled = <Known extends { at: string }>(
  health: Known | undefined,
  enabledAt: string,
): Known | undefined => (health && health.at >= enabledAt ? health : undefined);

/** @param health undefined if nothing is known @param url perhaps of a time before hosts were checked */
export function showHealth(health: Health | undefined, url: string): Webhook['health'] {
  const reason = unreachable(url) ?? null;
  const state = reason === null ? stateOf(health) : 'failing';
  return {
    status: state === 'free' ? 'healthy' : state,
    failures: health?.failures ?? 0,
    failingSince: health?.failingSince ?? null,
    reason,
  };
}

const untried: Health = {
  isKnown: false,
  failures: 0,
  failingSince: null,
  isSlow: false,
  probeAtMs: 0,
  leases: {},
};

/** An attempt may start without a lease, with a lease (which must be stored first), or only after a pause. */
export type Admission =
  | { kind: 'free' }
  | { kind: 'leased'; health: Health }
  | { kind: 'held'; pauseMs: number };

/**
 * @param health undefined if nothing is known
 * @param holds how often the delivery was held before
 * @param fraction a random number from 0 to below 1
 */
export function admit(
  health: Health | undefined,
  {
    deliveryId,
    holds,
    nowMs,
    fraction,
  }: { deliveryId: string; holds: number; nowMs: number; fraction: number },
): Admission {
  const state = stateOf(health);
  if (state === 'free') return { kind: 'free' };
  const current = health ?? untried;
  const leases = Object.fromEntries(Object.entries(current.leases).filter(([, endMs]) => endMs > nowMs));
  const isFull = Object.keys(leases).length >= maxLeases[state] && !(deliveryId in leases);
  const probeInMs = state === 'failing' ? current.probeAtMs - nowMs : 0;
  if (isFull || probeInMs > 0) {
    const pauseMs = Math.min(firstHoldMs * 2 ** holds, maxHoldMs[state]);
    return { kind: 'held', pauseMs: Math.round(Math.max(pauseMs, probeInMs) * (1 + fraction / 2)) };
  }
  return { kind: 'leased', health: { ...current, leases: { ...leases, [deliveryId]: nowMs + leaseMs } } };
}

export type Ended = { deliveryId: string; isSuccess: boolean; durationMs: number; nowMs: number };

/** @returns the health after an attempt; undefined if there is nothing to write */
export function afterAttempt(
  health: Health | undefined,
  { deliveryId, isSuccess, durationMs, nowMs }: Ended,
): Health | undefined {
  const current = health ?? untried;
  const { [deliveryId]: lease, ...leases } = current.leases;
  if (isSuccess) {
    const isSlow = durationMs > slowMs;
    if (stateOf(health) === 'free' && !isSlow && lease === undefined) return undefined;
    return { ...untried, isKnown: true, isSlow, leases };
  }
  const failures = current.failures + 1;
  const pauseMs = Math.min(firstProbeMs * 2 ** (failures - 1), maxProbeMs);
  return {
    ...current,
    isKnown: true,
    failures,
    failingSince: current.failingSince ?? timestamp(nowMs),
    probeAtMs: nowMs + pauseMs,
    leases,
  };
}
