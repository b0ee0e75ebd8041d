/** The body of a request: the event as it is stored now, and what the webhook asks for besides. */

import type { Store } from '../../dynamodb/store.ts';
import { events, showEvent } from '../../events/store/events.ts';
import type { StoredDelivery, StoredExtra } from './deliveries.ts';

/** @returns JSON; undefined if the event is gone */
export async function bodyOf(
  store: Store,
  { eventId }: Pick<StoredDelivery, 'eventId'>,
  extra: StoredExtra | undefined,
): Promise<string | undefined> {
  if (extra?.event !== undefined) return extra.event;
  const stored = await events.at(store).get(eventId);
  if (!stored) return undefined;
  const event = showEvent(stored);
  if (extra?.messages === undefined) return JSON.stringify(event);
  const messages: unknown = JSON.parse(extra.messages);
  const { messagesTruncated = false } = extra;
  return JSON.stringify({ ...event, data: { ...event.data, messages, messagesTruncated } });
}
