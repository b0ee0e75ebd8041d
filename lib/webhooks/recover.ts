/**
 * A worker does this after a webhook was deleted, or after a recovery was requested. A run may be killed between any two lines.
 * A recovery stores its position after each page, and the next turn goes on there. A page that is handled again requests
 * nothing twice, and has the same number of deliveries.
 */

import { firstIdAt, lastIdAt } from '../base/ids.ts';
import { timestamp, ttlSeconds } from '../base/time.ts';
import { eventRetentionMs, events, showEvent } from '../events/store/events.ts';
import type { Notice } from '../workers/notice.ts';
import { checkTurn } from '../workers/turn.ts';
import type { WorkerInput } from '../workers/worker.ts';
import { commitPatiently } from '../workers/writes.ts';
import { deliverTo, deliveryIdOf, isSubscribedTo, type ReadTranscript } from './fan-out.ts';
import {
  deliveries,
  isKept,
  isOf,
  type RecoveryPosition,
  recoveryPositions,
  requestAgain,
} from './store/deliveries.ts';
import { removeDeliveriesOf } from './store/erase.ts';
import { noteRecovery, type Recovery, type StoredWebhook, webhooks } from './store/webhooks.ts';

type Input = WorkerInput & { readTranscript: ReadTranscript };

const pageSize = 100;

/** @throws TurnOver */
export async function recoverOrRemove({ id }: Pick<Notice, 'id'>, input: Input): Promise<void> {
  for (;;) {
    const webhook = await webhooks.at(input.store).get(id);
    if (!webhook) return removeDeliveriesOf(id, input);
    if (await recover(webhook, input)) return;
  }
}

/** @returns whether nothing is left to do; false if somebody has changed the webhook before the end was noted */
async function recover(webhook: StoredWebhook, input: Input): Promise<boolean> {
  const { store, nowMs } = input;
  const { id, recovery } = webhook;
  if (!recovery || recovery.finishedAt !== null) return true;
  const { requestedAt } = recovery;
  const stored = await recoveryPositions.at(store).get(id);
  let position: RecoveryPosition =
    stored?.requestedAt === requestedAt ? stored : { phase: 'failed', after: '', deliveries: 0 };
  for (;;) {
    const recoverPage = position.phase === 'failed' ? requestFailed : requestMissed;
    const page = await recoverPage({ ...webhook, recovery }, position.after || undefined, input);
    const count = position.deliveries + page.count;
    if (position.phase === 'missed' && page.next === null) {
      const finished = { ...recovery, finishedAt: timestamp(nowMs()), deliveries: count };
      return (await commitPatiently(input, [noteRecovery(store, webhook, finished)])) === undefined;
    }
    const phase = page.next === null ? 'missed' : position.phase;
    position = { phase, after: page.next ?? '', deliveries: count };
    const ttl = ttlSeconds(nowMs() + eventRetentionMs);
    const item = { id, requestedAt, ...position, ttl };
    await commitPatiently(input, [recoveryPositions.at(store).put(item, { condition: { kind: 'any' } })]);
    checkTurn(input);
  }
}

/** The number of deliveries of a page, and where the next page begins. */
type Recovered = { count: number; next: string | null };
type Recovering = StoredWebhook & { recovery: Recovery };

/** Events after the request are sent anyway. */
const rangeOf = (kind: 'delivery' | 'event', { recovery: { since, requestedAt } }: Recovering) => ({
  from: firstIdAt(kind, Date.parse(since)),
  to: lastIdAt(kind, Date.parse(requestedAt)),
  order: 'oldest' as const,
  limit: pageSize,
});

/** Makes failed deliveries pending again. */
async function requestFailed(
  webhook: Recovering,
  after: string | undefined,
  input: Input,
): Promise<Recovered> {
  const { store, nowMs } = input;
  const { requestedAt } = webhook.recovery;
  const page = await deliveries.at(store, webhook.id).page({ ...rangeOf('delivery', webhook), after });
  let count = 0;
  for (const delivery of page.items) {
    // `requestMissed` counts what was added since the request.
    if (delivery.createdAt >= requestedAt) continue;
    // A delivery that this recovery has requested may have failed again.
    if (delivery.requestedAt >= requestedAt) count += 1;
    else if (delivery.status === 'failed' && isKept(delivery, nowMs()) && isOf(webhook, delivery)) {
      const write = requestAgain(store, delivery, webhook.id, timestamp(nowMs()));
      if (!(await commitPatiently(input, [write]))) count += 1;
    }
  }
  return { count, next: page.next };
}

/** Adds deliveries for events without a delivery. */
async function requestMissed(
  webhook: Recovering,
  after: string | undefined,
  input: Input,
): Promise<Recovered> {
  const { store, nowMs } = input;
  const { requestedAt } = webhook.recovery;
  const { items, next } = await events.at(store).page({ ...rangeOf('event', webhook), after });
  const wanted = items
    .filter((event) => isKept(event, nowMs()))
    .map(showEvent)
    .filter((event) => isSubscribedTo(webhook, event));
  const ids = wanted.map((event) => deliveryIdOf(event, webhook.id));
  const existing = ids.length > 0 ? await deliveries.at(store, webhook.id).getMany(ids) : [];
  let count = 0;
  for (const event of wanted) {
    const delivery = existing.find(({ eventId }) => eventId === event.id);
    if (!delivery) await deliverTo([webhook], event, input);
    // A run that was killed on this page may have added it.
    if (!delivery || delivery.createdAt >= requestedAt) count += 1;
  }
  return { count, next };
}
