/** A conversation as it is imported with its messages, and its comparison with the stored conversation. */

import { invalidField } from '../../../base/errors.ts';
import type { IdKind } from '../../../base/ids.ts';
import { canonicalJson } from '../../../base/json.ts';
import { timestamp } from '../../../base/time.ts';
import { countMessages, numberMessages } from '../../../conversations/append.ts';
import type { Message } from '../../../conversations/schema/message.ts';
import {
  assertNotFuture,
  assertOrder,
  differingFields,
  labelsOf,
  newConversation,
} from '../../../conversations/sent-conversation.ts';
import { createConversation } from '../../../conversations/store/changes.ts';
import type {
  FoundConversation,
  NamedConversation,
  NewConversation,
  ProjectStore,
  StoredConversation,
} from '../../../conversations/store/conversations.ts';
import { addMessages } from '../../../conversations/store/messages.ts';
import type { Uses } from '../../../limits/store/quotas.ts';
import type { StoredProject } from '../../../projects/store.ts';
import type { Write } from '../../../workers/worker.ts';
import type { ImportedFields, ImportedMessage } from './schema.ts';

/** The part of a handler's input that these functions use. */
type Context = {
  caller: { principal: string };
  project: StoredProject;
  nowMs: number;
  newId: (kind: IdKind, atMs?: number) => string;
};

/** A transaction has at most 100 items. The pipeline or the job, and the quotas, add some. */
export const maxImportItems = 95;

type ImportedItems = { conversation: NewConversation; messages: Message[] };

type ImportRequest = ImportedFields & { externalId: string | null; messages: readonly ImportedMessage[] };

const defaultEndReason = 'completed';

/**
 * @param afterSeq the number of the conversation's messages before these
 * @returns the messages as they are stored
 * @throws ApiError validation_error for a time in the future, or a repeated `clientMessageId`
 */
export function importMessages(
  sent: readonly ImportedMessage[],
  afterSeq: number,
  { nowMs, newId }: Pick<Context, 'nowMs' | 'newId'>,
): Message[] {
  for (const [index, { at }] of sent.entries()) assertNotFuture(`messages.${index}.at`, at, nowMs);
  return numberMessages(sent, new Map(), { messageCount: afterSeq }, { nowMs, newId }).map(
    ({ duplicate, ...message }, index) => {
      if (duplicate) throw invalidField(`messages.${index}.clientMessageId`, 'must be unique');
      return message;
    },
  );
}

/**
 * @param toleranceMs the end may be before the start and before messages by this much
 * @returns the conversation and its messages as they are stored
 * @throws ApiError validation_error for impossible times, a repeated `clientMessageId`, or if the conversation has expired
 */
export function importConversation(sent: ImportRequest, context: Context, toleranceMs = 0): ImportedItems {
  const { endedAt, endReason } = sent;
  if (endReason && !endedAt) throw invalidField('endReason', 'must have an `endedAt`');
  assertNotFuture('endedAt', endedAt ?? undefined, context.nowMs);
  const activeConversation = newConversation(sent, context);
  const messages = importMessages(sent.messages, 0, context);
  const conversation = {
    ...activeConversation,
    imported: true as const,
    ...countMessages(activeConversation, messages),
    ...(endedAt && {
      status: 'ended' as const,
      endedAt: timestamp(endedAt),
      endReason: endReason ?? defaultEndReason,
    }),
  };
  assertOrder(endedAt ?? undefined, conversation, toleranceMs);
  return { conversation, messages };
}

/**
 * @returns the names of the sent fields whose values differ in the stored conversation. An end that is not sent is not
 *   compared: the conversation may have ended since
 */
function differingImport(stored: StoredConversation, sent: ImportedFields): string[] {
  const { endedAt, endReason, tags = [], metadata = {} } = sent;
  const isOtherEnd =
    endedAt &&
    (timestamp(endedAt) !== stored.endedAt || (endReason ?? defaultEndReason) !== stored.endReason);
  return [
    ...differingFields(stored, sent),
    ...(isOtherEnd ? ['end'] : []),
    ...(labelsOf({ tags, metadata }) === labelsOf(stored) ? [] : ['tags or metadata']),
  ];
}

/** The state of a conversation that an import finds: new, erased, or stored, maybe with other values of some fields. */
export type ImportMatch =
  | { kind: 'new' }
  | { kind: 'erased' }
  | { kind: 'stored'; conversation: StoredConversation; differing: string[] };

/** @param found the items to which the ids and the externalId of the sent conversation lead */
export function matchImport(
  sent: ImportedFields & { externalId: string | null },
  found: readonly FoundConversation[],
): ImportMatch {
  if (found.some(({ isErased }) => isErased)) return { kind: 'erased' };
  const conversation = found.map((one) => one.conversation).find((one) => one !== undefined);
  if (!conversation) return { kind: 'new' };
  const isRenamed = conversation.externalId !== sent.externalId;
  const differing = [...differingImport(conversation, sent), ...(isRenamed ? ['externalId'] : [])];
  return { kind: 'stored', conversation, differing };
}

/** @returns the end of a sentence: where the conversation is stored, and which fields differ there */
export const describeMismatch = ({ id }: StoredConversation, differing: readonly string[]): string =>
  `is stored as ${id}, with another ${differing.join(' and another ')}.`;

/** @param pointer the item to which its externalId leads */
export const storeImported = (
  store: ProjectStore,
  { conversation, messages }: ImportedItems,
  pointer: NamedConversation | undefined,
): Write<never>[] => [
  ...createConversation(store, conversation, pointer),
  ...addMessages(store, conversation, messages, undefined),
];

/** @returns whether the messages are equal, apart from their ids */
export const areSameMessages = (sent: readonly Message[], stored: readonly Message[]): boolean =>
  sent.length === stored.length && contentOf(sent) === contentOf(stored);

const contentOf = (messages: readonly Message[]): string =>
  canonicalJson(
    messages
      .toSorted((a, b) => a.seq - b.seq)
      .map(({ seq, role, text, at, clientMessageId, citations, metadata }) => ({
        seq,
        role,
        text,
        at,
        clientMessageId,
        citations,
        metadata,
      })),
  );

/** @returns the amounts that an import counts towards the quotas */
export const usesOf = (conversations: number, messages: readonly Message[]): Uses => ({
  conversations,
  messages: messages.length,
  bytes: messages.reduce((sum, { text }) => sum + Buffer.byteLength(text), 0),
});
