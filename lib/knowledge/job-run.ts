/** A worker's run of a job on the indexes: how it takes the job, writes as its owner, and stops in time. */

import { isOpen, jobAt } from '../jobs/job.ts';
import {
  advanceJob,
  changeJob,
  checkAttempt,
  getJob,
  type JobChanges,
  type StoredJob,
} from '../jobs/store.ts';
import { timestamp } from '../time.ts';
import type { WorkerInput, Write } from '../workers/worker.ts';

export type JobRun = { projectId: string; job: StoredJob; input: WorkerInput };

const maxAttempts = 10;
const writesAtOnce = 20;
/** With less time left than this, a run stops where the next one can go on. */
const minRemainingMs = 60_000;

/** The run has lost the job: another one has taken it over, or somebody has ended it. */
export class Lost extends Error {}

/** Takes the job in hand. @returns undefined where there is nothing left to do */
export async function claim(
  projectId: string,
  jobId: string,
  input: WorkerInput,
): Promise<StoredJob | undefined> {
  const store = input.store.inProject(projectId);
  for (;;) {
    const nowMs = input.nowMs();
    const stored = await getJob(store, jobId);
    if (!stored || !isOpen(stored)) return undefined;
    const job = jobAt(stored, nowMs);
    const attempts = job.attempts + 1;
    const ended = isOpen(job) ? givenUp(attempts, nowMs) : job;
    const changes = ended ?? {
      status: 'running' as const,
      startedAt: job.startedAt ?? timestamp(nowMs),
      attempt: input.newId('event'),
      attempts,
    };
    const { status, startedAt, finishedAt, error, attempt = '' } = { ...job, ...changes };
    const written = { status, startedAt, finishedAt, error, attempt, attempts };
    const refusal = await input.commit([changeJob(store, stored, written)]);
    if (!refusal) return ended ? undefined : { ...job, ...changes };
  }
}

const givenUp = (attempts: number, nowMs: number) =>
  attempts > maxAttempts
    ? {
        status: 'failed' as const,
        finishedAt: timestamp(nowMs),
        error: { code: 'worker_failed', message: 'The job did not end after ten attempts.' },
      }
    : undefined;

/**
 * Commits a change of the job, with other writes.
 * @returns whether they were written
 * @throws Lost
 */
export async function advance(
  run: JobRun,
  changes: JobChanges,
  others: readonly Write[] = [],
): Promise<boolean> {
  const { projectId, job, input } = run;
  return (
    (await commitAs(run, advanceJob(input.store.inProject(projectId), job, changes), others)) === undefined
  );
}

/**
 * Commits writes only while this run has the job. All writes to indexes, deployments and environments go this way or
 * through `advance`. So a run that was taken over, and does not know it yet, cannot change what others build or publish.
 * @returns whether they were written: false if the condition of one of them failed
 * @throws Lost
 */
export async function write(run: JobRun, writes: readonly Write[]): Promise<boolean> {
  const { projectId, job, input } = run;
  for (;;) {
    const refusal = await commitAs(run, checkAttempt(input.store.inProject(projectId), job), writes);
    if (!refusal || refusal.failed.length > 0) return refusal === undefined;
    await input.sleep(20);
  }
}

async function commitAs({ job, input }: JobRun, own: Write, others: readonly Write[]) {
  if (Date.parse(job.deadlineAt) <= input.nowMs()) throw new Lost();
  const refusal = await input.commit([own, ...others]);
  if (refusal?.failed.includes(own)) throw new Lost();
  return refusal;
}

/** A transaction has at most 4 MB, and a part of an index almost 400 KB. */
const partsAtOnce = 8;

/** Commits writes of parts of an index, some at a time. A run that is short of time stops in between. */
export async function writeParts(run: JobRun, writes: readonly Write[]): Promise<void> {
  for (let from = 0; from < writes.length; from += partsAtOnce) {
    if (from > 0) mustHaveTime(run.input);
    await write(run, writes.slice(from, from + partsAtOnce));
  }
}

/** Does it to all, some at a time. What is done is done: a run that is short of time stops in between. */
export async function each<Value>(
  input: WorkerInput,
  values: readonly Value[],
  act: (value: Value) => Promise<unknown>,
): Promise<void> {
  for (let from = 0; from < values.length; from += writesAtOnce) {
    if (from > 0) mustHaveTime(input);
    await Promise.all(values.slice(from, from + writesAtOnce).map(act));
  }
}

/** @throws Error that brings the change back, so that another run goes on */
export function mustHaveTime({ remainingMs }: WorkerInput): void {
  if (remainingMs() < minRemainingMs) throw new Error('out of time: the next run continues from here');
}
