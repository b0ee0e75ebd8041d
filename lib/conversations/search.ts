/** Searches messages: the index returns candidates, and the messages and their conversations decide. */

import { withinEnvironments } from '../avatars/deployments/store/deployments.ts';
import type { Caller } from '../base/caller.ts';
import { lastIdAt, timeOfId } from '../base/ids.ts';
import { continuation } from '../base/pages.ts';
import type { StoredProject } from '../projects/store.ts';
import { matchesIn, type Query, termsOf } from '../text/query.ts';
import type { Span } from '../text/terms.ts';
import { tokenizer } from '../text/terms.ts';
import type { Message } from './schema/message.ts';
import { getManyUnerased, type ProjectStore, type StoredConversation } from './store/conversations.ts';
import type { Generation } from './store/generations.ts';
import { type ConversationFilters, matchesFilters, startRange } from './store/list.ts';
import { getMessagesAt, type MessagePosition } from './store/messages.ts';
import { findPositions, parsePosition, positionAbove, positionBelow, positionId } from './store/postings.ts';
import { getSummaries } from './store/scores.ts';

type MessageSearch = {
  /** The generation of the index to search. */
  generation: Generation;
  /** The query consists of terms of the generation's tokenizer. */
  query: Query;
  filters: ConversationFilters;
  /** Leaves out messages of the role `tool`. */
  hideTools: boolean;
  /** The position from which to continue. */
  after: string | undefined;
  limit: number;
};

/** `spans` are the matches in the text. */
type FoundMessage = Message & MessagePosition & { spans: Span[] };

/** The approximate number of index entries and messages that a request reads. The cursor continues from there. */
const maxRead = 1000;
/** The approximate amount of text (bytes of UTF-8) and time after which a request stops searching. */
const maxTextBytes = 1024 * 1024;
const maxMs = 5000;
/** Messages that are read at once. Each has at most 16 KB of text. */
const maxBatch = 100;

/**
 * @param elapsedMs how long the request has taken so far
 * @returns the messages, by conversation (newest first) and message (latest first), and the position from which to
 *   continue; null at the end
 */
export async function searchMessages(
  store: ProjectStore,
  project: StoredProject,
  caller: Pick<Caller, 'environments'>,
  { generation, query, filters, hideTools, after, limit }: MessageSearch,
  { nowMs, elapsedMs }: { nowMs: number; elapsedMs: () => number },
): Promise<{ found: FoundMessage[]; next: string | null }> {
  const terms = termsOf(query);
  // The index may be older than the tokenizer that has accepted the query.
  if (terms.length === 0) return { found: [], next: null };
  const { from, to } = startRange(project, filters, nowMs);
  const positionsQuery = { generation, terms, filters, from, to: after ?? to, count: limit + 1 };
  const tokenize = tokenizer(generation.tokenizer);
  const budget = { left: maxRead };
  // The time counts from here, so that a request makes progress even if its first reads were slow.
  const startMs = elapsedMs();
  const isOutOfTime = () => elapsedMs() - startMs > maxMs;
  const positions = findPositions(store, positionsQuery, budget);
  const found: FoundMessage[] = [];
  let bytesLeft = maxTextBytes;
  let next: string | null | undefined;
  // One message more than `limit` tells whether there is a next page. Each further batch is larger, because most candidates of
  // the previous batch did not match.
  for (let size = limit + 1; next === undefined && found.length <= limit; size *= 2) {
    const batch: string[] = [];
    while (next === undefined && batch.length < Math.min(size, maxBatch)) {
      if (isOutOfTime()) budget.left = 0;
      const { done, value } = await positions.next();
      if (done) next = value;
      else batch.push(value);
    }
    budget.left -= batch.length;
    const readable = await readMessages(store, caller, batch, filters, nowMs);
    for (const [index, position] of batch.entries()) {
      // The first message is always searched, so that every request makes progress.
      const isFirst = index === 0 && bytesLeft === maxTextBytes;
      if (!isFirst && (bytesLeft <= 0 || isOutOfTime())) {
        next = position;
        break;
      }
      const message = readable.get(position);
      if (!message || (hideTools && message.role === 'tool') || found.length > limit) continue;
      bytesLeft -= Buffer.byteLength(message.text);
      const spans = matchesIn(message.text, query, tokenize);
      if (spans) found.push({ ...message, spans });
    }
  }
  const last = found[limit - 1];
  if (found.length <= limit || !last) {
    const end = next ?? null;
    return { found, next: end && caller.environments ? discreet(end, found.at(-1), after) : end };
  }
  return { found: found.slice(0, limit), next: positionBelow(positionId(last)) };
}

/** @returns the position, which names no conversation that the caller may not see */
function discreet(read: string, last: MessagePosition | undefined, after: string | undefined): string {
  const { conversationId } = parsePosition(read);
  if (conversationId === last?.conversationId) return read;
  const atTime = positionAbove(lastIdAt('conversation', timeOfId(conversationId)));
  const returned = last && positionBelow(positionId(last));
  return continuation(read, atTime, { order: 'newest', after, returned });
}

/** @returns the messages by position, without those whose conversation is erased or does not match */
async function readMessages(
  store: ProjectStore,
  caller: Pick<Caller, 'environments'>,
  positions: readonly string[],
  filters: ConversationFilters,
  nowMs: number,
): Promise<Map<string, Message & MessagePosition>> {
  const parsedPositions = positions.map(parsePosition);
  const ids = [...new Set(parsedPositions.map(({ conversationId }) => conversationId))];
  const [messages, conversations, summaries] = await Promise.all([
    getMessagesAt(store, parsedPositions),
    getManyUnerased(store, ids),
    filters.scores?.length ? getSummaries(store, ids) : undefined,
  ]);
  const isMatch = (stored: StoredConversation) =>
    matchesFilters(stored, summaries?.get(stored.id)?.scores, filters, nowMs);
  const matching = await withinEnvironments(store, caller, conversations.filter(isMatch));
  const matchingIds = new Set(matching.map(({ id }) => id));
  const readable = messages.filter(({ conversationId }) => matchingIds.has(conversationId));
  return new Map(readable.map((message) => [positionId(message), message]));
}
