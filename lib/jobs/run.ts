/** One run of a job by a worker: how it claims the job, writes as its owner, and stops before its time is over. */

import { isWorkEnded } from '../api-keys/store/credentials.ts';
import { inBatches, split } from '../base/batches.ts';
import { timestamp } from '../base/time.ts';
import type { Suspendable } from '../organisations/suspensions.ts';
import { Suspended } from '../workers/suspension.ts';
import { TurnOver } from '../workers/turn.ts';
import type { Outside, WorkerInput, Write } from '../workers/worker.ts';
import { commitPatiently } from '../workers/writes.ts';
import { attributesOf, isOpen, type JobOf, type JobProgress, jobAt, stateOf } from './job.ts';
import type { Job } from './schema.ts';
import { advanceJob, changeJob, checkAttempt, getJob, type JobChanges, type ProjectStore } from './store.ts';
import { type JobType, jobTypes } from './types.ts';

/** The run of a job of one type. */
export type JobRun<Type extends JobType = JobType> = {
  store: ProjectStore;
  job: JobOf<Type>;
  input: WorkerInput;
};

const maxAttempts = 10;
/** The attempt of a job that no run owns, and that goes on in the next turn of its notice. No run has this id. */
export const betweenTurns = 'next';
/** A transaction has at most 4 MB, and a part or a block of an index almost 400 KB. */
export const partsAtOnce = 8;

/** The run no longer owns the job: another run has taken it over, or it has ended. */
export class JobLost extends Error {}

type Shown = Pick<JobChanges, 'progress' | 'failures' | 'warnings'>;

/** The job cannot succeed: it ends with this error. `changes` are written with it. */
export class JobFailure extends Error {
  readonly error: NonNullable<Job['error']>;
  readonly changes: Shown;

  constructor(error: NonNullable<Job['error']>, changes: Shown = {}) {
    super(error.message);
    this.error = error;
    this.changes = changes;
  }
}

/**
 * Every step calls this. The read costs at most a tenth of the step's write.
 * @throws Suspended if jobs of this type wait while the organisation is suspended
 */
const organisationOf = async ({ type }: Pick<Job, 'type'>, input: WorkerInput): Promise<Suspendable> =>
  jobTypes[type].whileSuspended === 'continues' ? input.organisation : input.goOn();

const credentialRevoked = {
  code: 'credential_revoked',
  message:
    'The key or workload identity that requested the job was revoked, with everything that it has started.',
};

/** An access token is never revoked. A job that was requested before the revocation ends, too. */
const hasLostCredential = async (
  { type, createdBy }: Pick<Job, 'type' | 'createdBy'>,
  store: ProjectStore,
): Promise<boolean> => jobTypes[type].endsWithCredential && (await isWorkEnded(store, createdBy));

/**
 * A job that ends with its credential calls this before each request, each file and each call that costs money. The read is
 * strongly consistent, and costs less than what follows.
 * @throws JobFailure credential_revoked
 */
export async function requireCredential({ store, job }: JobRun): Promise<void> {
  if (await hasLostCredential(job, store)) throw new JobFailure(credentialRevoked);
}

/** Call this before each request, each file and each call that costs money. @throws Suspended, JobFailure credential_revoked */
export async function outside(run: JobRun): Promise<Outside> {
  const [allowed] = await Promise.all([run.input.outside(), requireCredential(run)]);
  return allowed;
}

/**
 * Does one step of a job, as its owner. A step that throws JobFailure ends the job.
 * @param types of the jobs that the worker does
 * @param keep keeps what the job needs for as long as it waits for the end of a suspension
 * @returns whether there was a step to do: false if the job has ended
 * @throws Suspended, or an Error after which the notice comes again
 */
export async function runJob<Type extends JobType>(
  store: ProjectStore,
  jobId: string,
  input: WorkerInput,
  types: readonly Type[],
  step: (run: JobRun<Type>) => Promise<unknown>,
  keep?: Write,
): Promise<boolean> {
  try {
    const job = await claim(store, jobId, input, types);
    if (!job) return false;
    const run = { store, job, input };
    await step(run).catch((error: unknown) => endAfter(run, error));
    return true;
  } catch (error) {
    if (error instanceof Suspended && keep) await commitPatiently(input, [keep]);
    throw error;
  }
}

/**
 * @param work what the job does, for the message
 * @throws JobFailure if the project is archived or deleted
 */
export function requireActive<Project extends { status: string }>(
  project: Project | undefined,
  work: string,
): Project {
  if (project?.status === 'active') return project;
  throw new JobFailure(
    project
      ? { code: 'project_archived', message: `The project was archived during the ${work}.` }
      : { code: 'project_deleted', message: `The project was deleted during the ${work}.` },
  );
}

/**
 * Makes this run the owner of the job.
 * @returns undefined if the job has ended
 * @throws Suspended
 */
export async function claim<Type extends JobType>(
  store: ProjectStore,
  jobId: string,
  input: WorkerInput,
  types: readonly Type[],
): Promise<JobOf<Type> | undefined> {
  for (;;) {
    const nowMs = input.nowMs();
    const stored = await getJob(store, jobId);
    if (!stored || !isOpen(stored)) return undefined;
    const state = requireType(stateOf(stored), types);
    const job = jobAt(stored, nowMs, await organisationOf(stored, input));
    const attempts = job.attempts + 1;
    const failure = (await hasLostCredential(stored, store)) ? credentialRevoked : gaveUp(attempts);
    const end = failure && { status: 'failed' as const, finishedAt: timestamp(nowMs), error: failure };
    const ended = isOpen(job) ? end : job;
    const changes = ended ?? {
      status: 'running' as const,
      startedAt: job.startedAt ?? timestamp(nowMs),
      attempt: input.newId('call'),
      attempts,
    };
    const { status, startedAt, finishedAt, error, attempt } = { ...job, attempt: '', ...changes };
    const written = { status, startedAt, finishedAt, error, attempt, attempts };
    const refusal = await commitPatiently(input, [changeJob(store, stored, written)]);
    if (!refusal) return ended ? undefined : { ...state, ...changes };
  }
}

/** @throws Error if the job has another type */
function requireType<Type extends JobType>(job: JobOf<JobType>, types: readonly Type[]): JobOf<Type> {
  const isOfType = (one: JobOf<JobType>): one is JobOf<Type> => types.some((type) => type === one.type);
  if (!isOfType(job)) throw new Error(`${job.id} is a job of another worker`);
  return job;
}

const gaveUp = (attempts: number) =>
  attempts > maxAttempts
    ? { code: 'worker_failed', message: 'The job did not end after ten attempts.' }
    : undefined;

/**
 * Commits a change of the job, together with other writes.
 * @returns whether they were written: false if the condition of another write does not hold
 * @throws JobLost, Suspended
 */
export function advance<Type extends JobType>(
  run: JobRun<Type>,
  changes: JobProgress<Type>,
  others: readonly Write[] = [],
): Promise<boolean> {
  return commitAs(run, advanceJob(run.store, run.job, attributesOf(run.job.type, changes)), others);
}

/**
 * Commits writes only while this run owns the job. Everything that a job publishes is written by this or by `advance`, so a run
 * that was taken over cannot change the results of other runs.
 * @returns whether the writes took effect: false if the condition of a write does not hold
 * @throws JobLost, Suspended
 */
export function write(run: JobRun, writes: readonly Write[]): Promise<boolean> {
  return commitAs(run, checkAttempt(run.store, run.job), writes);
}

/** A request may change or check the job in a transaction at the same time: this does not end the run. */
async function commitAs({ job, input }: JobRun, own: Write, others: readonly Write[]): Promise<boolean> {
  if (!isOpen(jobAt(job, input.nowMs(), await organisationOf(job, input)))) throw new JobLost();
  const refusal = await commitPatiently(input, [own, ...others]);
  if (refusal?.failed.includes(own)) throw new JobLost();
  return refusal === undefined;
}

/**
 * Ends the job after a JobFailure. Ignores JobLost. Between two turns, a job has no owner.
 * @throws every other error
 */
async function endAfter(run: JobRun, thrown: unknown): Promise<void> {
  if (thrown instanceof JobLost) return;
  if (thrown instanceof TurnOver)
    await commitPatiently(run.input, [advanceJob(run.store, run.job, { attempt: betweenTurns })]);
  if (!(thrown instanceof JobFailure)) throw thrown;
  const { error, changes } = thrown;
  const finishedAt = timestamp(run.input.nowMs());
  try {
    await advance(run, { ...changes, status: 'failed', error, finishedAt, attempt: '' });
  } catch (lost) {
    if (!(lost instanceof JobLost)) throw lost;
  }
}

/** Commits writes of parts of an index, some at a time. */
export async function writeParts(run: JobRun, writes: readonly Write[]): Promise<void> {
  await inBatches(split(writes, partsAtOnce), 1, (batch) => write(run, batch));
}
