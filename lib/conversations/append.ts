/** Which of the messages that were sent are new, what number each gets, and what becomes of their conversation. */

import { canonicalJson } from '../canonical-json.ts';
import { invalidField } from '../errors.ts';
import { timestamp } from '../time.ts';
import type { Message } from './schema/message.ts';
import type { NewMessage } from './schema/new-message.ts';
import type { ConversationChanges, StoredConversation } from './store/conversations.ts';

type Appended = Message & { duplicate: boolean };

/**
 * @param known the messages that are stored already, by their `clientMessageId`
 * @returns for each message that was sent the one that is stored; those that are no duplicate are to be added
 * @throws ApiError validation_error where a `clientMessageId` stands for another message already. When a message was
 *   said does not count: a client that leaves `at` out sends none the next time either
 */
export function numberMessages(
  sent: readonly NewMessage[],
  known: ReadonlyMap<string, Message>,
  { messageCount }: Pick<StoredConversation, 'messageCount'>,
  { nowMs, newId }: { nowMs: number; newId: (kind: 'message') => string },
): Appended[] {
  const byClientId = new Map(known);
  let seq = messageCount;
  return sent.map(({ at, clientMessageId = null, citations = [], ...said }, index) => {
    const content = {
      ...said,
      citations: citations.map(({ documentId, title = null, snippet = null }) => ({
        documentId,
        title,
        snippet,
      })),
    };
    const stored = clientMessageId === null ? undefined : byClientId.get(clientMessageId);
    if (stored) {
      if (saidIn(stored) === saidIn(content)) return { ...stored, duplicate: true };
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

const saidIn = ({ role, text, citations }: Pick<Message, 'role' | 'text' | 'citations'>) =>
  canonicalJson({ role, text, citations });

/** @returns what these further messages change in their conversation's counts and times */
export function countMessages(
  conversation: StoredConversation,
  added: readonly Message[],
): Pick<
  Required<ConversationChanges>,
  'messageCount' | 'messageCountByRole' | 'firstMessageAt' | 'lastMessageAt'
> {
  const messageCountByRole = { ...conversation.messageCountByRole };
  for (const { role } of added) messageCountByRole[role] += 1;
  const { firstMessageAt, lastMessageAt } = conversation;
  // Timestamps of one form sort as the times that they say.
  const times = [firstMessageAt, lastMessageAt, ...added.map(({ at }) => at)]
    .filter((at) => at !== null)
    .sort();
  return {
    messageCount: conversation.messageCount + added.length,
    messageCountByRole,
    firstMessageAt: times.at(0) ?? null,
    lastMessageAt: times.at(-1) ?? null,
  };
}
