/**
 * What finds messages by their words: for each distinct term of a message a posting, which is nothing but a place, in that
 * term's partition. Places sort by the start of their conversation and then by `seq`, as conversations do in theirs: so
 * the postings of several terms, and the conversations of a filter, can be gone through side by side.
 *
 * The index follows the messages, and says how far it has come. It decides nothing: whoever finds a place reads the message.
 */

import { type Budget, intersect, sourceOf, sparsest } from '../../dynamodb/intersection.ts';
import type { Store, Within } from '../../dynamodb/store.ts';
import type { Item, Write } from '../../dynamodb/write.ts';
import { distinctTerms } from '../../text/terms.ts';
import { chooseIndex, type Filters, partitionOf } from './list-index.ts';
import type { MessagePlace } from './messages.ts';

const seqDigits = 10;

/** What a place looks like, also as a cursor's position. */
export const placePattern = /^conv_[0-7][0-9A-HJKMNP-TV-Z]{25}#\d{10}$/;

export const placeId = ({ conversationId, seq }: MessagePlace): string =>
  `${conversationId}#${String(seq).padStart(seqDigits, '0')}`;

export function placeOf(id: string): MessagePlace {
  const [conversationId = '', seq] = id.split('#');
  return { conversationId, seq: Number(seq) };
}

/** @returns the place before which the list goes on behind this one */
export const placeBehind = (id: string): string => {
  const { conversationId, seq } = placeOf(id);
  return placeId({ conversationId, seq: seq - 1 });
};

/** Behind the last message that a conversation could have. */
const lastPlace = (conversationId: string) => `${conversationId}#${'9'.repeat(seqDigits)}`;
const conversationOf = (id: string) => id.split('#')[0] ?? '';

/** A term holds letters, digits and emoji, and is short: it can stand in a key as it is. */
const postingsOf = (projectId: string, term: string): Within => [projectId, 'term', term];

/** What the index has of a message. */
export type IndexedMessage = MessagePlace & { text: string; ttl: number | undefined };

/** @param item a message as it is stored */
export const indexedMessage = (conversationId: string, { seq, text, ttl }: Item): IndexedMessage => ({
  conversationId,
  seq: seq as number,
  text: text as string,
  ttl: ttl as number | undefined,
});

/**
 * Brings the index from one state of a message to another, in either of which it may not be there. Doing it again changes
 * nothing more.
 */
export function changePostings(
  store: Store,
  projectId: string,
  before: IndexedMessage | undefined,
  after: IndexedMessage | undefined,
): Write<never>[] {
  if (before && after && before.text === after.text && before.ttl === after.ttl) return [];
  const condition = { kind: 'any' } as const;
  const terms = after ? distinctTerms(after.text) : new Set<string>();
  const gone = before ? [...distinctTerms(before.text)].filter((term) => !terms.has(term)) : [];
  return [
    ...gone.map((term) =>
      store.remove('conversationSearch', placeId(before as IndexedMessage), {
        within: postingsOf(projectId, term),
        condition,
      }),
    ),
    ...[...terms].map((term) => {
      const { ttl, ...place } = after as IndexedMessage;
      const item = { id: placeId(place), ...(ttl !== undefined && { ttl }) };
      return store.put('conversationSearch', item, { within: postingsOf(projectId, term), condition });
    }),
  ];
}

const indexedId = 'indexed';

/** Notes up to when messages have been indexed. Refused where a later time stands there already. */
export const noteIndexed = (store: Store, projectId: string, through: string): Write<never> =>
  store.put(
    'conversationSearch',
    { id: indexedId, through },
    { within: [projectId], condition: { kind: 'absent_or_before', attribute: 'through', value: through } },
  );

/** @returns when the latest message that has been indexed was stored; null before the first */
export async function getIndexedThrough(store: Store, projectId: string): Promise<string | null> {
  return ((await store.get('conversationSearch', indexedId, [projectId]))?.through as string) ?? null;
}

export type PlacesQuery = {
  /** At least one. */
  terms: readonly string[];
  filters: Filters;
  /** Conversations from this id on. */
  from: string;
  /** Places up to this one, or below this conversation. */
  to: string;
  /** How many places are wanted at first. */
  count: number;
};

/** Over all partitions together, so many are read at first at most. */
const maxFirstRead = 500;
/** So many terms are looked up. */
const maxTerms = 10;
/** They are chosen, as the rarest, among so many, which are the longest: those are rare in most languages. */
const maxProbed = 20;

/**
 * @returns places of messages, newest first, and at the end where to go on. All messages that have the terms and are in
 *   conversations with the most selective of the filters are among them; so may be others
 */
export async function* findPlaces(
  store: Store,
  projectId: string,
  { terms, filters, from, to, count }: PlacesQuery,
  budget: Budget,
): AsyncGenerator<string, string | null> {
  const index = chooseIndex(filters);
  const longest = terms.toSorted((a, b) => b.length - a.length).slice(0, maxProbed);
  const pageSize = Math.min(count, Math.floor(maxFirstRead / (longest.length + 1)));
  const options = { from, budget, pageSize };
  const sources = longest.map((term) =>
    sourceOf(store, { table: 'conversationSearch', partition: postingsOf(projectId, term), ...options }),
  );
  const postings = (await sparsest(sources, to, maxTerms)).map((source) => ({ source, exact: true }));
  const conversations = index && {
    source: sourceOf(store, {
      table: 'conversations',
      partition: partitionOf(projectId, index),
      ...options,
      // A conversation stands for every place in it.
      keyOf: conversationOf,
      reach: (id, bound) => (id === conversationOf(bound) ? bound : lastPlace(id)),
    }),
    exact: false,
  };
  return yield* intersect(conversations ? [...postings, conversations] : postings, to, placeBehind);
}
