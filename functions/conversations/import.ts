import * as z from 'zod';
import {
  areSameMessages,
  differingImport,
  importConversation,
  usesOf,
} from '../../lib/conversations/import.ts';
import {
  ImportedConversations,
  importedConversations,
} from '../../lib/conversations/schema/imported-conversation.ts';
import { createConversation } from '../../lib/conversations/store/changes.ts';
import { findManyByExternalId } from '../../lib/conversations/store/conversations.ts';
import { addMessages, getMessagesAt } from '../../lib/conversations/store/messages.ts';
import { below } from '../../lib/errors.ts';
import { defineEndpoint, fail } from '../../lib/http/endpoint.ts';
import { countUses } from '../../lib/limits/store/quotas.ts';
import { id } from '../../lib/schema/common.ts';

/** Of all conversations of a request. Those that exist are compared with the stored ones. */
const maxMessages = 100;
/** A transaction has at most 100, and the pipeline and the quotas add some. */
const maxItems = 95;

export default defineEndpoint({
  id: 'conversations.import',
  method: 'POST',
  path: '/projects/{project_id}/conversations/import',
  summary: 'Import conversations',
  description:
    'Stores up to 25 conversations with their messages, all or none. The results are in the order of the request.\n\n' +
    'A conversation is stored once, whatever the Idempotency-Key: if there is one with its externalId and the same ' +
    'content, the result is `unchanged`, and nothing is written. Further messages of the stored one do not matter, nor ' +
    'does its end if `endedAt` is not sent. With other content, the request gets 409 `conversation_mismatch`, and if it ' +
    'was erased, 409 `conversation_erased`. The message names the conversation.\n\nThe new conversations of a request ' +
    'may have 95 items: two for each conversation, one for each of its tags, its avatar, user, channel and deployment, ' +
    'one for each message, and one more for each `clientMessageId`. All together may have 100 messages. More is 413 ' +
    '`import_too_large`, whose message names the first conversation that does not fit.',
  auth: 'conversations:write',
  project: 'active',
  request: {
    params: z.strictObject({ project_id: id('project') }),
    body: z.strictObject({ conversations: importedConversations }),
  },
  responses: { 200: ImportedConversations },
  errors: ['conversation_erased', 'conversation_mismatch', 'import_too_large', 'quota_exceeded'],
  access: {
    conversations: ['BatchGetItem', 'PutItem'],
    messages: ['BatchGetItem', 'PutItem'],
  },

  async handle(input) {
    const { body, store, limits, nowMs } = input;
    const sent = body.conversations;
    const beyond = beyondLimit(
      sent.map(({ messages }) => messages.length),
      maxMessages,
    );
    if (beyond !== undefined) return tooLarge(beyond, `${maxMessages} messages`);
    const imported = sent.map((one, index) =>
      below(`conversations.${index}`, () => importConversation(one, input)),
    );
    const named = await findManyByExternalId(
      store,
      sent.map(({ externalId }) => externalId),
      input,
    );
    const existing = sent.map(({ externalId }) => named.get(externalId)?.conversation);
    const stored = await getMessagesAt(
      store,
      existing.flatMap((conversation, index) =>
        conversation
          ? (imported[index]?.messages ?? []).map(({ seq }) => ({ conversationId: conversation.id, seq }))
          : [],
      ),
    );

    for (const [index, one] of sent.entries()) {
      const name = `conversations[${index}]`;
      if (named.get(one.externalId)?.isErased) {
        return fail('conversation_erased', `${name} was erased. Its externalId cannot be used again.`);
      }
      const conversation = existing[index];
      if (!conversation) continue;
      const own = stored.filter(({ conversationId }) => conversationId === conversation.id);
      const isSame = areSameMessages(imported[index]?.messages ?? [], own);
      const differing = [...differingImport(conversation, one), ...(isSame ? [] : ['messages'])];
      if (differing.length > 0) {
        return fail(
          'conversation_mismatch',
          `${name} is stored as ${conversation.id}, with another ${differing.join(' and another ')}.`,
        );
      }
    }

    const created = imported.map(({ conversation, messages }, index) =>
      existing[index]
        ? []
        : [
            ...createConversation(store, conversation, named.get(sent[index]?.externalId ?? '')),
            ...addMessages(store, conversation, messages, undefined),
          ],
    );
    const unfit = beyondLimit(
      created.map((writes) => writes.length),
      maxItems,
    );
    if (unfit !== undefined) return tooLarge(unfit, `${maxItems} items`);
    const added = imported.filter((_, index) => !existing[index]);
    const uses = usesOf(
      added.length,
      added.flatMap(({ messages }) => messages),
    );
    return {
      status: 200,
      data: {
        results: imported.map(({ conversation }, index) => ({
          index,
          id: existing[index]?.id ?? conversation.id,
          outcome: existing[index] ? ('unchanged' as const) : ('created' as const),
        })),
      },
      writes: [...created.flat(), ...countUses(store, limits.quotas, uses, nowMs)],
    };
  },
});

/** @returns the index of the first size that, with those before it, is more than `max` */
function beyondLimit(sizes: readonly number[], max: number): number | undefined {
  let sum = 0;
  for (const [index, size] of sizes.entries()) {
    sum += size;
    if (sum > max) return index;
  }
  return undefined;
}

const tooLarge = (index: number, limit: string) =>
  fail(
    'import_too_large',
    `conversations[${index}] does not fit: the conversations up to it have more than ${limit}. Send fewer of them.`,
  );
