/** The next step of a pending delivery is decided before an attempt, and after it. Pure. */

import { dayMs, secondMs } from '../base/time.ts';
import { type Outcome, requestTimeoutMs } from '../network/network.ts';
import { retryAfterMs } from '../network/retry-after.ts';
import { activeMs, activeTimeEndMs, type Suspendable } from '../organisations/suspensions.ts';
import { isOpen, isSuccess, maxAgeMs, retryDelayMs } from './rules/attempts.ts';
import { admit, type Health, sinceEnabled } from './rules/health.ts';
import { isOf, type StoredDelivery } from './store/deliveries.ts';
import type { StoredHealth } from './store/health.ts';
import type { StoredWebhook } from './store/webhooks.ts';

/** A clock may be so much ahead of the clock that has set a time. */
const clockSkewMs = 500;
/** An attempt whose end is unknown after this time was interrupted. */
const abandonedMs = requestTimeoutMs + 30 * secondMs;
/** A webhook whose attempts have all failed for this long is disabled. */
const maxFailingMs = 5 * dayMs;
const gone = 410;

export type Situation = {
  organisation: Suspendable;
  nowMs: number;
  /** A random number from 0 to below 1. */
  fraction: number;
};

/** A delivery fails, waits for its time, is held because other attempts of its webhook are under way, or is sent. */
export type Step =
  | { kind: 'fail' }
  | { kind: 'wait'; dueMs: number }
  | { kind: 'hold'; dueMs: number }
  /** `lease` is the health to store first. A webhook without restriction needs no lease. */
  | { kind: 'send'; webhook: StoredWebhook; lease: Health | undefined };

export function nextStep(
  delivery: StoredDelivery,
  webhook: StoredWebhook | undefined,
  health: StoredHealth | undefined,
  situation: Situation,
): Step {
  const { organisation, nowMs, fraction } = situation;
  const isTooOld = ageMs(delivery, situation) > maxAgeMs;
  if (!webhook || webhook.disabled || !isOf(webhook, delivery) || isTooOld) return { kind: 'fail' };

  const lastAttempt = delivery.attempts.at(-1);
  const openUntilMs = isOpen(lastAttempt) ? Date.parse(lastAttempt.at) + abandonedMs : 0;
  const dueMs = Math.max(openUntilMs, pauseEndMs(delivery, organisation));
  if (dueMs > nowMs + clockSkewMs) return { kind: 'wait', dueMs };

  const currentHealth = sinceEnabled(health, webhook.enabledAt);
  const admission = admit(currentHealth, { deliveryId: delivery.id, holds: delivery.holds, nowMs, fraction });
  if (admission.kind === 'held') return { kind: 'hold', dueMs: nowMs + admission.pauseMs };
  return { kind: 'send', webhook, lease: admission.kind === 'leased' ? admission.health : undefined };
}

/** The result of an attempt. `disable` is the reason to disable the webhook. */
export type Result =
  | { kind: 'succeeded' }
  | { kind: 'retry'; dueMs: number; disable: 'failing' | undefined }
  | { kind: 'give_up'; disable: 'gone' | 'failing' | undefined };

/**
 * @param failures includes this attempt, if it has failed
 * @param failingSince when the webhook's first failure without a success was, if there is one
 */
export function resultOf(
  delivery: Pick<StoredDelivery, 'requestedAt'>,
  outcome: Outcome,
  { failures, failingSince }: { failures: number; failingSince: string | null | undefined },
  situation: Situation,
): Result {
  const { organisation, nowMs, fraction } = situation;
  if (isSuccess(outcome)) return { kind: 'succeeded' };
  if (outcome.status === gone) return { kind: 'give_up', disable: 'gone' };
  const isFailing =
    failingSince != null && activeMs(organisation, Date.parse(failingSince), nowMs) >= maxFailingMs;
  const disable = isFailing ? 'failing' : undefined;
  const delayMs = retryDelayMs({
    failures,
    retryAfterMs: retryAfterMs(outcome.retryAfter, nowMs),
    ageMs: ageMs(delivery, situation),
    fraction,
  });
  return delayMs === undefined
    ? { kind: 'give_up', disable }
    : { kind: 'retry', dueMs: nowMs + delayMs, disable };
}

/** @returns how long a delivery has waited. While the organisation is suspended, it does not get older */
const ageMs = (
  { requestedAt }: Pick<StoredDelivery, 'requestedAt'>,
  { organisation, nowMs }: Pick<Situation, 'organisation' | 'nowMs'>,
): number => activeMs(organisation, Date.parse(requestedAt), nowMs);

/** @returns the time of the next attempt: epoch milliseconds. While the organisation is suspended, a pause does not go on */
function pauseEndMs(
  { nextAttemptAt, pausedAt }: Pick<StoredDelivery, 'nextAttemptAt' | 'pausedAt'>,
  organisation: Suspendable,
): number {
  const endMs = Date.parse(nextAttemptAt ?? '');
  if (pausedAt === undefined) return endMs;
  const fromMs = Date.parse(pausedAt);
  return activeTimeEndMs(organisation, fromMs, endMs - fromMs);
}
