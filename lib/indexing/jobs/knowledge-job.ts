/**
 * The jobs on a project's search indexes. They run one at a time, in the order of the requests. A re-index waits for the files that
 * were sent before its requests, for a limited time.
 */

import { hourMs, minuteMs, timestamp } from '../../base/time.ts';
import { failedExtraction } from '../../documents/documents.ts';
import { endExtraction, getDocument, type ProjectStore } from '../../documents/store/documents.ts';
import {
  extractions,
  isExtraction,
  pagesOfExtractions,
  type StoredExtraction,
} from '../../documents/store/extractions.ts';
import { JobBusy, requireIdle } from '../../jobs/busy.ts';
import { isEncoding, isOpen, jobAt, removesData } from '../../jobs/job.ts';
import {
  changeJob,
  changeOfJob,
  getJob,
  getLatestJob,
  getOpenJobs,
  type StoredJob,
} from '../../jobs/store.ts';
import { activeTimeEndMs, asIfResumed } from '../../organisations/suspensions.ts';
import type { ExtractionError } from '../../readers/types.ts';
import type { Change } from '../../workers/change.ts';
import { schedule } from '../../workers/schedule/schedule.ts';
import { isActive } from '../../workers/suspension.ts';
import type { WorkerInput } from '../../workers/worker.ts';
import { commitPatiently } from '../../workers/writes.ts';

/**
 * An expunge does not wait for the end of a suspension, so those before it do not either: they could publish what it removes.
 */
const asIfActive = (input: WorkerInput): WorkerInput => ({
  ...input,
  async goOn() {
    const organisation = await input.readOrganisation();
    return asIfResumed(organisation ?? input.organisation, timestamp(input.nowMs()));
  },
});

/** @returns the input for a job: the suspension does not stop a job that a removal of data waits for */
export async function unstoppedBeforeRemoval(
  store: ProjectStore,
  jobId: string,
  input: WorkerInput,
): Promise<WorkerInput> {
  if (isActive(input.organisation)) return input;
  const latest = await getLatestJob(store, 'knowledge');
  const open = latest ? await getOpenJobs(store, latest.jobId) : [];
  const isBefore = open.findLastIndex(removesData) > open.findIndex(({ id }) => id === jobId);
  return isBefore ? asIfActive(input) : input;
}

type Run = (store: ProjectStore, jobId: string, input: WorkerInput) => Promise<void>;

type Runs = Readonly<Record<'knowledge.reindex' | 'knowledge.expunge', Run>>;

/**
 * Runs the jobs that the job waits for, then the job itself. Usually those have ended. If one has lost its run, this run takes it
 * over, so that it cannot publish an older state of the documents later. If one waits for its steps or for files, this run ends:
 * the last step or file starts the run that continues it, and the jobs behind it. It also goes on when the time for
 * files ends. A job does not wait for files if a removal of data is behind it, because files wait for the end of a suspension.
 * @param run the jobs by their types
 * @throws JobBusy if another run works on such a job
 */
export async function runKnowledgeJob(
  store: ProjectStore,
  jobId: string,
  input: WorkerInput,
  run: Runs,
): Promise<void> {
  const open = await getOpenJobs(store, jobId);
  const lastRemoval = open.findLastIndex(removesData);
  requireIdle(open, jobId, input.nowMs());
  for (const [index, { id, type }] of open.entries()) {
    const isBeforeRemoval = index <= lastRemoval;
    const waitEndMs = isBeforeRemoval ? undefined : await filesWaitEndMs(store, id, input);
    if (waitEndMs !== undefined) return wakeAt(store, jobId, waitEndMs, input);
    const jobInput = isBeforeRemoval ? asIfActive(input) : input;
    await run[type === 'knowledge.expunge' ? type : 'knowledge.reindex'](store, id, jobInput);
    const job = await getJob(store, id);
    if (job && isEncoding(job)) return;
    if (id !== jobId && job && isOpen(job)) throw new JobBusy();
  }
}

/**
 * A file was read, or its document has another file or is gone. If the first of the jobs that wait has begun, its run sees the end of
 * the file before it goes on to the next job. To take it over would cost one of its attempts for each file.
 * @returns the latest of the jobs that wait for files; undefined if nothing waits
 */
export async function getWaitingJob(store: ProjectStore): Promise<string | undefined> {
  const latest = await getLatestJob(store, 'knowledge');
  const [first] = latest ? await getOpenJobs(store, latest.jobId) : [];
  return first?.attempts === 0 && first.attempt === '' ? latest?.jobId : undefined;
}

/** @returns whether a change of the knowledge table ends the reading of a file */
export const endsExtraction = ({ table, kind, partition, before, after }: Change): boolean =>
  table === 'knowledge' &&
  isExtraction(partition) &&
  kind !== 'INSERT' &&
  (before && extractions.read(before).uploadId) !== (after && extractions.read(after).uploadId);

/**
 * @returns whether a change of the jobs table is the end of a job's last step, or the end of a job that waited for its steps.
 *   Then its worker continues
 */
export function continuesJob(change: Change): boolean {
  const jobChange = changeOfJob(change);
  return jobChange !== undefined && isEncoding(jobChange.old) && !isEncoding(jobChange.now);
}

/**
 * The worker that reads files has given up on a file before (`maxReceives` in lib/workers/notice.ts), and the job still has two
 * hours.
 */
export const fileWaitMs = 4 * hourMs;

const unreadError: ExtractionError = {
  code: 'reading_failed',
  message: 'The service could not read the file for four hours. Upload the file again.',
};

/** The time that a job keeps for its work, even if it was queued for hours before it waited. */
const workMs = hourMs;

/** The change that starts a job takes a moment, and the clocks of two machines differ. */
const startMs = minuteMs;

/**
 * Starts the job, and ends the files that nobody has read in time: their documents have failed. A request that finds the job
 * queued gets this job. So the job waits for the files that were sent before its start, not only before the first request.
 * @returns until when the job waits for a file that was sent before its start; undefined if it does not wait
 * @throws Suspended
 */
async function filesWaitEndMs(
  store: ProjectStore,
  jobId: string,
  input: WorkerInput,
): Promise<number | undefined> {
  // During a suspension the files wait, and so does the job.
  const organisation = await input.goOn();
  const job = await startQueued(store, jobId, input);
  if (!job?.startedAt) return undefined;
  const sentBefore = timestamp(Date.parse(job.startedAt) + startMs);
  const lastMs = Date.parse(job.deadlineAt) - workMs;
  const ends: number[] = [];
  for await (const page of pagesOfExtractions(store)) {
    for (const extraction of page.filter(({ requestedAt }) => requestedAt <= sentBefore)) {
      const endMs = activeTimeEndMs(organisation, Date.parse(extraction.requestedAt), fileWaitMs);
      if (endMs > input.nowMs()) ends.push(Math.min(endMs, lastMs));
      // An extraction that cannot be ended has just changed, so the next read sees another state.
      else if (!(await endUnread(store, extraction, input))) ends.push(input.nowMs() + minuteMs);
    }
  }
  const nextMs = Math.min(...ends);
  return ends.length > 0 && nextMs > input.nowMs() ? nextMs : undefined;
}

/**
 * Starts the job, if it is queued. No run owns it yet.
 * @returns the job as it is now; undefined if it has ended, or if a run has begun its work
 */
async function startQueued(
  store: ProjectStore,
  jobId: string,
  input: WorkerInput,
): Promise<StoredJob | undefined> {
  for (;;) {
    const stored = await getJob(store, jobId);
    const job = stored && jobAt(stored, input.nowMs(), input.organisation);
    if (!stored || !job || !isOpen(job) || job.attempts > 0 || job.encoding !== undefined) return undefined;
    if (job.startedAt !== null) return job;
    const start = { status: 'running' as const, startedAt: timestamp(input.nowMs()) };
    if (!(await commitPatiently(input, [changeJob(store, stored, start)]))) return { ...job, ...start };
  }
}

/** @returns whether the file has ended; false if the document or the request has changed since it was read */
async function endUnread(
  store: ProjectStore,
  extraction: StoredExtraction,
  input: WorkerInput,
): Promise<boolean> {
  const document = await getDocument(store, extraction.id);
  if (document?.extraction !== 'pending') return false;
  const after = { ...document, ...failedExtraction(unreadError), updatedAt: timestamp(input.nowMs()) };
  const refusal = await commitPatiently(input, endExtraction(store, document, after, extraction, undefined));
  return refusal === undefined;
}

/** Starts the run of the job at this time, if no file has started it before. */
const wakeAt = (
  { projectId }: Pick<ProjectStore, 'projectId'>,
  jobId: string,
  dueMs: number,
  input: WorkerInput,
): Promise<void> =>
  schedule(
    input.store,
    { worker: 'knowledge-indexer', table: 'jobs', partition: [projectId], id: jobId },
    dueMs,
    input,
  );
