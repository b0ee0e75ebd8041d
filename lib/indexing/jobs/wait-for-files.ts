/** A re-index waits for the files that were sent before its requests, for a limited time. */

import { hourMs, minuteMs, timestamp } from '../../base/time.ts';
import { failedExtraction } from '../../documents/documents.ts';
import { endExtraction, getDocument, type ProjectStore } from '../../documents/store/documents.ts';
import { pagesOfExtractions, type StoredExtraction } from '../../documents/store/extractions.ts';
import { isOpen, jobAt } from '../../jobs/job.ts';
import { changeJob, getJob, type StoredJob } from '../../jobs/store.ts';
import { activeTimeEndMs } from '../../organisations/suspensions.ts';
import type { ExtractionError } from '../../readers/types.ts';
import { commitPatiently } from '../../workers/commit-each.ts';
import { schedule } from '../../workers/schedule/schedule.ts';
import type { WorkerInput } from '../../workers/worker.ts';

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
export async function filesWaitEndMs(
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
export const wakeAt = (
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
