/**
 * One attempt of a delivery. Killed between any two lines, it is repeated by its notice: a receiver may get an event twice, and
 * never not at all. An attempt is stored before its request is sent, so the attempts of a delivery are all requests that a receiver can
 * have got.
 *
 * No attempt begins while the organisation is suspended. The notice waits for its end (lib/schedule/waiting-worker.ts), and the time
 * of the suspension counts neither towards an age nor towards a pause.
 */

import type { LogLine } from '../../../base/log.ts';
import { isActive, Suspended, stopIfSuspended } from '../../../base/stop-if-suspended.ts';
import { activeMs, afterActiveMs } from '../../../base/suspensions.ts';
import { dayMs, minuteMs, secondMs, timestamp } from '../../../base/time.ts';
import { unchanged } from '../../../dynamodb/collection.ts';
import { type Outcome, requestTimeoutMs } from '../../../network/network.ts';
import { send } from '../../../network/send.ts';
import { schedule, type Target, unschedule } from '../../../schedule/schedule.ts';
import { commitPatiently } from '../../../workers/commit-each.ts';
import type { Notice, Notices } from '../../../workers/notice.ts';
import type { WorkerInput } from '../../../workers/worker.ts';
import { isOpen, isSuccess, withBegun, withOutcome } from '../attempts.ts';
import { admit, slowMs } from '../health.ts';
import { maxAgeMs, parseRetryAfterMs, retryDelayMs } from '../retries.ts';
import { signatureHeaders } from '../signature.ts';
import { bodyOf } from './body.ts';
import { deliveries, isOf, type StoredDelivery, webhookHealth } from './deliveries.ts';
import { noteAttempt, noteSlowness, takeLease } from './health.ts';
import {
  disableWebhook,
  type StoredSecrets,
  type StoredWebhook,
  secretContext,
  webhookSecrets,
  webhooks,
} from './webhooks.ts';

const senderId = 'webhook-sender';

/** Shorter pauses are spent in the queue, longer ones in the schedule. */
const maxInQueueMs = minuteMs;
/** A clock may be this much ahead of the one that has set a time. */
const clockSkewMs = 500;
/** After this time, an attempt whose end is unknown was interrupted. */
const abandonedMs = requestTimeoutMs + 30 * secondMs;
/** A webhook whose attempts have all failed for this long is disabled. */
const maxFailingMs = 5 * dayMs;
const gone = 410;

/** Handles each notice on its own, all at the same time. @throws the first fault when all have ended */
export async function deliverAll(notices: Notices, input: WorkerInput): Promise<void> {
  const ended = await Promise.allSettled(notices.map((notice) => deliver(notice, input)));
  for (const one of ended) if (one.status === 'rejected') throw one.reason;
}

async function deliver(notice: Notice, input: WorkerInput): Promise<void> {
  const { store } = input;
  const [webhookId = ''] = notice.partition;
  const [delivery, webhook, health] = await Promise.all([
    deliveries.at(store, webhookId).get(notice.id),
    webhooks.at(store).get(webhookId),
    webhookHealth.at(store).get(webhookId),
  ]);
  const target: Target = { worker: senderId, table: 'deliveries', partition: [webhookId], id: notice.id };
  if (delivery?.status !== 'pending') return unschedule(store, target, input);
  if (!isActive(input.organisation)) throw new Suspended();
  const nowMs = input.nowMs();
  const work = { notice, target, webhookId, delivery, input };
  const isTooOld = ageMs(delivery, input) > maxAgeMs;
  if (!webhook || webhook.disabled || !isOf(webhook, delivery) || isTooOld) return fail(work);

  const last = delivery.attempts.at(-1);
  const openUntilMs = isOpen(last) ? Date.parse(last.at) + abandonedMs : 0;
  const dueMs = Math.max(openUntilMs, pauseEndMs(delivery, input));
  if (dueMs > nowMs + clockSkewMs) return wait(work, dueMs);

  // What happened before the webhook was enabled does not count.
  const known = health && health.at >= webhook.enabledAt ? health : undefined;
  const about = { deliveryId: delivery.id, holds: delivery.holds, nowMs, fraction: input.randomFraction() };
  const admission = admit(known, about);
  if (admission.kind === 'held') return hold(work, nowMs + admission.pauseMs);

  const [secrets, body] = await Promise.all([
    webhookSecrets.at(store).get(webhookId),
    bodyOf(store, webhook, delivery, nowMs),
  ]);
  if (!secrets || body === undefined) return fail(work);
  if (admission.kind === 'leased' && !(await takeLease(webhookId, admission.health, health, input)))
    return decideAgain(work);
  await attempt({ ...work, webhook, secrets, body, isFree: admission.kind === 'free' });
}

/** @returns how long a delivery has waited. While the organisation is suspended, it does not get older */
const ageMs = (
  { requestedAt }: Pick<StoredDelivery, 'requestedAt'>,
  { organisation, nowMs }: Pick<WorkerInput, 'organisation' | 'nowMs'>,
): number => activeMs(organisation, Date.parse(requestedAt), nowMs());

/** @returns the time of the next attempt: epoch milliseconds. While the organisation is suspended, a pause does not go on */
function pauseEndMs(
  { nextAttemptAt, pausedAt }: Pick<StoredDelivery, 'nextAttemptAt' | 'pausedAt'>,
  { organisation }: Pick<WorkerInput, 'organisation'>,
): number {
  const endMs = Date.parse(nextAttemptAt ?? '');
  if (pausedAt === undefined) return endMs;
  const fromMs = Date.parse(pausedAt);
  return afterActiveMs(organisation, fromMs, endMs - fromMs);
}

type Work = {
  notice: Notice;
  target: Target;
  webhookId: string;
  delivery: StoredDelivery;
  input: WorkerInput;
};

/**
 * Waits in the queue for a short time, and otherwise in the schedule: also after many short pauses, because a notice that has come
 * too often becomes a dead letter. Nothing is lost: the notice stays in the queue until one of them has it.
 */
async function wait({ notice, target, input }: Work, dueMs: number): Promise<void> {
  const inMs = dueMs - input.nowMs();
  const inSeconds = Math.max(1, Math.ceil(inMs / secondMs));
  if (inMs <= maxInQueueMs && input.later(notice, inSeconds)) return;
  await schedule(input.store, target, dueMs, input);
}

/** Decides again soon, because the delivery or its webhook has changed in the meantime. */
const decideAgain = (work: Work): Promise<void> =>
  wait(work, work.input.nowMs() + secondMs * (1 + 2 * work.input.randomFraction()));

/** Postpones an attempt that may not start yet. */
async function hold(work: Work, dueMs: number): Promise<void> {
  await change(work, { holds: work.delivery.holds + 1, ...pauseUntil(dueMs, work.input.nowMs()) });
  await wait(work, dueMs);
}

const pauseUntil = (dueMs: number, nowMs: number) => ({
  nextAttemptAt: timestamp(dueMs),
  pausedAt: timestamp(nowMs),
});

const failed = { status: 'failed', nextAttemptAt: null } as const;

/** Ends a delivery that cannot succeed. */
const fail = (work: Work): Promise<void> => finish(work, failed);

/** Stores that a delivery has succeeded or failed. */
async function finish(work: Work, changes: Changes): Promise<void> {
  if (await change(work, changes)) await unschedule(work.input.store, work.target, work.input);
  else await decideAgain(work);
}

type Changes = Partial<
  Pick<StoredDelivery, 'status' | 'attempts' | 'begun' | 'failures' | 'holds' | 'nextAttemptAt' | 'pausedAt'>
>;

/**
 * Changes a delivery, unless another attempt has begun since.
 * @returns whether it was changed
 */
async function change({ webhookId, delivery, input }: Work, changes: Changes): Promise<boolean> {
  const write = deliveries.at(input.store, webhookId).update(delivery.id, changes, {
    condition: { kind: 'equals', attribute: 'begun', value: delivery.begun },
  });
  return (await commitPatiently(input, [write])) === undefined;
}

type Sending = Work & {
  webhook: StoredWebhook;
  secrets: StoredSecrets;
  body: string;
  /** Whether the webhook is not restricted. */
  isFree: boolean;
};

async function attempt(sending: Sending): Promise<void> {
  const { delivery, webhook, webhookId, input } = sending;
  await stopIfSuspended(input);
  const begun = delivery.begun + 1;
  const attempts = withBegun(delivery.attempts, timestamp(input.nowMs()));
  if (!(await change(sending, { begun, attempts }))) return decideAgain(sending);
  const own: Sending = { ...sending, delivery: { ...delivery, begun, attempts } };

  const headers = await headersOf(own);
  // A slow receiver gets fewer places from now on, not only when this attempt ends.
  const slow = noting(slowMs, () => noteSlowness(webhookId, input));
  const outcome = await send(new URL(webhook.url), headers, sending.body, input.network);
  await slow.stop();
  await end(own, outcome);
}

/** Calls a function after a time, unless it is stopped before. */
function noting(afterMs: number, note: () => Promise<unknown>): { stop(): Promise<unknown> } {
  let noted: Promise<unknown> = Promise.resolve();
  const timer = setTimeout(() => {
    // It is noted again when the attempt ends.
    noted = note().catch(() => {});
  }, afterMs);
  return {
    stop() {
      clearTimeout(timer);
      return noted;
    },
  };
}

async function headersOf({ delivery, notice, webhookId, secrets, body, input }: Sending) {
  const nowMs = input.nowMs();
  const context = secretContext(notice, webhookId);
  const { current, previous } = secrets;
  const valid = previous && Date.parse(previous.expiresAt) > nowMs ? [current, previous.sealed] : [current];
  const keys = await Promise.all(valid.map((sealed) => input.secretBox.decrypt(sealed, context)));
  const signed = { id: delivery.eventId, timestampSeconds: Math.floor(nowMs / secondMs), body };
  return {
    'content-type': 'application/json',
    'user-agent': 'platform-api-webhooks',
    ...signatureHeaders(signed, keys),
  };
}

/** Stores what an attempt has led to, and sets the time of the next one. */
async function end(own: Sending, outcome: Outcome): Promise<void> {
  const { delivery, webhook, input } = own;
  const nowMs = input.nowMs();
  const succeeded = isSuccess(outcome);
  const attempts = withOutcome(delivery.attempts, outcome);
  const ended = { deliveryId: delivery.id, isSuccess: succeeded, durationMs: outcome.durationMs, nowMs };
  const isUsual = own.isFree && succeeded && outcome.durationMs <= slowMs;
  const health = isUsual ? undefined : await noteAttempt(webhook, ended, input);
  if (succeeded) return finish(own, { status: 'succeeded', attempts, nextAttemptAt: null });
  const failures = delivery.failures + 1;
  const isGone = outcome.status === gone;
  const isFailing =
    health?.failingSince != null &&
    activeMs(input.organisation, Date.parse(health.failingSince), nowMs) >= maxFailingMs;
  if (isGone || isFailing) await disable(own, isGone ? 'gone' : 'failing');
  const delayMs = isGone
    ? undefined
    : retryDelayMs({
        failures,
        retryAfterMs: parseRetryAfterMs(outcome.retryAfter, nowMs),
        ageMs: ageMs(delivery, input),
        fraction: input.randomFraction(),
      });
  if (delayMs === undefined) return giveUp(own, { attempts, failures });
  const dueMs = nowMs + delayMs;
  await change(own, { attempts, failures, ...pauseUntil(dueMs, nowMs) });
  await wait(own, dueMs);
}

/** Ends a delivery after its last attempt, unless somebody has requested it again in the meantime. */
async function giveUp(own: Sending, changes: Pick<StoredDelivery, 'attempts' | 'failures'>): Promise<void> {
  const { delivery, webhookId, target, input } = own;
  const stored = deliveries.at(input.store, webhookId);
  const current = await stored.get(delivery.id);
  if (!current || current.begun !== delivery.begun) return decideAgain(own);
  const isRequested = current.round !== delivery.round;
  const end = isRequested ? { attempts: changes.attempts } : { ...changes, ...failed };
  const write = stored.update(delivery.id, end, { condition: unchanged(current) });
  const refusal = await commitPatiently(input, [write]);
  if (refusal || isRequested) return decideAgain(own);
  await unschedule(input.store, target, input);
}

/** Disables the webhook. Its change is in the audit log, and an event says so. */
async function disable({ webhook, notice, input }: Sending, reason: 'gone' | 'failing'): Promise<void> {
  const refusal = await commitPatiently(input, [
    disableWebhook(input.store, webhook, reason, timestamp(input.nowMs())),
  ]);
  // Somebody has changed it. The next attempt decides again.
  if (refusal) return;
  const line: LogLine = {
    level: 'warn',
    message: 'webhook disabled',
    worker: senderId,
    tenant: notice.tenant,
    item: webhook.id,
    webhooksDisabled: 1,
    fault: new Error(reason),
  };
  input.log(line);
}
