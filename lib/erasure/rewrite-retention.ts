/**
 * Applies a change of `retentionDays` to the stored conversations of a project. Each change of the setting goes through all
 * of them, continues from a checkpoint after an interruption, and applies the current setting. So the latest change wins.
 */

import { timeOfId } from '../base/ids.ts';
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
  removeCheckpoint,
  scoreContents,
  setConversationTtl,
  setEntriesTtl,
  setItemsTtl,
  setSummaryTtl,
} from '../conversations/store/retention.ts';
import { retentionTtl } from '../conversations/store/state.ts';
import { getDeletedProject, getProject, type StoredProject } from '../projects/store.ts';
import type { Notice } from '../workers/notice.ts';
import { checkRemainingTime, type WorkerInput } from '../workers/worker.ts';
import { commitEach, commitPatiently } from '../workers/writes.ts';

/** No request takes longer. A request that read the project before the change may still create a conversation. */
const requestMs = 40 * secondMs;
const conversationsAtOnce = 20;

export async function rewriteRetention(
  { id, atMs, changedIn = '' }: Pick<Notice, 'id' | 'atMs' | 'changedIn'>,
  input: WorkerInput,
): Promise<void> {
  const { nowMs, sleep } = input;
  const store = input.store.inProject(id);
  await sleep(Math.max(0, atMs + requestMs - nowMs()));
  const getCurrent = async () => (await getProject(store, id)) ?? getDeletedProject(store, id, nowMs());
  const firstRead = await getCurrent();
  if (firstRead) await removeExportsOf(store, firstRead, input);
  for (let upTo = await getCheckpoint(store, changedIn); ; ) {
    const project = await getCurrent();
    // The setting has changed again. That change has a run of its own.
    if (!project || project.settings.retentionDays !== firstRead?.settings.retentionDays) return;
    const page = await pageStoredConversations(store, upTo, conversationsAtOnce);
    await Promise.all(page.items.map((item) => rewriteConversation(store, project, item.id, input)));
    if (page.next === null) {
      await commitPatiently(input, [removeCheckpoint(store)]);
      return;
    }
    upTo = page.next;
    await commitPatiently(input, [putCheckpoint(store, changedIn, upTo)]);
    checkRemainingTime(input);
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

/**
 * Changes the conversation last, and only if it is unchanged since the read. Otherwise this function starts again: items that
 * were added in the meantime have the old `ttl`. Items that are added later have the new `ttl`. So the conversation does not
 * expire before its items have a `ttl`.
 */
async function rewriteConversation(
  store: ProjectStore,
  project: StoredProject,
  id: string,
  input: WorkerInput,
): Promise<void> {
  const attempt = async () => {
    const conversation = await conversations.at(store).get(id);
    if (!conversation) return undefined;
    const { ttl } = retentionTtl(project, Date.parse(conversation.startedAt));
    await commitEach(input, await setEntriesTtl(store, conversation, ttl));
    for (const contents of messageContents(store, id)) await rewriteContents(store, contents, ttl, input);
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

async function rewriteContents(
  store: ProjectStore,
  contents: ReturnType<typeof scoreContents>,
  ttl: number | undefined,
  input: WorkerInput,
): Promise<void> {
  for (let after: string | undefined; ; ) {
    const page = await pageContents(store, contents, after);
    await commitEach(input, setItemsTtl(store, contents, page.items, ttl));
    if (page.next === null) return;
    after = page.next;
    checkRemainingTime(input);
  }
}
