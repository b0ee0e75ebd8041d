/** The conversations of a project, determined by their number: as requests, and as stored items. */

import { dayMs, timestamp } from '../lib/base/time.ts';
import { countMessages, numberMessages } from '../lib/conversations/append.ts';
import { createConversation } from '../lib/conversations/store/changes.ts';
import type { NewConversation } from '../lib/conversations/store/conversations.ts';
import { addMessages } from '../lib/conversations/store/messages.ts';
import { writeEach } from '../lib/dynamodb/batch.ts';
import { openSession } from '../lib/dynamodb/session.ts';
import { bindStore } from '../lib/dynamodb/store.ts';
import type { Runtime } from '../lib/http/runtime.ts';
import { addOnDay } from '../lib/limits/store/day-uses.ts';
import type { StoredProject } from '../lib/projects/store.ts';
import { distinctTerms } from '../lib/text/terms.ts';
import { randomOf } from '../scripts/shared/random.ts';
import { putPostings } from './fill.ts';
import { textOf } from './texts.ts';

export const messagesEach = 20;
const wordsPerMessage = 15;
const days = 29;
/** Starts are spread over the days out of order, so that few conversations have the same distribution as many. */
const [places, stride] = [5000, 2741];
const secondsBetween = 20;

export const avatarOf = (number: number): string => `avtr_01JZ4Y7Q8R5T2V9W3X6B0C1D4${number}`;
export const userOf = (number: number): string => `user-${number}`;

/**
 * @returns the body that creates a conversation: with one of 10 avatars, 3 channels and 500 users; a tenth have one
 *   tag, 1 in 50 another
 */
export function conversationOf(number: number, nowMs: number) {
  const next = randomOf(number);
  const startedAtMs = nowMs - days * dayMs + ((number * stride) % places) * ((days * dayMs) / places);
  return {
    avatarId: avatarOf(Math.floor(next() * 10)),
    channel: ['web', 'phone', 'kiosk'][Math.floor(next() * 3)] as string,
    externalUserId: userOf(number % 500),
    tags: [...(next() < 0.1 ? ['refund'] : []), ...(next() < 0.02 ? ['complaint'] : [])],
    startedAt: timestamp(Math.floor(startedAtMs)),
  };
}

/** One in twenty is still active. */
const goesOn = (number: number): boolean => number % 20 === 0;

/** @returns its messages, as in a request */
export function messagesOf(number: number, { startedAt }: { startedAt: string }) {
  return Array.from({ length: messagesEach }, (_, index) => ({
    role: index % 2 === 0 ? ('user' as const) : ('avatar' as const),
    text: messageText(number, index),
    at: timestamp(Date.parse(startedAt) + index * secondsBetween * 1000),
    clientMessageId: `m-${index}`,
  }));
}

const messageText = (number: number, index: number): string =>
  textOf(number * messagesEach + index, wordsPerMessage);

type Target = {
  tenant: string;
  project: StoredProject;
  /** The words whose postings are stored. */
  terms: ReadonlySet<string>;
};

/**
 * Stores a conversation and its messages as the API would, but in batches.
 * @returns its id
 */
export async function fillConversation(
  { client, tableNames, newId }: Pick<Runtime, 'client' | 'tableNames' | 'newId'>,
  { tenant, project, terms }: Target,
  number: number,
  nowMs: number,
): Promise<string> {
  const session = openSession(client, tableNames, {
    conversations: ['BatchWriteItem'],
    messages: ['BatchWriteItem'],
    conversationSearch: ['BatchWriteItem'],
  });
  const store = bindStore(session, tenant).inProject(project.id);
  const begun = conversationOf(number, nowMs);
  const at = timestamp(nowMs);
  const empty: NewConversation = {
    ...begun,
    externalId: null,
    id: newId('conversation', nowMs, Date.parse(begun.startedAt)),
    metadata: {},
    deploymentId: null,
    ...(goesOn(number)
      ? { status: 'active', endedAt: null, endReason: null }
      : { status: 'ended', endedAt: at, endReason: 'completed' }),
    dayUses: addOnDay(undefined, { conversations: 1 }, at),
    messageCount: 0,
    messageCountByRole: { user: 0, avatar: 0, system: 0, tool: 0 },
    firstMessageAt: null,
    lastMessageAt: null,
    lastActivityAt: at,
    timesOutAt: timestamp(nowMs + dayMs),
    createdAt: at,
    updatedAt: at,
    createdBy: project.createdBy,
  };
  const sent = messagesOf(number, begun).map((message) => ({ ...message, at: Date.parse(message.at) }));
  const messages = numberMessages(sent, new Map(), empty, { nowMs, newId: (kind) => newId(kind, nowMs) }).map(
    ({ duplicate: _, ...message }) => message,
  );
  const conversation = { ...empty, ...countMessages(empty, messages) };
  const stamp = { changedBy: project.createdBy, changedIn: 'fill' };
  const items = [
    ...createConversation(store, conversation),
    ...addMessages(store, conversation, messages, undefined),
  ].map((write) =>
    // A batch has no conditions and adds no stamps.
    write.action === 'PutItem'
      ? { ...write, attributes: { ...write.attributes, ...stamp }, condition: { kind: 'any' } as const }
      : write,
  );
  const indexed = messages.map(({ seq, text }) => {
    const wanted = [...distinctTerms(text)].filter((term) => terms.has(term)).join(' ');
    return { conversationId: conversation.id, seq, text: wanted };
  });
  await writeEach(session, [...items, ...(await putPostings(store, indexed))], { sleep: async () => {} });
  return conversation.id;
}
