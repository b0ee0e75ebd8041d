import { isKept } from '../../dynamodb/indexed-log.ts';
import type { Store } from '../../dynamodb/store.ts';
import { events, showEvent } from '../../events/store/events.ts';
import { deliveryPayloads, type StoredDelivery } from './deliveries.ts';
import type { StoredWebhook } from './webhooks.ts';

/**
 * @param webhook the current webhook: messages are sent only if it still includes them
 * @returns JSON; undefined if the event is gone
 */
export async function bodyOf(
  store: Store,
  { id: webhookId, include }: Pick<StoredWebhook, 'id' | 'include'>,
  { id, eventId }: Pick<StoredDelivery, 'id' | 'eventId'>,
  nowMs: number,
): Promise<string | undefined> {
  const [extra, stored] = await Promise.all([
    deliveryPayloads.at(store, webhookId).get(id),
    events.at(store).get(eventId),
  ]);
  if (extra?.event !== undefined) return extra.event;
  if (!stored || !isKept(stored, nowMs)) return undefined;
  const event = showEvent(stored);
  if (extra?.messages === undefined || !include.includes('messages') || !isKept(extra, nowMs))
    return JSON.stringify(event);
  const messages: unknown = JSON.parse(extra.messages);
  const { messagesTruncated = false } = extra;
  return JSON.stringify({ ...event, data: { ...event.data, messages, messagesTruncated } });
}
