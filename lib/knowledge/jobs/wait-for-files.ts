/** A re-index waits for the files that were sent before it, for a limited time. */

import { isActive } from '../../base/stop-if-suspended.ts';
import { activeTimeEndMs } from '../../base/suspensions.ts';
import { hourMs, minuteMs, timestamp } from '../../base/time.ts';
import { getJob } from '../../jobs/store.ts';
import { schedule } from '../../schedule/schedule.ts';
import { commitPatiently } from '../../workers/commit-each.ts';
import type { WorkerInput } from '../../workers/worker.ts';
import { failedExtraction } from '../documents.ts';
import type { ExtractionError } from '../extraction/types.ts';
import { endExtraction, getDocument, type ProjectStore } from '../store/documents.ts';
import { pagesOfExtractions, type StoredExtraction } from '../store/extractions.ts';

/**
 * The worker that reads files has given up on a file before (`maxReceives` in lib/workers/notice.ts), and the job still has two
 * hours.
 */
export const fileWaitMs = 4 * hourMs;

const unread: ExtractionError = {
  code: 'reading_failed',
  message: 'The service could not read the file for four hours. Upload the file again.',
};

/**
 * Ends the files that nobody has read in time: their documents have failed.
 * @returns until when a queued job waits for a file that was sent before it; undefined if it does not wait
 */
export async function filesWaitEndMs(
  store: ProjectStore,
  jobId: string,
  input: WorkerInput,
): Promise<number | undefined> {
  // During a suspension the files wait, and the job waits for its end, too.
  if (!isActive(input.organisation)) return undefined;
  const job = await getJob(store, jobId);
  if (job?.status !== 'queued') return undefined;
  const ends: number[] = [];
  for await (const page of pagesOfExtractions(store)) {
    for (const extraction of page.filter(({ requestedAt }) => requestedAt <= job.createdAt)) {
      const endMs = activeTimeEndMs(input.organisation, Date.parse(extraction.requestedAt), fileWaitMs);
      if (endMs > input.nowMs()) ends.push(endMs);
      // It has just changed: what follows from that is seen soon.
      else if (!(await endUnread(store, extraction, input))) ends.push(input.nowMs() + minuteMs);
    }
  }
  return ends.length > 0 ? Math.min(...ends) : undefined;
}

/** @returns whether the file has ended; false if the document or the request has changed since it was read */
async function endUnread(
  store: ProjectStore,
  extraction: StoredExtraction,
  input: WorkerInput,
): Promise<boolean> {
  const document = await getDocument(store, extraction.id);
  if (document?.extraction !== 'pending') return false;
  const after = { ...document, ...failedExtraction(unread), updatedAt: timestamp(input.nowMs()) };
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
