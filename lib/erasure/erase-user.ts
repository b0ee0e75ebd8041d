/**
 * Erases all conversations of one user for a job, some at a time: first it erases them, then it waits once for all of them,
 * then it purges them. A run can be killed between any two lines. So the transaction that erases a conversation also notes
 * it in the job, and the next turn first completes its purge. The job also stores the begin of the wait.
 */

import { hash } from 'node:crypto';
import { pagesAfter, pagesOf, untilEmpty } from '../base/pages.ts';
import { again, retry } from '../base/retry.ts';
import { timestamp } from '../base/time.ts';
import { eraseConversation, removeConversation } from '../conversations/store/changes.ts';
import { conversations, type ProjectStore, tombstones } from '../conversations/store/conversations.ts';
import {
  conversationEntries,
  type IndexedValue,
  indexedValues,
  removeEntries,
  type StoredEntry,
} from '../conversations/store/list-index.ts';
import { pageRunRequestsOf, removeRunRequest } from '../evaluations/store/runs.ts';
import type { JobProgress } from '../jobs/job.ts';
import { advance, JobFailure, type JobRun, runJob } from '../jobs/run.ts';
import type { Job } from '../jobs/schema.ts';
import { getSubject, removeSubject } from '../jobs/store.ts';
import { checkTurn, TurnOver } from '../workers/turn.ts';
import type { WorkerInput } from '../workers/worker.ts';
import { commitEach, commitPatiently } from '../workers/writes.ts';
import { purgeConversation, removeRemains } from './purge-conversations.ts';

/** Each transaction writes the job, which names the conversations. More names would cost more, and fewer would wait more often. */
const conversationsAtOnce = 50;

type Run = JobRun<'conversations.erase'> & { user: IndexedValue };
type Progress = Job['progress'];

export async function eraseUser(store: ProjectStore, jobId: string, input: WorkerInput): Promise<void> {
  const isClaimed = await runJob(store, jobId, input, ['conversations.erase'], eraseInTurns);
  if (!isClaimed) await commitPatiently(input, [removeSubject(store, jobId)]);
}

// A restore has brought back only the job.
const forgotten = {
  code: 'worker_failed',
  message: 'The job no longer has the user whose conversations it erases. Start another job.',
};

/** Each turn ends after a piece that the next turn does not find again. So it is no failed attempt. */
async function eraseInTurns(run: JobRun<'conversations.erase'>): Promise<void> {
  try {
    await eraseUserOf(run);
  } catch (error) {
    if (error instanceof TurnOver) await advance(run, { attempts: 0 });
    throw error;
  }
}

async function eraseUserOf(claimed: JobRun<'conversations.erase'>): Promise<void> {
  const { store, job, input } = claimed;
  const externalUserId = await getSubject(store, job.id);
  if (externalUserId === undefined) throw new JobFailure(forgotten);
  const run: Run = { ...claimed, user: ['externalUserId', externalUserId] };
  await removeRunRequests(run, externalUserId);
  const progress = await eraseAll(run);
  // Requests that came after the first removal.
  await removeRunRequests(run, externalUserId);
  const externalUserIdSha256 = hash('sha256', `${job.id}:${externalUserId}`, 'hex');
  const result = { erased: progress.done, purged: progress.done, externalUserIdSha256 };
  const finishedAt = timestamp(input.nowMs());
  const end = { status: 'succeeded', progress, result, finishedAt, erasing: [], attempt: '' } as const;
  await advance(run, end, [removeSubject(store, job.id)]);
}

/** The filter of an evaluation run may name the user. The run fails: it has nothing left to do. */
async function removeRunRequests({ store, input }: Run, externalUserId: string): Promise<void> {
  for await (const requests of pagesOf((after) => pageRunRequestsOf(store, externalUserId, after))) {
    await commitEach(
      input,
      requests.map(({ id }) => removeRunRequest(store, id)),
    );
    if (requests.length > 0) checkTurn(input);
  }
}

/** The position of the job after the count. It may be followed by the time at which the erasure of `erasing` had taken effect. */
const allCounted = '~';

/** @returns how many conversations are erased and purged */
async function eraseAll(run: Run): Promise<Progress> {
  const { store, job, user, input } = run;
  const entries = conversationEntries.at(store, ...user);
  const erasedMs = job.upTo.startsWith(allCounted) ? Number(job.upTo.slice(allCounted.length)) : 0;
  // The previous turn may have ended before it purged these.
  let progress = await purgeErased(run, job.erasing, job.progress, erasedMs);
  progress = await countAll(run, progress);
  for await (const items of untilEmpty(() => entries.page({ order: 'oldest', limit: conversationsAtOnce }))) {
    let erasing: readonly string[] = [];
    for (const entry of items) {
      const ids = [...erasing, entry.id];
      const total = Math.max(progress.total, progress.done + ids.length);
      if (await eraseOne(run, entry, { progress: { ...progress, total }, erasing: ids })) erasing = ids;
    }
    progress = await purgeErased(run, erasing, progress);
    checkTurn(input);
  }
  return { total: progress.done, done: progress.done, failed: 0 };
}

/**
 * @param storedMs when their erasure had taken effect; 0 if that is not stored yet
 * @returns the progress after their purge
 */
async function purgeErased(
  run: Run,
  ids: readonly string[],
  before: Progress,
  storedMs = 0,
): Promise<Progress> {
  if (ids.length === 0) return before;
  const { store, input } = run;
  const erasedMs = storedMs || input.nowMs();
  if (storedMs === 0) {
    await advance(run, { upTo: `${allCounted}${erasedMs}` });
    checkTurn(input);
  }
  for (const id of ids) if (await purgeConversation(store, id, erasedMs, input)) checkTurn(input);
  const done = before.done + ids.length;
  const progress = { total: Math.max(before.total, done), done, failed: 0 };
  // A run that makes progress is not a failed attempt.
  await advance(run, { progress, erasing: [], upTo: allCounted, attempts: 0 });
  return progress;
}

/** @returns whether the conversation existed */
async function eraseOne(
  run: Run,
  entry: StoredEntry,
  changes: JobProgress<'conversations.erase'>,
): Promise<boolean> {
  const { store, input } = run;
  const { id } = entry;
  const attempt = async () => {
    const [conversation, tombstone] = await Promise.all([
      conversations.at(store).get(id),
      tombstones.at(store).get(id),
    ]);
    if (!conversation) {
      // TTL has removed the conversation, but maybe not the rest. The entries go last: the next run needs them.
      // The entries of its tags are unknown, and remain until TTL removes them.
      await removeRemains(store, { id, erasedAt: timestamp(input.nowMs()) }, input);
      await commitPatiently(input, removeEntries(store, id, indexedValues({ ...entry, tags: [] })));
      return false;
    }
    // A restore may have brought back an erased conversation, with its tombstone still there.
    const writes = await (tombstone
      ? removeConversation(store, conversation)
      : eraseConversation(store, conversation, timestamp(input.nowMs())));
    return (await advance(run, changes, writes)) ? true : again;
  };
  return retry(attempt, {
    failure: () => new Error('lost too many races for the conversation'),
  });
}

/** @returns the progress with the number of conversations that are left */
async function countAll(run: Run, before: Progress): Promise<Progress> {
  const { store, job, user, input } = run;
  if (job.upTo.startsWith(allCounted)) return before;
  const page = { order: 'oldest', limit: 999 } as const;
  let progress = job.upTo === '' ? { ...before, total: before.done } : before;
  const entries = conversationEntries.at(store, ...user);
  for await (const { items, next } of pagesAfter(job.upTo, (after) => entries.page({ ...page, after }))) {
    progress = { ...progress, total: progress.total + items.length };
    await advance(run, { progress, upTo: next ?? allCounted });
    if (next !== null) checkTurn(input);
  }
  return progress;
}
