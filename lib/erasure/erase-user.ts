/**
 * Erases all conversations of one user for a job, some at a time: first it erases them, then it waits once for all of them,
 * then it purges them. A run can be killed between any two lines. So the transaction that erases a conversation also notes
 * it in the job, and the next run first completes its purge.
 */

import { hash } from 'node:crypto';
import { pagesOf, untilEmpty } from '../base/pages.ts';
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
import { checkRemainingTime, type WorkerInput } from '../workers/worker.ts';
import { commitEach, commitPatiently } from '../workers/writes.ts';
import { purgeConversation, removeRemains } from './purge-conversations.ts';

/** Each transaction writes the job, which names the conversations. More names would cost more, and fewer would wait more often. */
const conversationsAtOnce = 50;

type Run = JobRun<'conversations.erase'> & { user: IndexedValue };
type Progress = Job['progress'];

export async function eraseUser(store: ProjectStore, jobId: string, input: WorkerInput): Promise<void> {
  const isClaimed = await runJob(store, jobId, input, ['conversations.erase'], eraseUserOf);
  if (!isClaimed) await commitPatiently(input, [removeSubject(store, jobId)]);
}

// A restore has brought back only the job.
const forgotten = {
  code: 'worker_failed',
  message: 'The job no longer has the user whose conversations it erases. Start another job.',
};

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
  for await (const requests of pagesOf((after) => pageRunRequestsOf(store, externalUserId, after)))
    await commitEach(
      input,
      requests.map(({ id }) => removeRunRequest(store, id)),
    );
}

/** @returns how many conversations are erased and purged */
async function eraseAll(run: Run): Promise<Progress> {
  const { store, job, user } = run;
  const entries = conversationEntries.at(store, ...user);
  // The previous run may have ended before it purged these.
  let done = await purgeErased(run, job.erasing, job.progress.done);
  const total = done + (await countEntries(run));
  for await (const items of untilEmpty(() => entries.page({ order: 'oldest', limit: conversationsAtOnce }))) {
    let erasing: readonly string[] = [];
    for (const entry of items) {
      const ids = [...erasing, entry.id];
      const progress = { total: Math.max(total, done + ids.length), done, failed: 0 };
      if (await eraseOne(run, entry, { progress, erasing: ids })) erasing = ids;
    }
    done = await purgeErased(run, erasing, done);
  }
  return { total: done, done, failed: 0 };
}

/** @returns how many conversations are purged now */
async function purgeErased(run: Run, ids: readonly string[], done: number): Promise<number> {
  if (ids.length === 0) return done;
  const { store, job, input } = run;
  const erasedMs = input.nowMs();
  for (const id of ids) {
    await purgeConversation(store, id, erasedMs, input);
    checkRemainingTime(input);
  }
  const now = done + ids.length;
  const total = Math.max(job.progress.total, now);
  // A run that makes progress is not a failed attempt.
  await advance(run, { progress: { total, done: now, failed: 0 }, erasing: [], attempts: 0 });
  return now;
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
    const writes = tombstone
      ? removeConversation(store, conversation)
      : eraseConversation(store, conversation, timestamp(input.nowMs()));
    return (await advance(run, changes, writes)) ? true : again;
  };
  return retry(attempt, {
    failure: () => new Error('lost too many races for the conversation'),
  });
}

async function countEntries({ store, user }: Run): Promise<number> {
  let count = 0;
  const page = { order: 'oldest', limit: 999 } as const;
  for await (const items of pagesOf((after) =>
    conversationEntries.at(store, ...user).page({ ...page, after }),
  )) {
    count += items.length;
  }
  return count;
}
