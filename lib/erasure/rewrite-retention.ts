/**
 * Applies a change of `retentionDays` to the stored conversations of a project. Each change of the setting goes through all
 * of them, continues from a checkpoint in the next turn, and applies the current setting. So the latest change wins, and ends
 * the runs of the changes before it.
 */

import { inBatches } from '../base/batches.ts';
import { timeOfId } from '../base/ids.ts';
import { pagesOf } from '../base/pages.ts';
import { again, retry } from '../base/retry.ts';
import { secondMs } from '../base/time.ts';
import { removeContaining } from '../bulk/exports/files/remove.ts';
import { conversations, type ProjectStore } from '../conversations/store/conversations.ts';
import {
  getCheckpoint,
  messageContents,
  pageContents,
  pageStoredConversations,
  putCheckpoint,
  type RetentionPosition,
  removeCheckpoint,
  scoreContents,
  setConversationTtl,
  setEntriesTtl,
  setItemsTtl,
  setSummaryTtl,
} from '../conversations/store/retention.ts';
import { retentionTtl } from '../conversations/store/state.ts';
import { getDeletedProject, getProject, type StoredProject } from '../projects/store.ts';
import { replies } from '../replies/store/replies.ts';
import type { Notice } from '../workers/notice.ts';
import { checkTurn, TurnOver } from '../workers/turn.ts';
import type { WorkerInput } from '../workers/worker.ts';
import { commitEach, commitPatiently } from '../workers/writes.ts';

/** No request takes longer. A request that read the project before the change may still create a conversation. */
const requestMs = 40 * secondMs;
const conversationsAtOnce = 20;

export async function rewriteRetention(notice: Notice, input: WorkerInput): Promise<void> {
  const { id, atMs, changedIn = '' } = notice;
  const { nowMs } = input;
  const waitMs = atMs + requestMs - nowMs();
  if (waitMs > 0) {
    if (input.later(notice, Math.ceil(waitMs / secondMs))) return;
    throw new Error('requests may still have read the project before the change');
  }
  const store = input.store.inProject(id);
  const getCurrent = async () => (await getProject(store, id)) ?? getDeletedProject(store, id, nowMs());
  const save = (position: RetentionPosition) =>
    commitPatiently(input, [putCheckpoint(store, changedIn, position)]);
  const firstRead = await getCurrent();
  const stored = await getCheckpoint(store, changedIn);
  if (firstRead && !stored) await removeExportsOf(store, firstRead, input);
  for (let { upTo, within = {} } = stored ?? { upTo: '' }; ; within = {}) {
    const project = await getCurrent();
    // The setting has changed again. That change has a run of its own.
    if (!project || project.settings.retentionDays !== firstRead?.settings.retentionDays) return;
    const page = await pageStoredConversations(store, upTo || undefined, conversationsAtOnce);
    const places = new Map(Object.entries(within));
    try {
      await inBatches(page.items, conversationsAtOnce, (item) =>
        rewriteConversation(store, project, item.id, places, input),
      );
    } catch (error) {
      if (error instanceof TurnOver && (await save({ upTo, within: Object.fromEntries(places) }))) return;
      throw error;
    }
    if (page.next === null) {
      await commitPatiently(input, [removeCheckpoint(store, changedIn)]);
      return;
    }
    upTo = page.next;
    if (await save({ upTo })) return;
    checkTurn(input);
  }
}

/** Removes the files of exports that would outlive something in them. */
const removeExportsOf = (store: ProjectStore, project: StoredProject, input: WorkerInput): Promise<void> =>
  removeContaining(
    store,
    'conversations',
    ({ first, expiresAt }) => {
      const { ttl } = retentionTtl(project, timeOfId(first));
      return ttl !== undefined && ttl * secondMs < Date.parse(expiresAt);
    },
    'retention_shortened',
    input,
  );

/** The last message that has the new `ttl`, by conversation. Later messages come after it. */
type Places = Map<string, string>;

/**
 * Changes the conversation last, and only if it is unchanged since the read. Otherwise this function starts again: items that
 * were added in the meantime have the old `ttl`. Items that are added later have the new `ttl`. So the conversation does not
 * expire before its items have a `ttl`.
 */
async function rewriteConversation(
  store: ProjectStore,
  project: StoredProject,
  id: string,
  places: Places,
  input: WorkerInput,
): Promise<void> {
  const attempt = async () => {
    const conversation = await conversations.at(store).get(id);
    if (!conversation) return undefined;
    const { ttl } = retentionTtl(project, Date.parse(conversation.startedAt));
    await commitEach(input, await setEntriesTtl(store, conversation, ttl));
    const { messages, pointers } = messageContents(store, id);
    await rewriteContents(store, messages, ttl, input, {
      after: places.get(id),
      moveTo: (last) => places.set(id, last),
    });
    await rewriteContents(store, pointers, ttl, input);
    // The other items of replies expire after a day.
    await rewriteContents(store, replies.at(store, id), ttl, input);
    await rewriteScores(store, id, ttl, input);
    if (conversation.ttl === ttl) return undefined;
    const refusal = await commitPatiently(input, [setConversationTtl(store, conversation, ttl)]);
    if (refusal) return again;
    // A score does not change its conversation. One that was written meanwhile may have the old `ttl`.
    await rewriteScores(store, id, ttl, input);
    return undefined;
  };
  await retry(attempt, { failure: () => new Error('lost too many races for the conversation') });
}

async function rewriteScores(
  store: ProjectStore,
  id: string,
  ttl: number | undefined,
  input: WorkerInput,
): Promise<void> {
  await rewriteContents(store, scoreContents(store, id), ttl, input);
  const attempt = async () => {
    const refusals: boolean[] = [];
    for (const write of await setSummaryTtl(store, id, ttl))
      refusals.push((await commitPatiently(input, [write])) !== undefined);
    return refusals.includes(true) ? again : undefined;
  };
  await retry(attempt, { failure: () => new Error('lost too many races for the scores') });
}

/**
 * @param place for items that are only added at the end
 * @throws TurnOver after a page that the next turn does not read, or does not write
 */
async function rewriteContents(
  store: ProjectStore,
  contents: ReturnType<typeof scoreContents>,
  ttl: number | undefined,
  input: WorkerInput,
  place?: { after: string | undefined; moveTo(last: string): unknown },
): Promise<void> {
  for await (const items of pagesOf((after = place?.after) => pageContents(store, contents, after))) {
    const writes = setItemsTtl(store, contents, items, ttl);
    await commitEach(input, writes);
    const last = items.at(-1)?.id;
    if (last !== undefined) place?.moveTo(last);
    if (writes.length > 0 || (place && last !== undefined)) checkTurn(input);
  }
}
