import * as z from 'zod';
import { below } from '../../lib/base/errors.ts';
import {
  areSameMessages,
  describeMismatch,
  type ImportMatch,
  importConversation,
  matchImport,
  maxImportItems,
  storeImported,
  usesOf,
} from '../../lib/bulk/imports/conversations/import.ts';
import {
  ImportedConversations,
  importedConversations,
  maxImportedMessages,
} from '../../lib/bulk/imports/conversations/schema.ts';
import { findManyByExternalId } from '../../lib/conversations/store/conversations.ts';
import { getMessagesAt } from '../../lib/conversations/store/messages.ts';
import { isTaken } from '../../lib/conversations/store/ownership.ts';
import { defineEndpoint, fail } from '../../lib/http/endpoint.ts';
import { countUses } from '../../lib/limits/store/quotas.ts';
import { id } from '../../lib/schema/common.ts';

export default defineEndpoint({
  id: 'conversations.import',
  method: 'POST',
  path: '/projects/{project_id}/conversations/import',
  summary: 'Import conversations',
  description:
    'Stores up to 25 conversations with their messages. Each conversation is stored completely or not at all. If all ' +
    'conversations fit into one transaction, either all of them are stored or no conversation is stored. The ' +
    'results are in the order of the request.\n\nA conversation is stored once, with any Idempotency-Key. If a ' +
    'conversation with its externalId and the same content is stored, the result is `unchanged`, and nothing is ' +
    'written. Further messages of the stored conversation are not compared, and its end is compared only if ' +
    '`endedAt` is sent. For other content, the request gets 409 `conversation_mismatch`, and for an erased conversation ' +
    '409 `conversation_erased`. The message names the conversation. All conversations are compared before the ' +
    'first conversation is stored.\n\nA transaction has room for 95 items: two for each conversation, one for each of its ' +
    'tags, its avatar, user, channel and deployment, one if it is a test, one for each message, and one more for each ' +
    '`clientMessageId`. A new conversation with more items, or a request with more than 1000 messages, gets 413 ' +
    '`import_too_large`. The message names the conversation. Import it with `POST …/conversations/import-file`.',
  auth: 'conversations:write',
  project: 'active',
  environments: ({ body }) => body.conversations.map(({ deploymentId }) => deploymentId),
  request: {
    params: z.strictObject({ project_id: id('project') }),
    body: z.strictObject({ conversations: importedConversations }),
  },
  causes: ['conversation.started', 'conversation.ended'],
  responses: { 200: ImportedConversations },
  errors: [
    'external_id_taken',
    'conversation_erased',
    'conversation_mismatch',
    'import_too_large',
    'quota_exceeded',
  ],
  access: {
    conversations: ['BatchGetItem', 'PutItem'],
    messages: ['BatchGetItem', 'PutItem'],
  },

  async handle(input) {
    const { body, caller, store, limits, nowMs } = input;
    const { conversations } = body;
    const excess = firstExcess(
      maxImportedMessages,
      conversations.map(({ messages }) => messages.length),
    );
    if (excess !== undefined) return tooLarge(excess, `${maxImportedMessages} messages with those before it`);
    const imports = conversations.map((conversation, index) =>
      below(`conversations.${index}`, () => importConversation(conversation, input)),
    );
    const nameEntries = await findManyByExternalId(
      store,
      conversations.map(({ externalId }) => externalId),
      input,
    );
    const taken = await Promise.all([...nameEntries.values()].map((entry) => isTaken(store, caller, entry)));
    if (taken.includes(true)) return fail('external_id_taken');
    const matches = conversations.map((conversation): ImportMatch => {
      const entry = nameEntries.get(conversation.externalId);
      return matchImport(conversation, entry ? [entry] : []);
    });
    const storedMessages = await getMessagesAt(
      store,
      matches.flatMap((match, index) =>
        match.kind === 'stored'
          ? (imports[index]?.messages ?? []).map(({ seq }) => ({
              conversationId: match.conversation.id,
              seq,
            }))
          : [],
      ),
    );

    for (const [index, match] of matches.entries()) {
      const name = `conversations[${index}]`;
      if (match.kind === 'erased')
        return fail('conversation_erased', `${name} was erased. Its externalId cannot be used again.`);
      if (match.kind === 'new') continue;
      const { conversation } = match;
      const messages = storedMessages.filter(({ conversationId }) => conversationId === conversation.id);
      const isSame = areSameMessages(imports[index]?.messages ?? [], messages);
      const differences = [...match.differing, ...(isSame ? [] : ['messages'])];
      if (differences.length > 0)
        return fail('conversation_mismatch', `${name} ${describeMismatch(conversation, differences)}`);
    }

    const creations = imports.flatMap((item, index) => {
      if (matches[index]?.kind === 'stored') return [];
      const writes = storeImported(store, item, nameEntries.get(conversations[index]?.externalId ?? ''));
      return [{ index, messages: item.messages, writes }];
    });
    const unfit = creations.find(({ writes }) => writes.length > maxImportItems);
    if (unfit) return tooLarge(unfit.index, `${maxImportItems} items`);
    const transactions = groupsOf(creations).map((group) => [
      ...group.flatMap(({ writes }) => writes),
      ...countUses(
        store,
        limits.quotas,
        usesOf(
          group.length,
          group.flatMap(({ messages }) => messages),
        ),
        nowMs,
      ),
    ]);
    return {
      status: 200,
      data: {
        results: imports.map(({ conversation }, index) => {
          const match = matches[index];
          return match?.kind === 'stored'
            ? { index, id: match.conversation.id, outcome: 'unchanged' as const }
            : { index, id: conversation.id, outcome: 'created' as const };
        }),
      },
      steps: transactions.slice(0, -1),
      writes: transactions.at(-1) ?? [],
    };
  },
});

/** @returns the conversations in groups, each of which fits into a transaction */
function groupsOf<Creation extends { writes: readonly unknown[] }>(
  creations: readonly Creation[],
): Creation[][] {
  const groups: Creation[][] = [];
  let items = maxImportItems;
  for (const creation of creations) {
    items += creation.writes.length;
    if (items > maxImportItems) {
      groups.push([]);
      items = creation.writes.length;
    }
    groups.at(-1)?.push(creation);
  }
  return groups;
}

/** @returns the first index at which the sum of the sizes is more than `max` */
function firstExcess(max: number, sizes: readonly number[]): number | undefined {
  let sum = 0;
  for (const [index, size] of sizes.entries()) {
    sum += size;
    if (sum > max) return index;
  }
  return undefined;
}

const tooLarge = (index: number, limit: string) =>
  fail('import_too_large', `conversations[${index}] has more than ${limit}.`);
