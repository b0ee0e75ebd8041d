/**
 * Builds the search index and the sums of a project again, for a job, while conversations are read and written. A run can be
 * killed between any two lines, and the next run continues.
 *
 *   claim → begin a generation → each conversation: its messages and its counts → publish → remove the previous generation
 *
 * From the begin on, workers write both generations. So the job misses no change: it reads a conversation after the begin, and
 * each later change is written by a worker that knows the new generation. Erasures remove from all generations.
 */

import { again, retry } from '../base/retry.ts';
import { timestamp } from '../base/time.ts';
import { JobBusy, requireIdle } from '../jobs/busy.ts';
import { isOpen, type JobProgress, jobAt } from '../jobs/job.ts';
import { advance, JobLost, type JobRun, runJob } from '../jobs/run.ts';
import { getJob, getOpenJobs } from '../jobs/store.ts';
import { checkTurn } from '../workers/turn.ts';
import type { WorkerInput, Write } from '../workers/worker.ts';
import { commitDecided } from '../workers/writes.ts';
import { countConversations } from './count.ts';
import { ensureGenerations, removeGenerations } from './generations.ts';
import { addToIndex } from './index-messages.ts';
import type { ProjectStore } from './store/conversations.ts';
import {
  abandonGeneration,
  beginGeneration,
  type Generation,
  getGenerations,
  publishGeneration,
  type StoredGenerations,
  type UnusedGeneration,
} from './store/generations.ts';
import { pageStoredMessages } from './store/messages.ts';
import { pageStoredConversations } from './store/retention.ts';

const countedAtOnce = 999;
const conversationsAtOnce = 20;
/** A multiple of the size of a block, so that each posting is written once. */
const messagesAtOnce = 256;

/**
 * Runs the jobs that the job waits for, then the job itself.
 * @throws JobBusy if another run works on such a job
 */
export async function runReindexJob(store: ProjectStore, jobId: string, input: WorkerInput): Promise<void> {
  const openJobs = await getOpenJobs(store, jobId);
  requireIdle(openJobs, jobId, input.nowMs());
  for (const { id } of openJobs) {
    if (id !== jobId) {
      await reindexConversations(store, id, input);
      const previous = await getJob(store, id);
      if (previous && isOpen(previous)) throw new JobBusy();
    }
  }
  await reindexConversations(store, jobId, input);
}

async function reindexConversations(store: ProjectStore, jobId: string, input: WorkerInput): Promise<void> {
  await runJob(store, jobId, input, ['conversations.reindex'], buildAll);
  // Nobody completes the build of a cancelled or failed job.
  const currentJob = await getJob(store, jobId);
  if (!currentJob || !isOpen(jobAt(currentJob, input.nowMs(), input.organisation)))
    await abandon(store, jobId, input);
}

async function buildAll(run: JobRun<'conversations.reindex'>): Promise<void> {
  const { store, job, input } = run;
  if (job.result === null) await buildAndPublish(run);
  const save = async (decide: (stored: StoredGenerations) => readonly Write[]) => {
    await advanceGenerations(run, { attempts: 0 }, decide, getGenerations);
    checkTurn(input);
  };
  await removeGenerations(store, input, () => true, save);
  const finishedAt = timestamp(input.nowMs());
  await advance(run, { status: 'succeeded', finishedAt, upTo: '', attempt: '' });
}

async function buildAndPublish(run: JobRun<'conversations.reindex'>): Promise<void> {
  const { store, job, input } = run;
  const isOwn = (
    stored: StoredGenerations,
  ): stored is StoredGenerations & { building: UnusedGeneration & { jobId: string } } =>
    stored.building?.jobId === job.id;
  await advanceGenerations(run, {}, (stored) =>
    isOwn(stored) ? [] : [beginGeneration(store, stored, job.id)],
  );
  const building = (stored: StoredGenerations) => (isOwn(stored) && !stored.closed ? [stored.building] : []);
  let position = readPosition(job.upTo);
  let { done } = job.progress;
  const save = async (changed: Position, progress: Pick<typeof job, 'progress'> | undefined) => {
    position = changed;
    await advance(run, { upTo: writePosition(position), attempts: 0, ...progress });
    checkTurn(input);
  };
  while (position.counted !== undefined) {
    const page = await pageStoredConversations(store, position.counted || undefined, countedAtOnce);
    const changed = { upTo: '', total: position.total + page.items.length };
    if (page.next === null) position = changed;
    else await save({ ...changed, counted: page.next }, undefined);
  }
  const { total } = position;
  /** Counts conversations that are indexed, and saves them as done. */
  const saveDone = async (ids: readonly string[], within?: Position['within']) => {
    const atMs = input.nowMs();
    const changes = ids.map((id) => ({ id, atMs }));
    if (ids.length > 0) await countConversations(store, changes, input, { existingOnly: true });
    done += ids.length;
    const progress = { total: Math.max(total, job.progress.total, done), done, failed: 0 };
    await save({ upTo: ids.at(-1) ?? position.upTo, total, within }, { progress });
  };
  for (let isAtEnd = false; !isAtEnd; ) {
    const { items, next } = await pageStoredConversations(
      store,
      position.upTo || undefined,
      conversationsAtOnce,
    );
    const indexed: string[] = [];
    isAtEnd = next === null;
    for (const { id } of items) {
      const after = position.within?.id === id ? position.within.after : undefined;
      const savePage = (last: string) => saveDone(indexed.splice(0), { id, after: last });
      await indexConversation(store, id, building, input, { after, save: savePage });
      indexed.push(id);
      if (input.turn.isOver()) {
        isAtEnd &&= id === items.at(-1)?.id;
        break;
      }
    }
    if (indexed.length > 0) await saveDone(indexed);
  }
  const result = { conversations: done };
  const end = { progress: { total: done, done, failed: 0 }, result, upTo: '', attempts: 0 };
  await advanceGenerations(run, end, (stored) => {
    if (!isOwn(stored)) throw new JobLost();
    return [publishGeneration(store, stored)];
  });
}

async function indexConversation(
  store: ProjectStore,
  id: string,
  choose: (stored: StoredGenerations) => readonly Generation[],
  input: WorkerInput,
  { after: startAfter, save }: { after: string | undefined; save: (after: string) => Promise<void> },
): Promise<void> {
  for (let after = startAfter; ; ) {
    const readPage = () => pageStoredMessages(store, id, after, messagesAtOnce);
    let next: string | null = null;
    const read = async () => {
      const page = await readPage();
      next = page.next;
      return page.items;
    };
    await addToIndex(store, { conversationIds: [id], read, choose }, input);
    if (next === null) return;
    after = next;
    await save(next);
  }
}

/** Changes the job and the generations together. Reads the generations again if they were changed in between. */
async function advanceGenerations(
  run: JobRun<'conversations.reindex'>,
  changes: JobProgress<'conversations.reindex'>,
  writes: (stored: StoredGenerations) => readonly Write[],
  read: typeof getGenerations | typeof ensureGenerations = ensureGenerations,
): Promise<void> {
  const { store, input } = run;
  const attempt = async () => {
    const stored = await read(store, input);
    return (await advance(run, changes, stored ? writes(stored) : [])) ? undefined : again;
  };
  await retry(attempt, { failure: () => new Error('lost too many races for the generations') });
}

/** Removes what a job has left that has ended. The position is with the generation, because the job does not change any more. */
async function abandon(store: ProjectStore, jobId: string, input: WorkerInput): Promise<void> {
  const change = (decide: (stored: StoredGenerations) => readonly Write[]) =>
    commitDecided(input, async () => {
      const stored = await getGenerations(store);
      return stored ? decide(stored) : [];
    });
  await change((stored) => (stored.building?.jobId === jobId ? [abandonGeneration(store, stored)] : []));
  await removeGenerations(
    store,
    input,
    (generation) => generation.jobId === jobId,
    async (decide) => {
      await change(decide);
      checkTurn(input);
    },
  );
}

/** How far the job is, until the new generation is published. */
type Position = {
  /** The last conversation that is indexed and counted in the sums. */
  upTo: string;
  /** How many conversations there are; while they are counted, how many so far. */
  total: number;
  /** The last conversation in `total`. Only while they are counted, at first. */
  counted?: string;
  /** The last message that is indexed of a conversation that is not done. */
  within?: { id: string; after: string } | undefined;
};

/** The text of earlier versions is only `upTo`. They read a later text as the same place: no id is between it and `upTo`. */
const writePosition = ({ upTo, ...further }: Position): string => `${upTo} ${JSON.stringify(further)}`;

function readPosition(text: string): Position {
  if (text === '') return { upTo: '', total: 0, counted: '' };
  const end = text.indexOf(' ');
  if (end === -1) return { upTo: text, total: 0 };
  return { upTo: text.slice(0, end), ...(JSON.parse(text.slice(end)) as Omit<Position, 'upTo'>) };
}
