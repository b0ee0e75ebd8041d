/** The jobs on a project's search indexes: one at a time, in the order in which they were asked for. */

import { isOpen } from '../jobs/job.ts';
import { getJob, getOpenJobs } from '../jobs/store.ts';
import type { WorkerInput } from '../workers/worker.ts';
import { expunge } from './expunge.ts';
import { reindex } from './reindex.ts';

/**
 * Does the job, and first those that it waits for. These have usually ended. Where the run of one was given up, this run
 * takes it over, so that the other one cannot publish an older state of the documents later.
 * @throws Error that brings the change back, where yet another run has taken such a job over
 */
export async function runKnowledgeJob(projectId: string, jobId: string, input: WorkerInput): Promise<void> {
  const store = input.store.inProject(projectId);
  for (const { id, type } of await getOpenJobs(store, jobId)) {
    await (type === 'knowledge.expunge' ? expunge : reindex)(projectId, id, input);
    const job = id === jobId ? undefined : await getJob(store, id);
    if (job && isOpen(job)) throw new Error('another run has the previous job');
  }
}
