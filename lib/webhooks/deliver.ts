/**
 * This is one attempt of a delivery. If the process is killed between any two lines, the notice repeats the attempt, so a
 * receiver gets an event at least once, and may get it twice. An attempt is stored before its request is sent, so the attempts
 * of a delivery are all requests that a receiver can have got.
 *
 * No attempt begins while the organisation is suspended (lib/workers/suspension.ts). The time of the suspension does not
 * count towards an age or a pause.
 */

import { minuteMs, secondMs, timestamp } from '../base/time.ts';
import type { Outcome } from '../network/network.ts';
import { send } from '../network/send.ts';
import type { Notice, Notices } from '../workers/notice.ts';
import { schedule, type Target, unschedule } from '../workers/schedule/schedule.ts';
import type { Outside, WorkerInput } from '../workers/worker.ts';
import { commitPatiently } from '../workers/writes.ts';
import { nextStep, resultOf, type Situation } from './decide.ts';
import { isSuccess, withBegun, withOutcome } from './rules/attempts.ts';
import { slowMs } from './rules/health.ts';
import { signatureHeaders } from './signature.ts';
import { bodyOf } from './store/body.ts';
import {
  advanceDelivery,
  changeDelivery,
  type DeliveryChanges,
  deliveries,
  type StoredDelivery,
} from './store/deliveries.ts';
import { noteAttempt, noteSlowness, takeLease, webhookHealth } from './store/health.ts';
import {
  disableWebhook,
  type StoredSecrets,
  type StoredWebhook,
  secretContext,
  webhookSecrets,
  webhooks,
} from './store/webhooks.ts';

const senderId = 'webhook-sender';

/** Handles each notice on its own, all at the same time. @throws the first fault when all have ended */
export async function deliverAll(notices: Notices, input: WorkerInput): Promise<void> {
  const results = await Promise.allSettled(notices.map((notice) => deliver(notice, input)));
  for (const result of results) if (result.status === 'rejected') throw result.reason;
}

/** An attempt has these steps: read, decide, prepare, begin, send, store the outcome. */
async function deliver(notice: Notice, input: WorkerInput): Promise<void> {
  const { store } = input;
  const [webhookId = ''] = notice.partition;
  const [delivery, storedWebhook, health] = await Promise.all([
    deliveries.at(store, webhookId).get(notice.id),
    webhooks.at(store).get(webhookId),
    webhookHealth.at(store).get(webhookId),
  ]);
  const target: Target = { worker: senderId, table: 'deliveries', partition: [webhookId], id: notice.id };
  if (delivery?.status !== 'pending') return unschedule(store, target, input);

  const work: Work = { notice, target, webhookId, delivery, input };
  const step = nextStep(delivery, storedWebhook, health, situationOf(input));
  if (step.kind === 'fail') return finish(work, failed);
  if (step.kind === 'wait') return wait(work, step.dueMs);
  if (step.kind === 'hold') return hold(work, step.dueMs);

  const { webhook, lease } = step;
  const [secrets, body] = await Promise.all([
    webhookSecrets.at(store).get(webhookId),
    bodyOf(store, webhook, delivery, input.nowMs()),
  ]);
  if (!secrets || body === undefined) return finish(work, failed);
  if (lease && !(await takeLease(webhookId, lease, health, input))) return decideAgain(work);
  // The place of an attempt that may take long. Its lease expires, or is there when the notice comes again.
  if (lease && !(await input.takePlace(notice))) return;

  // Before the attempt is stored: each stored attempt is a request.
  const { network } = await input.outside();
  const begun = await begin(work);
  if (!begun) return decideAgain(work);
  const outcome = await sendBody(begun, webhook, secrets, body, network);
  await end(begun, webhook, outcome, lease === undefined);
}

type Work = {
  notice: Notice;
  target: Target;
  webhookId: string;
  delivery: StoredDelivery;
  input: WorkerInput;
};

const situationOf = ({ organisation, nowMs, randomFraction }: WorkerInput): Situation => ({
  organisation,
  nowMs: nowMs(),
  fraction: randomFraction(),
});

/** Stores that an attempt begins. @returns undefined if another attempt has begun since the delivery was read */
async function begin(work: Work): Promise<Work | undefined> {
  const { delivery, input } = work;
  const changes = {
    begun: delivery.begun + 1,
    attempts: withBegun(delivery.attempts, timestamp(input.nowMs())),
  };
  return (await change(work, changes)) ? { ...work, delivery: { ...delivery, ...changes } } : undefined;
}

async function sendBody(
  work: Work,
  webhook: StoredWebhook,
  secrets: StoredSecrets,
  body: string,
  network: Outside['network'],
): Promise<Outcome> {
  const { webhookId, input } = work;
  const headers = await headersOf(work, secrets, body);
  // A slow receiver gets fewer places from now on, not only when this attempt ends.
  const slow = callAfter(slowMs, () => noteSlowness(webhookId, input));
  const outcome = await send(new URL(webhook.url), headers, body, network);
  await slow.stop();
  return outcome;
}

async function headersOf({ delivery, notice, webhookId, input }: Work, secrets: StoredSecrets, body: string) {
  const nowMs = input.nowMs();
  const context = secretContext(notice, webhookId);
  const { current, previous } = secrets;
  const secretsInUse =
    previous && Date.parse(previous.expiresAt) > nowMs ? [current, previous.sealed] : [current];
  const keys = await Promise.all(secretsInUse.map((sealed) => input.secretBox.decrypt(sealed, context)));
  const message = { id: delivery.eventId, timestampSeconds: Math.floor(nowMs / secondMs), body };
  return {
    'content-type': 'application/json',
    'user-agent': 'platform-api-webhooks',
    ...signatureHeaders(message, keys),
  };
}

/** Calls a function after a time, unless it is stopped before. */
function callAfter(afterMs: number, note: () => Promise<unknown>): { stop(): Promise<unknown> } {
  let running: Promise<unknown> = Promise.resolve();
  const timer = setTimeout(() => {
    // The slowness is noted again when the attempt ends.
    running = note().catch(() => {});
  }, afterMs);
  return {
    stop() {
      clearTimeout(timer);
      return running;
    },
  };
}

/**
 * Stores the outcome of an attempt, and sets the time of the next attempt.
 * @param isFree whether the webhook has no restriction
 */
async function end(work: Work, webhook: StoredWebhook, outcome: Outcome, isFree: boolean): Promise<void> {
  const { delivery, input } = work;
  const situation = situationOf(input);
  const { nowMs } = situation;
  const { durationMs } = outcome;
  const succeeded = isSuccess(outcome);
  const isUsual = isFree && succeeded && durationMs <= slowMs;
  const attemptEnd = { deliveryId: delivery.id, isSuccess: succeeded, durationMs, nowMs };
  const health = isUsual ? undefined : await noteAttempt(webhook, attemptEnd, input);

  const attempts = withOutcome(delivery.attempts, outcome);
  const failures = delivery.failures + 1;
  const { failingSince } = health ?? {};
  const result = resultOf(delivery, outcome, { failures, failingSince }, situation);
  if (result.kind === 'succeeded')
    return finish(work, { status: 'succeeded', attempts, nextAttemptAt: null });
  if (result.disable) await disable(work, webhook, result.disable);
  if (result.kind === 'give_up') return giveUp(work, { attempts, failures });
  if (await settle(work, attempts, { failures, ...pauseUntil(result.dueMs, nowMs) }))
    return wait(work, result.dueMs);
  await decideAgain(work);
}

const failed = { status: 'failed', nextAttemptAt: null } as const;

async function finish(work: Work, changes: DeliveryChanges): Promise<void> {
  if (await change(work, changes)) await unschedule(work.input.store, work.target, work.input);
  else await decideAgain(work);
}

/** Ends a delivery after its last attempt, unless somebody has requested it again in the meantime. */
async function giveUp(work: Work, { attempts, failures }: Pick<StoredDelivery, 'attempts' | 'failures'>) {
  if (!(await settle(work, attempts, { failures, ...failed }))) return decideAgain(work);
  await unschedule(work.input.store, work.target, work.input);
}

/** A delivery seldom changes during its attempt, only if somebody requests it again, or if an erasure changes it. */
const maxSettles = 3;

/**
 * Stores a failed attempt. Its consequences are stored only if nobody has requested the delivery again during the attempt.
 * @returns whether the consequences were stored
 */
async function settle(
  { delivery, webhookId, input }: Work,
  attempts: StoredDelivery['attempts'],
  changes: DeliveryChanges,
): Promise<boolean> {
  for (let tries = 0; tries < maxSettles; tries += 1) {
    const current = await deliveries.at(input.store, webhookId).get(delivery.id);
    if (!current || current.begun !== delivery.begun) return false;
    const isRequested = current.round !== delivery.round;
    const settlement = isRequested ? { attempts } : { attempts, ...changes };
    const refusal = await commitPatiently(input, [
      changeDelivery(input.store, webhookId, current, settlement),
    ]);
    if (!refusal) return !isRequested;
  }
  return false;
}

/** @returns whether the delivery was changed: false if another attempt has begun since it was read */
async function change({ webhookId, delivery, input }: Work, changes: DeliveryChanges): Promise<boolean> {
  const write = advanceDelivery(input.store, webhookId, delivery, changes);
  return (await commitPatiently(input, [write])) === undefined;
}

const maxInQueueMs = minuteMs;

/**
 * A short pause is spent in the queue, a long pause in the schedule. After many short pauses, the schedule is used, too,
 * because a notice that has come too often becomes a dead letter. The notice stays in the queue until it is in the schedule.
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

/** The change is in the audit log, and causes an event. */
async function disable(
  { notice, input }: Work,
  webhook: StoredWebhook,
  reason: 'gone' | 'failing',
): Promise<void> {
  const refusal = await commitPatiently(input, [
    disableWebhook(input.store, webhook, reason, timestamp(input.nowMs())),
  ]);
  // Somebody has changed the webhook. The next attempt decides again.
  if (refusal) return;
  input.log({
    level: 'warn',
    message: 'webhook disabled',
    worker: senderId,
    tenant: notice.tenant,
    item: webhook.id,
    webhooksDisabled: 1,
    fault: new Error(reason),
  });
}
