/**
 * Erases all conversations of one user, one after the other, for a job. A run may be killed between any two lines: the
 * transaction that erases a conversation notes it in the job, and the next run first makes sure that it is purged.
 */

import { hash } from 'node:crypto';
import { isOpen, jobAt } from '../jobs/job.ts';
import { advanceJob, changeJob, getJob, getSubject, removeSubject, type StoredJob } from '../jobs/store.ts';
import { again, retry } from '../retry.ts';
import { timestamp } from '../time.ts';
import { commitPatiently } from '../workers/commit-each.ts';
import type { Item, WorkerInput, Write } from '../workers/worker.ts';
import { purgeConversation, removeRemains } from './purge.ts';
import {
  eraseConversation,
  getStoredConversation,
  getTombstone,
  removeConversation,
} from './store/conversations.ts';
import { pageEntries, removeEntriesOf } from './store/list-index.ts';

/** With less time left than this, a run stops, and the next one goes on. */
const minRemainingMs = 30_000;
const maxAttempts = 20;

/** The run has lost the job: another one has taken it over, or somebody has ended it. */
class Lost extends Error {}

type Run = {
  projectId: string;
  job: StoredJob;
  entry: readonly ['externalUserId', string];
  input: WorkerInput;
};
type Progress = StoredJob['progress'];

export async function eraseUser(projectId: string, jobId: string, input: WorkerInput): Promise<void> {
  const job = await claim(projectId, jobId, input);
  if (!job) return;
  const externalUserId = await getSubject(input.store.inProject(projectId), jobId);
  if (externalUserId === undefined) {
    // A restore has brought back the job alone.
    const message = 'The job no longer knows whose conversations to erase. Start another one.';
    const error = { code: 'worker_failed', message };
    const end = { status: 'failed', error, finishedAt: timestamp(input.nowMs()), attempt: '' } as const;
    await commitPatiently(input, [advanceJob(input.store.inProject(projectId), job, end)]);
    return;
  }
  const run: Run = { projectId, job, entry: ['externalUserId', externalUserId], input };
  try {
    const progress = await eraseAll(run);
    const externalUserIdSha256 = hash('sha256', `${jobId}:${externalUserId}`, 'hex');
    const result = { erased: progress.done, purged: progress.done, externalUserIdSha256 };
    const finishedAt = timestamp(input.nowMs());
    const end = { status: 'succeeded', progress, result, finishedAt, erasing: null, attempt: '' } as const;
    await advance(run, end, [removeSubject(input.store.inProject(projectId), jobId)]);
  } catch (error) {
    if (!(error instanceof Lost)) throw error;
  }
}

/** Takes the job in hand. @returns undefined where there is nothing left to do */
async function claim(projectId: string, jobId: string, input: WorkerInput): Promise<StoredJob | undefined> {
  const store = input.store.inProject(projectId);
  for (;;) {
    const nowMs = input.nowMs();
    const stored = await getJob(store, jobId);
    if (!stored || !isOpen(stored)) {
      await commitPatiently(input, [removeSubject(store, jobId)]);
      return undefined;
    }
    const { status, error, finishedAt } = jobAt(stored, nowMs);
    const changes = isOpen({ status })
      ? {
          status: 'running' as const,
          startedAt: stored.startedAt ?? timestamp(nowMs),
          attempt: input.newId('event'),
          attempts: stored.attempts + 1,
        }
      : { status, error, finishedAt, attempt: '' };
    const refusal = await commitPatiently(input, [changeJob(store, stored, changes)]);
    if (!refusal && isOpen(changes)) return { ...stored, ...changes };
  }
}

/** @returns how many conversations are erased and purged */
async function eraseAll(run: Run): Promise<Progress> {
  const { projectId, job, entry, input } = run;
  let { done } = job.progress;
  if (job.erasing) {
    await purgeConversation(projectId, job.erasing, input);
    done += 1;
  }
  const total = done + (await countEntries(run));
  for (;;) {
    // What was on the page before is gone, so the next one is the first again.
    const { items } = await pageEntries(input.store, projectId, entry, undefined, 100);
    if (items.length === 0) return { total: done, done, failed: 0 };
    for (const item of items) {
      const { id } = item;
      if (!(await eraseOne(run, item, { total: Math.max(total, done + 1), done, failed: 0 }))) continue;
      await purgeConversation(projectId, id, input);
      done += 1;
      if (input.remainingMs() < minRemainingMs)
        throw new Error('out of time: the next run continues from here');
    }
  }
}

/** @param entry what finds the conversation. @returns whether it was there */
async function eraseOne(run: Run, entry: Item, progress: Progress): Promise<boolean> {
  const { projectId, input } = run;
  const { store } = input;
  const { id } = entry;
  const attempt = async () => {
    const [conversation, tombstone] = await Promise.all([
      getStoredConversation(store, projectId, id),
      getTombstone(store, projectId, id),
    ]);
    if (!conversation) {
      // TTL has taken it, and not yet what belongs to it. What leads here goes last.
      await removeRemains(projectId, { id, erasedAt: timestamp(input.nowMs()) }, input);
      await commitPatiently(input, removeEntriesOf(store, projectId, entry));
      return false;
    }
    // A restore may have brought back one that was erased before.
    const writes = tombstone
      ? removeConversation(store, projectId, conversation)
      : eraseConversation(store, projectId, conversation, timestamp(input.nowMs()));
    return (await advance(run, { progress, erasing: id }, writes)) ? true : again;
  };
  return retry(attempt, {
    maxAttempts,
    failure: () => new Error('lost too many races for the conversation'),
  });
}

async function countEntries({ projectId, entry, input }: Run): Promise<number> {
  let count = 0;
  for (let after: string | undefined; ; ) {
    const { items, next } = await pageEntries(input.store, projectId, entry, after, 999);
    count += items.length;
    if (next === null) return count;
    after = next;
  }
}

/** Commits writes as this run. @returns whether they were written @throws Lost */
async function advance(
  { projectId, job, input }: Run,
  changes: Parameters<typeof advanceJob>[2],
  others: readonly Write[],
): Promise<boolean> {
  if (Date.parse(job.deadlineAt) <= input.nowMs()) throw new Lost();
  const own = advanceJob(input.store.inProject(projectId), job, changes);
  const refusal = await commitPatiently(input, [own, ...others]);
  if (refusal?.failed.includes(own)) throw new Lost();
  return refusal === undefined;
}
