/** The jobs on a project's search indexes. They run one at a time, in the order of the requests. */

import { asIfResumed } from '../../base/suspensions.ts';
import { timestamp } from '../../base/time.ts';
import { isOpen, removesData } from '../../jobs/job.ts';
import { getJob, getOpenJobs } from '../../jobs/store.ts';
import type { WorkerInput } from '../../workers/worker.ts';
import type { ProjectStore } from '../store/documents.ts';

/**
 * An expunge does not wait for the end of a suspension, so those before it do not either: they could publish what it removes.
 */
const unstopped = (input: WorkerInput): WorkerInput => ({
  ...input,
  async readOrganisation() {
    const organisation = await input.readOrganisation();
    return organisation && asIfResumed(organisation, timestamp(input.nowMs()));
  },
});

/** Runs the job of one type. */
type Run = (store: ProjectStore, jobId: string, input: WorkerInput) => Promise<void>;

/**
 * Runs the jobs that the job waits for, then the job itself. Usually those have ended. If one has lost its run, this
 * run takes it over, so that it cannot publish an older state of the documents later.
 * @param run the jobs by their types
 * @throws Error that makes Lambda deliver the change again, if another run has taken over such a job
 */
export async function runKnowledgeJob(
  store: ProjectStore,
  jobId: string,
  input: WorkerInput,
  run: Readonly<Record<'knowledge.reindex' | 'knowledge.expunge', Run>>,
): Promise<void> {
  const open = await getOpenJobs(store, jobId);
  const lastRemoval = open.findLastIndex(removesData);
  for (const [index, { id, type }] of open.entries()) {
    const own = index <= lastRemoval ? unstopped(input) : input;
    await run[type === 'knowledge.expunge' ? type : 'knowledge.reindex'](store, id, own);
    const previous = id === jobId ? undefined : await getJob(store, id);
    if (previous && isOpen(previous)) throw new Error('another run has the previous job');
  }
}
