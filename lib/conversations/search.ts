/** Messages by what was said in them: the index says where to look, the messages and their conversations decide. */

import type { StoredProject } from '../projects/store.ts';
import { matchesIn, type Query, termsOf } from '../text/query.ts';
import type { Span } from '../text/terms.ts';
import type { Message } from './schema/message.ts';
import { getManyUnerased } from './store/conversations.ts';
import { type ConversationFilters, passes, startRange } from './store/list.ts';
import { getMessagesAt, type MessagePlace, type Store } from './store/messages.ts';
import { findPlaces, placeBehind, placeId, placeOf } from './store/postings.ts';

export type MessageSearch = {
  query: Query;
  filters: ConversationFilters;
  /** Where to go on. */
  after: string | undefined;
  limit: number;
};

/** `spans` says where in the text. */
export type FoundMessage = Message & MessagePlace & { spans: Span[] };

/** A call reads at most about so many entries of indexes and messages, and the cursor goes on. */
const maxRead = 1000;
/** It looks for words in at most about so many bytes of text, as UTF-8, and for so long. */
const maxTextBytes = 1024 * 1024;
const maxMs = 5000;
/** At once. A message has at most 16 KB of text. */
const maxBatch = 100;

/**
 * @param elapsedMs how long the request has taken so far
 * @returns what was found, newest conversations first and in each the latest message first, and where to go on, null at
 *   the end
 */
export async function searchMessages(
  store: Store,
  project: StoredProject,
  { query, filters, after, limit }: MessageSearch,
  { nowMs, elapsedMs }: { nowMs: number; elapsedMs: () => number },
): Promise<{ found: FoundMessage[]; next: string | null }> {
  const { from, to } = startRange(project, filters, nowMs);
  const wanted = { terms: termsOf(query), filters, from, to: after ?? to, count: limit + 1 };
  const budget = { left: maxRead };
  // From now on: a request that begins its search late gets on all the same.
  const begunMs = elapsedMs();
  const isOver = () => elapsedMs() - begunMs > maxMs;
  const places = findPlaces(store, project.id, wanted, budget);
  const found: FoundMessage[] = [];
  let bytesLeft = maxTextBytes;
  let next: string | null | undefined;
  // One more than asked for tells whether there is a next page. Where most of what is read is dropped, each further read is
  // larger.
  for (let size = limit + 1; next === undefined && found.length <= limit; size *= 2) {
    const batch: string[] = [];
    while (next === undefined && batch.length < Math.min(size, maxBatch)) {
      if (isOver()) budget.left = 0;
      const { done, value } = await places.next();
      if (done) next = value;
      else batch.push(value);
    }
    budget.left -= batch.length;
    const messages = await readMessages(store, project.id, batch, filters, nowMs);
    for (const [index, place] of batch.entries()) {
      // The first one is looked at in any case, so that every call gets on.
      const isFirst = index === 0 && bytesLeft === maxTextBytes;
      if (!isFirst && (bytesLeft <= 0 || isOver())) {
        next = place;
        break;
      }
      const message = messages.get(place);
      if (!message || found.length > limit) continue;
      bytesLeft -= Buffer.byteLength(message.text);
      const spans = matchesIn(message.text, query);
      if (spans) found.push({ ...message, spans });
    }
  }
  const last = found[limit - 1];
  if (found.length <= limit || !last) return { found, next: next ?? null };
  return { found: found.slice(0, limit), next: placeBehind(placeId(last)) };
}

/** @returns the messages at those of the places that are in conversations which pass, by place */
async function readMessages(
  store: Store,
  projectId: string,
  places: readonly string[],
  filters: ConversationFilters,
  nowMs: number,
): Promise<Map<string, Message & MessagePlace>> {
  const wanted = places.map(placeOf);
  const ids = [...new Set(wanted.map(({ conversationId }) => conversationId))];
  const [messages, conversations] = await Promise.all([
    getMessagesAt(store, projectId, wanted),
    getManyUnerased(store, projectId, ids),
  ]);
  // One that was erased is not there, whatever is left of its messages.
  const passing = new Set(conversations.filter((item) => passes(item, filters, nowMs)).map(({ id }) => id));
  const readable = messages.filter(({ conversationId }) => passing.has(conversationId));
  return new Map(readable.map((message) => [placeId(message), message]));
}
