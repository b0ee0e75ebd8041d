/**
 * The index that finds messages by words. For each distinct term of a message there is a posting in the partition of the
 * term. A posting is only a position: a conversation and a `seq`. Positions sort by the start of the conversation and then
 * by `seq`, like the list index, so a search can intersect the postings of several terms with the conversations of a filter.
 *
 * A worker updates the index after the messages. A search checks each message itself, so the index may be out of date.
 */

import { projectCollection, type Stored } from '../../dynamodb/collection.ts';
import { type Budget, intersect, openSource, sparsest } from '../../dynamodb/intersection.ts';
import { load } from '../../dynamodb/load.ts';
import type { Write } from '../../dynamodb/write.ts';
import { distinctTerms } from '../../text/terms.ts';
import type { ProjectStore } from './conversations.ts';
import { chooseIndex, conversationEntries, type Filters } from './list-index.ts';
import type { MessagePosition, StoredMessage } from './messages.ts';

/** Written in batches, so it has no stamps. */
export type Posting = { tenant: string; id: string; ttl?: number };

/** A term has letters, digits and emoji, and is short, so a key can contain it. */
export const postings = projectCollection<Posting, [term: string]>('conversationSearch', (term) => [
  'term',
  term,
]);

const seqDigits = 10;

/** Matches the id of a posting, which is also the position in a cursor. */
export const positionPattern = /^conv_[0-7][0-9A-HJKMNP-TV-Z]{25}#\d{10}$/;

export const positionId = ({ conversationId, seq }: MessagePosition): string =>
  `${conversationId}#${String(seq).padStart(seqDigits, '0')}`;

export function parsePosition(id: string): MessagePosition {
  const [conversationId = '', seq] = id.split('#');
  return { conversationId, seq: Number(seq) };
}

/** @returns the greatest position below this one */
export const positionBelow = (id: string): string => {
  const { conversationId, seq } = parsePosition(id);
  return positionId({ conversationId, seq: seq - 1 });
};

/** Above every message that the conversation could have. */
const lastPosition = (conversationId: string) => `${conversationId}#${'9'.repeat(seqDigits)}`;
const conversationPart = (position: string) => position.split('#')[0] ?? '';

/** The part of a message that the index depends on. */
export type IndexedMessage = MessagePosition & { text: string; ttl: number | undefined };

export const indexedMessage = (
  conversationId: string,
  { seq, text, ttl }: StoredMessage,
): IndexedMessage => ({ conversationId, seq, text, ttl });

/**
 * Changes the postings from one state of a message to another; undefined means that it does not exist. Repeating it has no
 * further effect.
 */
export function changePostings(
  store: ProjectStore,
  before: IndexedMessage | undefined,
  after: IndexedMessage | undefined,
): Write<never>[] {
  if (before && after && before.text === after.text && before.ttl === after.ttl) return [];
  const terms = after ? distinctTerms(after.text) : new Set<string>();
  return [...removePostings(store, before, terms), ...putPostings(store, after, terms)];
}

const condition = { kind: 'any' } as const;

const removePostings = (
  store: ProjectStore,
  message: IndexedMessage | undefined,
  kept: ReadonlySet<string>,
): Write<never>[] =>
  message
    ? [...distinctTerms(message.text)]
        .filter((term) => !kept.has(term))
        .map((term) => postings.at(store, term).remove(positionId(message), { condition }))
    : [];

function putPostings(
  store: ProjectStore,
  message: IndexedMessage | undefined,
  terms: ReadonlySet<string>,
): Write<never>[] {
  if (!message) return [];
  const posting = { id: positionId(message), ...(message.ttl !== undefined && { ttl: message.ttl }) };
  return [...terms].map((term) => postings.at(store, term).put(posting, { condition }));
}

const indexedId = 'indexed';

/** `through` is the latest `createdAt` of the indexed messages. */
export const indexProgress =
  projectCollection<Stored<{ id: typeof indexedId; through: string }>>('conversationSearch');

export const indexProgressOfProject = load({
  from: [indexProgress],
  read: (get) => get(indexProgress, indexedId),
});

/** Fails if a later time is stored. */
export const noteIndexed = (store: ProjectStore, through: string): Write<never> =>
  indexProgress
    .at(store)
    .put(
      { id: indexedId, through },
      { condition: { kind: 'absent_or_before', attribute: 'through', value: through } },
    );

export type PositionsQuery = {
  /** At least one. */
  terms: readonly string[];
  filters: Filters;
  /** The lowest id of a conversation. */
  from: string;
  /** The end: the highest position (inclusive), or the id of a conversation (exclusive). */
  to: string;
  /** How many positions the first reads should return. */
  count: number;
};

/** The maximum number of postings that the first reads of all partitions return together. */
const maxFirstRead = 500;
/** The maximum number of terms that are intersected. */
const maxTerms = 10;
/** The rarest terms are chosen from this many of the longest ones: in most languages, long words are rare. */
const maxProbed = 20;

/**
 * @returns positions of messages, newest first, and at the end where to continue; null if that was all. They include all
 *   messages that have the terms and are in conversations with the most selective filter value. They may include others
 */
export async function* findPositions(
  store: ProjectStore,
  { terms, filters, from, to, count }: PositionsQuery,
  budget: Budget,
): AsyncGenerator<string, string | null> {
  const longest = terms.toSorted((a, b) => b.length - a.length).slice(0, maxProbed);
  const pageSize = Math.min(count, Math.floor(maxFirstRead / (longest.length + 1)));
  const options = { from, budget, pageSize };
  const termSources = longest.map((term) => {
    const { table, partition } = postings.at(store, term);
    return openSource(store, { table, partition, ...options });
  });
  const sources = (await sparsest(termSources, to, maxTerms)).map((source) => ({ source, exact: true }));
  const index = chooseIndex(filters);
  if (index) {
    const { table, partition } = conversationEntries.at(store, ...index);
    const source = openSource(store, {
      table,
      partition,
      ...options,
      // An entry stands for every position in its conversation.
      keyOf: conversationPart,
      reach: (id, bound) => (id === conversationPart(bound) ? bound : lastPosition(id)),
    });
    sources.push({ source, exact: false });
  }
  return yield* intersect(sources, to, positionBelow);
}
