/**
 * Each webhook whose types include an event gets a delivery of it. The ids are derived, so an event that is fanned out again
 * adds nothing, and a delivery that was sent is not sent again.
 */

import { derivedId, timeOfId } from '../base/ids.ts';
import { timestamp, ttlSeconds } from '../base/time.ts';
import { scopesOfEvent } from '../events/scopes.ts';
import { eventRetentionMs } from '../events/store/events.ts';
import { includesType } from '../events/types.ts';
import type { WorkerInput, Write } from '../workers/worker.ts';
import { commitEach, writeWithinFence } from '../workers/writes.ts';
import { covers } from './rules/grants.ts';
import {
  deliveries,
  deliveryIndex,
  deliveryIndexId,
  deliveryPayloads,
  isKept,
  type ProjectStore,
  type SentEvent,
  type Store,
} from './store/deliveries.ts';
import { enabledWebhooks, type StoredWebhook } from './store/webhooks.ts';

/**
 * Reads the beginning of a transcript.
 * @param maxBytes the size of the messages as JSON
 * @returns undefined if the conversation is erased
 */
export type ReadTranscript = (
  store: ProjectStore,
  conversationId: string,
  maxBytes: number,
) => Promise<{ messages: readonly unknown[]; isTruncated: boolean; ttl: number | undefined } | undefined>;

type Input = Pick<WorkerInput, 'store' | 'commit' | 'writeEach' | 'sleep' | 'nowMs' | 'fence'> & {
  readTranscript: ReadTranscript;
};

/** The events whose deliveries can have the transcript. */
const withTranscript = 'conversation.ended';
/** The size of the messages as JSON, so that an item has at most 400 KB. */
const maxTranscriptBytes = 200 * 1024;

/** @param event a stored event */
export async function fanOut(event: SentEvent, input: Input): Promise<void> {
  const receivers = (await enabledWebhooks(input.store)).filter((webhook) => isSubscribedTo(webhook, event));
  if (receivers.length > 0) await deliverTo(receivers, event, input);
}

/**
 * @returns whether the webhook gets the event. It does not get events about itself, events from before its creation, and events
 *   that its setter may not read, such as events of a type that is newer than the webhook
 */
export const isSubscribedTo = (
  { id, eventTypes, scopes, projectIds, createdAt }: StoredWebhook,
  { type, projectId, timestamp, data }: SentEvent,
): boolean =>
  data.id !== id &&
  includesType(eventTypes, type) &&
  covers(scopes, scopesOfEvent(type, data)) &&
  (projectIds === null || (projectId !== null && projectIds.includes(projectId))) &&
  timestamp >= createdAt;

export const deliveryIdOf = (event: SentEvent, webhookId: string): string =>
  derivedId('delivery', timeOfId(event.id), [event.id, webhookId]);

/** @returns the id of the resource of an event, or the name of an environment */
const resourceOf = ({ data }: SentEvent): string => `${data.id ?? data.name}`;

const ttlOf = (event: SentEvent): number => ttlSeconds(timeOfId(event.id) + eventRetentionMs);

export async function deliverTo(
  webhooks: readonly StoredWebhook[],
  event: SentEvent,
  input: Input,
): Promise<void> {
  const { store, writeEach, nowMs } = input;
  const { projectId } = event;
  // An erasure finds the deliveries by these entries, so they are written first.
  if (projectId !== null) {
    const index = deliveryIndex.at(store.inProject(projectId));
    const put = ({ id: webhookId }: StoredWebhook) =>
      index.put(
        {
          id: deliveryIndexId(resourceOf(event), deliveryIdOf(event, webhookId)),
          webhookId,
          ttl: ttlOf(event),
        },
        { condition: { kind: 'any' } },
      );
    await writeEach(webhooks.map(put));
  }
  const withMessages = webhooks.filter(({ include }) => include.includes('messages'));
  if (event.type === withTranscript && withMessages.length > 0)
    await putTranscripts(withMessages, event, input);
  // A delivery is written last, because its notice needs the other items.
  const now = timestamp(nowMs());
  await commitEach(
    input,
    webhooks.map(({ id }) => putDelivery(store, id, event, now)),
  );
}

/** Stores the transcript of a conversation for each of these webhooks, unless it is erased. */
async function putTranscripts(
  webhooks: readonly StoredWebhook[],
  event: SentEvent,
  input: Input,
): Promise<void> {
  const { store, readTranscript } = input;
  const { projectId } = event;
  if (projectId === null) return;
  await writeWithinFence(input, async () => {
    const transcript = await readTranscript(
      store.inProject(projectId),
      resourceOf(event),
      maxTranscriptBytes,
    );
    if (!transcript) return { writes: [] };
    const ttl = Math.min(ttlOf(event), transcript.ttl ?? Number.POSITIVE_INFINITY);
    if (!isKept({ ttl }, input.nowMs())) return { writes: [] };
    const payload = {
      messages: JSON.stringify(transcript.messages),
      messagesTruncated: transcript.isTruncated,
      ttl,
    };
    const put = ({ id: webhookId }: StoredWebhook) =>
      deliveryPayloads
        .at(store, webhookId)
        .put({ id: deliveryIdOf(event, webhookId), ...payload }, { condition: { kind: 'any' } });
    return { writes: webhooks.map(put) };
  });
}

/** @returns the write of a new delivery. A second write changes nothing */
const putDelivery = (store: Store, webhookId: string, event: SentEvent, now: string): Write<never> =>
  deliveries.at(store, webhookId).put(newDelivery(deliveryIdOf(event, webhookId), event, now));

/** @returns a delivery that is due now */
export const newDelivery = (id: string, event: SentEvent, now: string) => ({
  id,
  eventId: event.id,
  eventType: event.type,
  projectId: event.projectId,
  resourceId: resourceOf(event),
  scopes: scopesOfEvent(event.type, event.data),
  status: 'pending' as const,
  attempts: [],
  begun: 0,
  failures: 0,
  holds: 0,
  round: 0,
  requestedAt: now,
  nextAttemptAt: now,
  createdAt: now,
  ttl: ttlOf(event),
});

/** @returns the writes of a delivery of an event that is not stored */
export const putTestDelivery = (
  store: Store,
  webhookId: string,
  delivery: ReturnType<typeof newDelivery>,
  event: SentEvent,
): Write<never>[] => [
  deliveries.at(store, webhookId).put(delivery),
  deliveryPayloads
    .at(store, webhookId)
    .put({ id: delivery.id, event: JSON.stringify(event), ttl: delivery.ttl }),
];
