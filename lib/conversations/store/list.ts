/** Lists of the conversations of a project, with any combination of filters. */

import { withinEnvironments } from '../../avatars/deployments/store/deployments.ts';
import { firstIdAt, idRangeOf } from '../../base/ids.ts';
import { withDiscreetNext } from '../../base/pages.ts';
import { getPointer } from '../../dynamodb/pointers.ts';
import { type Order, type Page, toPage } from '../../dynamodb/store.ts';
import type { StoredProject } from '../../projects/store.ts';
import { matchesScores } from '../../scores/comparison.ts';
import type { Conversation } from '../schema/conversation.ts';
import {
  conversationPointers,
  findMany,
  getManyUnerased,
  type ProjectStore,
  pageUnerased,
  type StoredConversation,
} from './conversations.ts';
import {
  chooseIndex,
  conversationEntries,
  type Filters,
  hasFixedValues,
  mayMatch,
  type StoredEntry,
} from './list-index.ts';
import { getSummaries, type Scored, type StoredScoreSummary, scored, withScores } from './scores.ts';
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
  /** Only conversations whose deployment is in these environments, or that have none; null or missing for all. */
  environments?: readonly string[] | null;
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
 * @param scores its effective scores, by name
 * @returns whether it matches the filters now, apart from its start, which `startRange` covers
 */
export function matchesFilters(
  stored: StoredConversation,
  scores: StoredScoreSummary['scores'] | undefined,
  filters: ConversationFilters,
  nowMs: number,
): boolean {
  const { tag, status } = filters;
  if (!hasFixedValues(stored, filters)) return false;
  if (filters.test !== undefined && filters.test !== (stored.test ?? false)) return false;
  if (tag !== undefined && !stored.tags.includes(tag)) return false;
  if (!matchesScores(scores, filters.scores)) return false;
  return status === undefined || conversationAt(stored, nowMs).status === status;
}

export type ListedConversation = Scored<StoredConversation>;

/** Other environments may have most of the conversations, so a page of few environments reads more at once, several times. */
const readAtOnce = 100;
const maxReads = 5;

/** @returns a page, whose `next` names no conversation of another environment */
export async function listConversations(
  store: ProjectStore,
  project: StoredProject,
  list: ConversationList,
  nowMs: number,
): Promise<Page<ListedConversation>> {
  const { environments = null, order, after, limit } = list;
  if (environments === null) return listInProject(store, project, list, nowMs);
  const found: ListedConversation[] = [];
  let next: string | null = after ?? null;
  for (
    let reads = 0;
    reads === 0 || (reads < maxReads && next !== null && found.length < limit);
    reads += 1
  ) {
    const query = { ...list, after: next ?? undefined, limit: Math.max(limit, readAtOnce) };
    const page = await listInProject(store, project, query, nowMs);
    found.push(...(await withinEnvironments(store, { environments }, page.items)));
    next = page.next;
  }
  return withDiscreetNext('conversation', toPage(found, limit, next), { order, after });
}

/**
 * The externalId leads to at most one conversation. Otherwise, this reads the most selective index that the filters name, in
 * the order of the start. The entries have the values that never change, so these values are filtered there. Status, tags and
 * scores are filtered on the conversations themselves.
 */
async function listInProject(
  store: ProjectStore,
  project: StoredProject,
  list: ConversationList,
  nowMs: number,
): Promise<Page<ListedConversation>> {
  const { externalId, order, after, limit } = list;
  const range = { ...startRange(project, list, nowMs), order, after, limit };
  const show = (stored: StoredConversation, summary: StoredScoreSummary | undefined) =>
    withScores(conversationAt(stored, nowMs), summary);
  const matches = (stored: StoredConversation, summary?: StoredScoreSummary) =>
    matchesFilters(stored, summary?.scores, list, nowMs);
  if (externalId !== undefined) {
    const pointer = await getPointer(conversationPointers.at(store), externalId);
    const ids = pointer ? [pointer.resourceId] : [];
    const [found, summaries] = await Promise.all([
      findMany(store, ids, { project, nowMs }),
      getSummaries(store, ids),
    ]);
    const items = ids.flatMap((id) => {
      const conversation = found.get(id)?.conversation;
      const summary = summaries.get(id);
      const isMatch = conversation && isInRange(conversation, range) && matches(conversation, summary);
      return isMatch ? [show(conversation, summary)] : [];
    });
    return { items, next: null };
  }
  const index = chooseIndex(list);
  if (!index) {
    // Without an index, no filter is about scores.
    const filter = (stored: StoredConversation) => matches(stored);
    const [page, summaries] = await Promise.all([
      pageUnerased(store, { ...range, filter }),
      scored.at(store).page(range),
    ]);
    const byId = await allSummaries(store, page.items, summaries, order);
    const items = page.items.map((stored) => show(stored, byId.get(stored.id)));
    return toPage(items, limit, page.next);
  }
  const filter = (entry: StoredEntry) => mayMatch(entry, index, list);
  return conversationEntries.at(store, ...index).pageHydrated({ ...range, filter }, async (entries) => {
    const ids = entries.map(({ id }) => id);
    const [storedConversations, summaries] = await Promise.all([
      getManyUnerased(store, ids),
      getSummaries(store, ids),
    ]);
    const byId = new Map(storedConversations.map((stored) => [stored.id, stored]));
    return ids.flatMap((id) => {
      const stored = byId.get(id);
      const summary = summaries.get(id);
      return stored && matches(stored, summary) ? [show(stored, summary)] : [];
    });
  });
}

/** @returns the summaries of all these conversations: the page of summaries may end before the page of conversations does */
async function allSummaries(
  store: ProjectStore,
  conversations: readonly StoredConversation[],
  { items, next }: Page<StoredScoreSummary>,
  order: Order,
): Promise<Map<string, StoredScoreSummary>> {
  const isBeyond = (id: string) => next !== null && (order === 'oldest' ? id > next : id < next);
  const beyond = conversations.map(({ id }) => id).filter(isBeyond);
  const others =
    beyond.length > 0 ? await getSummaries(store, beyond) : new Map<string, StoredScoreSummary>();
  return new Map([...items.map((summary) => [summary.id, summary] as const), ...others]);
}
