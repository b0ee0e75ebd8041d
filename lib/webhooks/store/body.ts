/** The body of a request: the event as it is stored now, and what the webhook asks for besides. */

import type { Store } from '../../dynamodb/store.ts';
import { events, showEvent } from '../../events/store/events.ts';
import type { SentEvent, StoredDelivery, StoredExtra } from './deliveries.ts';

/** @returns JSON; undefined if the event is gone */
export async function bodyOf(
  store: Store,
  { eventId }: Pick<StoredDelivery, 'eventId'>,
  extra: StoredExtra | undefined,
): Promise<string | undefined> {
  const event = extra?.event ?? (await storedEvent(store, eventId));
  if (!event) return undefined;
  if (extra?.messages === undefined) return JSON.stringify(event);
  const messages: unknown = JSON.parse(extra.messages);
  const { messagesTruncated = false } = extra;
  return JSON.stringify({ ...event, data: { ...event.data, messages, messagesTruncated } });
}

async function storedEvent(store: Store, id: string): Promise<SentEvent | undefined> {
  const event = await events.at(store).get(id);
  return event && showEvent(event);
}
