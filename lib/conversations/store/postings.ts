/**
 * The index that finds messages by words. A posting says which messages of a block contain a term. A block is 64
 * consecutive messages of a conversation. Postings are in the partition of their term, sorted by the start of the
 * conversation and then by block, like the list index. So a search can intersect the postings of several terms with the
 * conversations of a filter.
 *
 * A worker updates the index after the messages. A search checks each message itself, so the index may be out of date.
 */

import { setImmediate } from 'node:timers/promises';
import { split } from '../../base/batches.ts';
import { projectCollection } from '../../dynamodb/collection.ts';
import { type Budget, type Common, intersect, openSource, sparsest } from '../../dynamodb/intersection.ts';
import type { Write } from '../../dynamodb/write.ts';
import { distinctTerms, tokenizer } from '../../text/terms.ts';
import type { ProjectStore } from './conversations.ts';
import { type Generation, generationPart } from './generations.ts';
import { chooseIndex, conversationEntries, type Filters } from './list-index.ts';
import type { MessagePosition } from './messages.ts';

/** `seqs` are the messages of the block that contain the term. It has no stamps, because it is not written alone. */
type Posting = { tenant: string; id: string; seqs: ReadonlySet<number>; ttl?: number };

/** A term has letters, digits and emoji, and is short, so a key can contain it. */
export const postings = projectCollection<Posting, [generation: string, term: string]>(
  'conversationSearch',
  (generation, term) => ['term', generation, term],
);

/** A posting with this many positions is smaller than 1 KB, so that each change of it costs one write unit. */
const blockSize = 64;
const blockDigits = 8;
const seqDigits = 10;

/** The pattern of the position in a cursor. */
export const positionPattern = /^conv_[0-7][0-9A-HJKMNP-TV-Z]{25}#\d{10}$/;

export const positionId = ({ conversationId, seq }: MessagePosition): string =>
  `${conversationId}#${String(seq).padStart(seqDigits, '0')}`;

export function parsePosition(id: string): MessagePosition {
  const [conversationId = '', seq] = id.split('#');
  return { conversationId, seq: Number(seq) };
}

export const positionBelow = (id: string): string => {
  const { conversationId, seq } = parsePosition(id);
  return positionId({ conversationId, seq: seq - 1 });
};

/** @returns the highest position that a conversation could have */
export const positionAbove = (conversationId: string): string =>
  positionId({ conversationId, seq: blockSize * (10 ** blockDigits - 1) });

type Block = { conversationId: string; block: number };

/** Blocks are numbered from 1, as messages are. */
const blockOf = (seq: number): number => Math.ceil(seq / blockSize);

const blockId = ({ conversationId, block }: Block): string =>
  `${conversationId}#${String(block).padStart(blockDigits, '0')}`;

function parseBlock(id: string): Block {
  const [conversationId = '', block] = id.split('#');
  return { conversationId, block: Number(block) };
}

const blockBelow = (id: string): string => {
  const { conversationId, block } = parseBlock(id);
  return blockId({ conversationId, block: block - 1 });
};

/** This id is above every block that the conversation could have. */
const lastBlock = (conversationId: string) => `${conversationId}#${'9'.repeat(blockDigits)}`;
const conversationPart = (id: string) => id.split('#')[0] ?? '';

/** The part of a message that the index depends on. */
export type IndexedMessage = MessagePosition & { text: string; ttl?: number };

const condition = { kind: 'any' } as const;

/** After so many long messages, or terms, other work of the thread goes on. They take a small part of 100 ms. */
const messagesAtOnce = 5;
const termsAtOnce = 1000;

/**
 * Adds messages to the postings of their terms. A repetition, in any grouping, has no further effect. The notices of several tenants
 * share an invocation, so a long computation pauses.
 */
export async function addPostings(
  store: ProjectStore,
  generation: Generation,
  messages: readonly IndexedMessage[],
): Promise<Write<never>[]> {
  const groups: PostingGroups = new Map();
  for (const some of split(messages, messagesAtOnce)) {
    groupPostings(generation, some, groups);
    await setImmediate();
  }
  const writes: Write<never>[] = [];
  for (const some of split([...groups], termsAtOnce)) {
    for (const [term, blocks] of some) {
      const items = postings.at(store, generationPart(generation), term);
      for (const [id, { seqs, ttl }] of blocks) {
        const drop = ttl === undefined ? (['ttl'] as const) : [];
        writes.push(
          items.update(id, ttl === undefined ? {} : { ttl }, { condition, addToSet: { seqs }, drop }),
        );
      }
    }
    await setImmediate();
  }
  return writes;
}

/** Removes the postings of these messages, with all messages of their blocks. Their conversations no longer exist. */
export function removePostings(
  store: ProjectStore,
  generation: Generation,
  messages: readonly Pick<IndexedMessage, 'conversationId' | 'seq' | 'text'>[],
): Write<never>[] {
  return [...groupPostings(generation, messages)].flatMap(([term, blocks]) =>
    [...blocks.keys()].map((id) =>
      postings.at(store, generationPart(generation), term).remove(id, { condition }),
    ),
  );
}

type Blocks = Map<string, { seqs: Set<number>; ttl: number | undefined }>;
/** The blocks of each term. */
type PostingGroups = Map<string, Blocks>;

/** @param blocksByTerm the messages are added to these groups */
function groupPostings(
  generation: Generation,
  messages: readonly IndexedMessage[],
  blocksByTerm: PostingGroups = new Map(),
): PostingGroups {
  const tokenize = tokenizer(generation.tokenizer);
  for (const { conversationId, seq, text, ttl } of messages) {
    const id = blockId({ conversationId, block: blockOf(seq) });
    for (const term of distinctTerms(text, tokenize)) {
      const blocks: Blocks = blocksByTerm.get(term) ?? new Map();
      const { seqs } = blocks.get(id) ?? { seqs: new Set<number>() };
      blocksByTerm.set(term, blocks.set(id, { seqs: seqs.add(seq), ttl }));
    }
  }
  return blocksByTerm;
}

type PositionsQuery = {
  generation: Generation;
  /** There is at least one term. */
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
/** The rarest terms are chosen from this many of the longest terms: in most languages, long words are rare. */
const maxProbed = 20;

/**
 * @returns positions of messages, newest first, and at the end where to continue; null if that was all. They include all
 *   messages that have the terms and are in conversations with the most selective filter value. They may include other messages
 */
export async function* findPositions(
  store: ProjectStore,
  { generation, terms, filters, from, to, count }: PositionsQuery,
  budget: Budget,
): AsyncGenerator<string, string | null> {
  const longest = terms.toSorted((a, b) => b.length - a.length).slice(0, maxProbed);
  const pageSize = Math.min(count, Math.floor(maxFirstRead / (longest.length + 1)));
  const options = { from, budget, pageSize };
  const end = to.includes('#') ? blockAt(to) : to;
  const termSources = longest.map((term) => {
    const { table, partition } = postings.at(store, generationPart(generation), term);
    return openSource(store, { table, partition, ...options });
  });
  const sources = (await sparsest(termSources, end, maxTerms)).map((source) => ({ source, exact: true }));
  const index = chooseIndex(filters);
  if (index) {
    const { table, partition } = conversationEntries.at(store, ...index);
    const source = openSource(store, {
      table,
      partition,
      ...options,
      // An entry stands for every block of its conversation.
      keyOf: conversationPart,
      reach: (id, bound) => (id === conversationPart(bound) ? bound : lastBlock(id)),
    });
    sources.push({ source, exact: false });
  }
  const blocks = intersect(sources, end, blockBelow);
  for (;;) {
    const { done, value } = await blocks.next();
    if (done) return value === null || value === end ? value && to : lastPosition(value);
    for (const position of positionsIn(value).filter((position) => position <= to)) {
      // A block may have more positions than the budget allows.
      if (budget.left <= 0) return position;
      yield position;
    }
  }
}

const blockAt = (position: string): string => {
  const { conversationId, seq } = parsePosition(position);
  return blockId({ conversationId, block: blockOf(seq) });
};

const lastPosition = (id: string): string => {
  const { conversationId, block } = parseBlock(id);
  return positionId({ conversationId, seq: block * blockSize });
};

/** @returns the positions that all postings of a block have, latest first */
function positionsIn({ place, items }: Common): string[] {
  const { conversationId } = parseBlock(place);
  const [first = new Set<number>(), ...others] = items.map((item) => postings.read(item).seqs);
  return [...first]
    .filter((seq) => others.every((seqs) => seqs.has(seq)))
    .sort((a, b) => b - a)
    .map((seq) => positionId({ conversationId, seq }));
}
