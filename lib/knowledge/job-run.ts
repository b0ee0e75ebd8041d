/** A worker's run of a job on the indexes: how it takes the job, writes as its owner, and stops in time. */

import { advanceJob, changeJob, getJob, isOpen, jobAt, type StoredJob } from '../store/jobs.ts';
import type { Write } from '../store/write.ts';
import { timestamp } from '../time.ts';
import type { WorkerInput } from '../worker.ts';

export type JobRun = { projectId: string; job: StoredJob; input: WorkerInput };

const maxAttempts = 10;
const writesAtOnce = 20;
/** With less time left than this, a run stops where the next one can go on. */
const enoughMs = 60_000;

/** The run has lost the job: another one has taken it over, or somebody has ended it. */
export class Lost extends Error {}

/** Takes the job in hand. @returns undefined where there is nothing left to do */
export async function claim(
  projectId: string,
  jobId: string,
  input: WorkerInput,
): Promise<StoredJob | undefined> {
  const { store, commit } = input;
  for (;;) {
    const nowMs = input.nowMs();
    const stored = await getJob(store, projectId, jobId);
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
    const refusal = await commit([changeJob(store, projectId, stored, written)]);
    if (!refusal) return ended ? undefined : { ...job, ...changes };
  }
}

const givenUp = (attempts: number, nowMs: number) =>
  attempts > maxAttempts
    ? {
        status: 'failed' as const,
        finishedAt: timestamp(nowMs),
        error: { code: 'worker_failed', message: 'The job was tried ten times, and did not end.' },
      }
    : undefined;

/** Commits writes as this run. @throws Lost */
export async function advance(
  { projectId, job, input }: JobRun,
  changes: Parameters<typeof advanceJob>[3],
  others: readonly Write[] = [],
): Promise<boolean> {
  if (Date.parse(job.deadlineAt) <= input.nowMs()) throw new Lost();
  const own = advanceJob(input.store, projectId, job, changes);
  const refusal = await input.commit([own, ...others]);
  if (refusal?.failed.includes(own)) throw new Lost();
  return refusal === undefined;
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
  if (remainingMs() < enoughMs) throw new Error('out of time: the next run goes on from here');
}
