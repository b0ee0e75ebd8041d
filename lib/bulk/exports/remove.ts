/** Removes the remaining items and files of exports. Apart from export.ts, because more functions have this code. */

import { deadlineMs, isOpen, jobAt } from '../../jobs/job.ts';
import { getJob, jobs } from '../../jobs/store.ts';
import type { Change } from '../../workers/change.ts';
import { schedule, type Target } from '../../workers/schedule/schedule.ts';
import type { WorkerInput } from '../../workers/worker.ts';
import { commitPatiently } from '../../workers/writes.ts';
import { removeAllParts } from './files/remove.ts';
import { contentOf, fileLifetimeMs, type ProjectStore, removeExportRequest } from './store.ts';

/** The worker that removes the files when their time is over. */
const exportRemover = 'export-remover';

/** @returns whether a change of the jobs table cancels an export. Its place is free then, so its files must go at once */
export function cancelsExport({ partition, before, after }: Change): boolean {
  if (partition.length !== 1 || before?.status === after?.status || after?.status !== 'cancelled')
    return false;
  return contentOf(jobs.read(after).type) !== undefined;
}

export const removalOf = ({ projectId }: ProjectStore, id: string): Target => ({
  worker: exportRemover,
  table: 'jobs',
  partition: [projectId],
  id,
});

/**
 * Removes everything of an export except its job. If a suspension has interrupted the job, only the files are removed: their
 * time is over, but the job still needs the content and the filters of its export.
 */
export async function removeExport(store: ProjectStore, jobId: string, input: WorkerInput): Promise<void> {
  await removeAllParts(store, jobId, input);
  const stored = await getJob(store, jobId);
  const job = stored && jobAt(stored, input.nowMs(), input.organisation);
  if (stored && job && isOpen(job)) {
    const atMs = deadlineMs(stored, input.organisation) + fileLifetimeMs;
    return schedule(store, removalOf(store, jobId), atMs, input);
  }
  await commitPatiently(input, [removeExportRequest(store, jobId)]);
}
