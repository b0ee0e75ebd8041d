/**
 * A worker does this after a webhook was deleted, or after a recovery was requested. A run may be killed between any two lines,
 * and it stops when its time is nearly over. Then the notice comes again, and the next run skips the finished work.
 */

import { firstIdAt, idRangeOf } from '../base/ids.ts';
import { pagesOf } from '../base/pages.ts';
import { minuteMs, timestamp } from '../base/time.ts';
import { events, showEvent } from '../events/store/events.ts';
import type { Notice } from '../workers/notice.ts';
import type { WorkerInput } from '../workers/worker.ts';
import { commitPatiently } from '../workers/writes.ts';
import { deliverTo, deliveryIdOf, isSubscribedTo, type ReadTranscript } from './fan-out.ts';
import { deliveries, isKept, isOf, requestAgain } from './store/deliveries.ts';
import { removeDeliveriesOf } from './store/erase.ts';
import { noteRecovery, type StoredWebhook, webhooks } from './store/webhooks.ts';

type Input = WorkerInput & { readTranscript: ReadTranscript };

const pageSize = 100;
const minRemainingMs = 2 * minuteMs;
const continueSeconds = 1;

export async function recoverOrRemove(notice: Notice, input: Input): Promise<void> {
  const webhook = await webhooks.at(input.store).get(notice.id);
  const isDone = webhook
    ? await recover(webhook, input)
    : await removeDeliveriesOf(notice.id, input, minRemainingMs);
  if (!isDone && !input.later(notice, continueSeconds)) throw new Error('more is left than some runs can do');
}

/** @returns whether nothing is left to do */
async function recover(webhook: StoredWebhook, input: Input): Promise<boolean> {
  const { store, nowMs } = input;
  const request = webhook.recovery;
  if (!request || request.finishedAt !== null) return true;
  const sinceMs = Date.parse(request.since);
  const repeatedCount = await requestFailed(webhook, sinceMs, input);
  const addedCount = repeatedCount === undefined ? undefined : await requestMissed(webhook, sinceMs, input);
  if (repeatedCount === undefined || addedCount === undefined) return false;
  const recovery = { ...request, finishedAt: timestamp(nowMs()), deliveries: repeatedCount + addedCount };
  // If somebody has changed the webhook, another pass finds nothing to do, and notes the end.
  return (await commitPatiently(input, [noteRecovery(store, webhook, recovery)])) === undefined;
}

/** @returns how many deliveries are pending again; undefined if the time is over */
async function requestFailed(
  webhook: StoredWebhook,
  sinceMs: number,
  input: Input,
): Promise<number | undefined> {
  const { store, nowMs, remainingMs } = input;
  const webhookDeliveries = deliveries.at(store, webhook.id);
  const range = { from: firstIdAt('delivery', sinceMs), to: idRangeOf('delivery').last };
  let count = 0;
  for await (const items of pagesOf((after) =>
    webhookDeliveries.page({ ...range, order: 'oldest', after, limit: pageSize }),
  )) {
    if (remainingMs() < minRemainingMs) return undefined;
    for (const delivery of items) {
      const requestedAt = webhook.recovery?.requestedAt ?? '';
      // A delivery that this recovery has requested may have failed again.
      if (delivery.requestedAt >= requestedAt) count += 1;
      else if (delivery.status === 'failed' && isKept(delivery, nowMs()) && isOf(webhook, delivery)) {
        const write = requestAgain(store, delivery, webhook.id, timestamp(nowMs()));
        if (!(await commitPatiently(input, [write]))) count += 1;
      }
    }
  }
  return count;
}

/** @returns how many deliveries were added for events without a delivery; undefined if the time is over */
async function requestMissed(
  webhook: StoredWebhook,
  sinceMs: number,
  input: Input,
): Promise<number | undefined> {
  const { store, nowMs, remainingMs } = input;
  const range = { from: firstIdAt('event', sinceMs), to: idRangeOf('event').last };
  let count = 0;
  for await (const items of pagesOf((after) =>
    events.at(store).page({ ...range, order: 'oldest', after, limit: pageSize }),
  )) {
    if (remainingMs() < minRemainingMs) return undefined;
    const missedEvents = items
      .filter((event) => isKept(event, nowMs()))
      .map(showEvent)
      .filter((event) => isSubscribedTo(webhook, event));
    const ids = missedEvents.map((event) => deliveryIdOf(event, webhook.id));
    const existingDeliveries = ids.length > 0 ? await deliveries.at(store, webhook.id).getMany(ids) : [];
    for (const event of missedEvents) {
      if (existingDeliveries.some(({ eventId }) => eventId === event.id)) continue;
      await deliverTo([webhook], event, input);
      count += 1;
    }
  }
  return count;
}
