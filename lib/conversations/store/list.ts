/** Lists of the conversations of a project, with any combination of filters. */

import { firstIdAt, idRangeOf } from '../../base/ids.ts';
import type { Order, Page } from '../../dynamodb/store.ts';
import type { StoredProject } from '../../projects/store.ts';
import type { Conversation } from '../schema/conversation.ts';
import {
  findByExternalId,
  getManyUnerased,
  type ProjectStore,
  pageUnerased,
  type StoredConversation,
} from './conversations.ts';
import { chooseIndex, conversationEntries, type Filters, hasFixedValues } from './list-index.ts';
import { conversationAt, retentionCutoffMs } from './state.ts';

export type ConversationFilters = Filters & {
  status: Conversation['status'] | undefined;
  /** Epoch milliseconds, inclusive. */
  startedFromMs: number | undefined;
  /** Epoch milliseconds, exclusive. */
  startedBeforeMs: number | undefined;
};

export type ConversationList = ConversationFilters & {
  externalId?: string | undefined;
  order: Order;
  after: string | undefined;
  limit: number;
};

const idRange = idRangeOf('conversation');

/** @returns the range of ids of conversations that started in the range of the filters and have not expired */
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

const isInRange = ({ id }: StoredConversation, { from, to }: { from: string; to: string }) =>
  id >= from && id <= to;

/**
 * @param stored the conversation as it is stored
 * @returns whether it matches the filters now, apart from its start, which `startRange` covers
 */
export function matchesFilters(
  stored: StoredConversation,
  filters: ConversationFilters,
  nowMs: number,
): boolean {
  const { tag, status } = filters;
  if (!hasFixedValues(stored, filters)) return false;
  if (tag !== undefined && !stored.tags.includes(tag)) return false;
  return status === undefined || conversationAt(stored, nowMs).status === status;
}

/**
 * The externalId leads to at most one conversation. Otherwise, this reads the most selective index that the filters name, in
 * the order of the start. The entries have the values that never change, so these values are filtered there. Status and tags
 * are filtered on the conversations themselves.
 */
export async function listConversations(
  store: ProjectStore,
  project: StoredProject,
  list: ConversationList,
  nowMs: number,
): Promise<Page<StoredConversation>> {
  const { externalId, order, after, limit } = list;
  if (externalId !== undefined) {
    const { conversation: found } = await findByExternalId(store, externalId, { project, nowMs });
    const isWanted =
      found && isInRange(found, startRange(project, list, nowMs)) && matchesFilters(found, list, nowMs);
    return { items: isWanted ? [found] : [], next: null };
  }
  const range = { ...startRange(project, list, nowMs), order, after, limit };
  const filter = (stored: StoredConversation) => matchesFilters(stored, list, nowMs);
  const index = chooseIndex(list);
  const { items, next } = index
    ? await conversationEntries
        .at(store, ...index)
        .pageHydrated({ ...range, filter: (entry) => hasFixedValues(entry, list) }, async (entries) => {
          const ids = entries.map(({ id }) => id);
          const found = await getManyUnerased(store, ids);
          const byId = new Map(found.filter(filter).map((stored) => [stored.id, stored]));
          return ids.flatMap((id) => byId.get(id) ?? []);
        })
    : await pageUnerased(store, { ...range, filter });
  return { items: items.map((stored) => conversationAt(stored, nowMs)), next };
}
