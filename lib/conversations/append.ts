/** Numbers the messages that a client sends, detects duplicates, and updates the counts of the conversation. */

import { invalidField } from '../base/errors.ts';
import { canonicalJson } from '../base/json.ts';
import { timestamp } from '../base/time.ts';
import { addOnDay } from '../limits/store/day-uses.ts';
import { storedCitation } from '../schema/citation.ts';
import type { Message, NewMessage } from './schema/message.ts';
import type { ConversationChanges } from './store/changes.ts';
import type { NewConversation } from './store/conversations.ts';

type AppendedMessage = Message & { duplicate: boolean };

/**
 * @param storedByClientId the stored messages with the same client ids, by `clientMessageId`
 * @returns one message for each sent message; the caller adds the messages that are not duplicates
 * @throws ApiError validation_error if a `clientMessageId` belongs to another message. `at` is not compared, because a
 *   client that relies on the default does not send it
 */
export function numberMessages(
  sent: readonly NewMessage[],
  storedByClientId: ReadonlyMap<string, Message>,
  { messageCount }: Pick<NewConversation, 'messageCount'>,
  { nowMs, newId }: { nowMs: number; newId: (kind: 'message') => string },
): AppendedMessage[] {
  const byClientId = new Map(storedByClientId);
  let seq = messageCount;
  return sent.map(({ at, clientMessageId = null, citations = [], metadata = {}, ...rest }, index) => {
    const content = {
      ...rest,
      citations: citations.map(storedCitation),
      metadata,
    };
    const storedMessage = clientMessageId === null ? undefined : byClientId.get(clientMessageId);
    if (storedMessage) {
      if (comparable(storedMessage) === comparable(content)) return { ...storedMessage, duplicate: true };
      throw invalidField(`messages.${index}.clientMessageId`, 'belongs to another message');
    }
    seq += 1;
    const message: Message = {
      id: newId('message'),
      seq,
      ...content,
      at: timestamp(at ?? nowMs),
      clientMessageId,
      createdAt: timestamp(nowMs),
    };
    if (clientMessageId !== null) byClientId.set(clientMessageId, message);
    return { ...message, duplicate: false };
  });
}

const comparable = ({
  role,
  text,
  citations,
  metadata,
}: Pick<Message, 'role' | 'text' | 'citations' | 'metadata'>) =>
  canonicalJson({ role, text, citations, metadata });

/**
 * @returns the counts and times of the conversation with the added messages, and the amounts that are stored of it on the day
 *   of the messages
 */
export function countMessages(
  conversation: NewConversation,
  added: readonly Message[],
): Pick<
  Required<ConversationChanges>,
  'messageCount' | 'messageCountByRole' | 'firstMessageAt' | 'lastMessageAt' | 'dayUses'
> {
  const messageCountByRole = { ...conversation.messageCountByRole };
  for (const { role } of added) messageCountByRole[role] += 1;
  const { firstMessageAt, lastMessageAt } = conversation;
  // Timestamps in the same format sort by time.
  const times = [firstMessageAt, lastMessageAt, ...added.map(({ at }) => at)]
    .filter((at) => at !== null)
    .sort();
  const dayUses = added.reduce(
    (uses, { text, createdAt }) => addOnDay(uses, { messages: 1, bytes: Buffer.byteLength(text) }, createdAt),
    conversation.dayUses,
  );
  return {
    messageCount: conversation.messageCount + added.length,
    messageCountByRole,
    firstMessageAt: times.at(0) ?? null,
    lastMessageAt: times.at(-1) ?? null,
    dayUses,
  };
}
