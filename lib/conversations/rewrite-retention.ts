/**
 * When a project keeps its conversations for another time than before, what is stored of them is to go at another time.
 * Each change of the setting goes over all of them, from a checkpoint where it was interrupted, and does what the
 * setting says now: so the latest one wins.
 */

import { getDeletedProject, getProject, type StoredProject } from '../projects/store.ts';
import { again, retry } from '../retry.ts';
import { secondMs } from '../time.ts';
import { commitEach, commitPatiently } from '../workers/commit-each.ts';
import type { WorkerInput } from '../workers/worker.ts';
import { getStoredConversation, ttlOf } from './store/conversations.ts';
import { messagePartitions, pageMessageItems } from './store/messages.ts';
import {
  getCheckpoint,
  pageStoredConversations,
  putCheckpoint,
  removeCheckpoint,
  setConversationTtl,
  setEntriesTtl,
  setMessagesTtl,
} from './store/retention.ts';

/** A request that has read the project before the change may still create a conversation: longer than any request. */
const underWayMs = 40 * secondMs;
const conversationsAtOnce = 20;
const maxAttempts = 20;
/** With less time left than this, a run stops, and the next one goes on. */
const minRemainingMs = 30 * secondMs;

/** @param changed the project as the change left it */
export async function rewriteRetention(changed: StoredProject, input: WorkerInput): Promise<void> {
  const { store, nowMs, sleep } = input;
  const { id: projectId, changedIn } = changed;
  await sleep(Math.max(0, Date.parse(changed.updatedAt) + underWayMs - nowMs()));
  for (let upTo = await getCheckpoint(store, projectId, changedIn); ; ) {
    const project =
      (await getProject(store, projectId)) ?? (await getDeletedProject(store, projectId, nowMs()));
    // The setting has changed again: that change comes too, and goes over all of them.
    if (project?.settings.retentionDays !== changed.settings.retentionDays) return;
    const page = await pageStoredConversations(store, projectId, upTo, conversationsAtOnce);
    await Promise.all(page.items.map(({ id }) => rewriteConversation(project, id, input)));
    if (page.next === null) {
      await commitPatiently(input, [removeCheckpoint(store, projectId)]);
      return;
    }
    upTo = page.next;
    await commitPatiently(input, [putCheckpoint(store, projectId, changedIn, upTo)]);
    stopInTime(input);
  }
}

/**
 * The conversation comes last, and only as it was read before: what is added to it meanwhile has its old time, and makes
 * this begin again; what is added later has the new one. Nor does it go while what belongs to it has no time to go.
 */
async function rewriteConversation(project: StoredProject, id: string, input: WorkerInput): Promise<void> {
  const { store } = input;
  const attempt = async () => {
    const conversation = await getStoredConversation(store, project.id, id);
    if (!conversation) return undefined;
    const { ttl } = ttlOf(project, Date.parse(conversation.startedAt));
    await commitEach(input, await setEntriesTtl(store, project.id, conversation, ttl));
    for (const within of messagePartitions(project.id, id)) {
      for (let after: string | undefined; ; ) {
        const page = await pageMessageItems(store, within, after);
        await commitEach(input, setMessagesTtl(store, within, page.items, ttl));
        if (page.next === null) break;
        after = page.next;
        stopInTime(input);
      }
    }
    if (conversation.ttl === ttl) return undefined;
    const refusal = await commitPatiently(input, [setConversationTtl(store, project.id, conversation, ttl)]);
    return refusal && again;
  };
  await retry(attempt, { maxAttempts, failure: () => new Error('lost too many races for the conversation') });
}

function stopInTime({ remainingMs }: WorkerInput): void {
  if (remainingMs() < minRemainingMs) throw new Error('out of time: the next run continues from here');
}
