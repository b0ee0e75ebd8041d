/** Lists of a project's conversations, by any combination of filters. */

import type { Order, Page, Store } from '../../dynamodb/store.ts';
import type { Item } from '../../dynamodb/write.ts';
import { firstIdAt, idRangeOf } from '../../ids.ts';
import type { StoredProject } from '../../projects/store.ts';
import type { Conversation } from '../schema/conversation.ts';
import {
  asOf,
  getManyUnerased,
  pageUnerased,
  retentionCutoffMs,
  type StoredConversation,
} from './conversations.ts';
import { chooseIndex, type Filters, hasFixed, partitionOf } from './list-index.ts';

export type ConversationFilters = Filters & {
  status: Conversation['status'] | undefined;
  /** Epoch milliseconds: the first is included, the last is not. */
  startedFromMs: number | undefined;
  startedBeforeMs: number | undefined;
};

export type ConversationList = ConversationFilters & {
  order: Order;
  after: string | undefined;
  limit: number;
};

const idRange = idRangeOf('conversation');

/** @returns the ids that conversations of these starts can have, as far as the project keeps them */
export function startRange(
  project: StoredProject,
  { startedFromMs = 0, startedBeforeMs }: ConversationFilters,
  nowMs: number,
): { from: string; to: string } {
  const fromMs = Math.max(startedFromMs, (retentionCutoffMs(project, nowMs) ?? -1) + 1);
  return {
    from: firstIdAt('conversation', fromMs),
    to: startedBeforeMs === undefined ? idRange.last : firstIdAt('conversation', startedBeforeMs),
  };
}

/** @returns whether a conversation, as it is stored, is one that these filters ask for; its start does not count */
export function passes(item: Item, filters: ConversationFilters, nowMs: number): boolean {
  const { tag, status } = filters;
  if (!hasFixed(item, filters)) return false;
  const conversation = asOf(item as Item & StoredConversation, nowMs);
  if (tag !== undefined && !conversation.tags.includes(tag)) return false;
  return status === undefined || conversation.status === status;
}

/**
 * Goes by the most selective index that a filter has, and by the start. Of what it reads there, the fixed values drop
 * what they can; what may change, status and tags, is decided on the conversations themselves.
 */
export async function listConversations(
  store: Store,
  project: StoredProject,
  list: ConversationList,
  nowMs: number,
): Promise<Page<Item & StoredConversation>> {
  const { order, after, limit } = list;
  const keep = (item: Item) => passes(item, list, nowMs);
  const follow = async (entries: readonly Item[]) => {
    const ids = entries.map(({ id }) => id);
    const found = await getManyUnerased(store, project.id, ids);
    const byId = new Map(found.filter(keep).map((item) => [item.id, item]));
    return ids.flatMap((id) => byId.get(id) ?? []);
  };
  const index = chooseIndex(list);
  const range = { ...startRange(project, list, nowMs), order, after, limit };
  const { items, next } = index
    ? await store.page('conversations', {
        ...range,
        within: partitionOf(project.id, index),
        keep: (entry) => hasFixed(entry, list),
        follow,
      })
    : await pageUnerased(store, project.id, { ...range, keep });
  return { items: items.map((item) => asOf(item as Item & StoredConversation, nowMs)), next };
}
