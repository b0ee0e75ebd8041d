/** Jobs that run one after another: a job waits while another run works on a job before it. */

import { timeOfId } from '../base/ids.ts';
import { minuteMs, secondMs } from '../base/time.ts';
import type { Notice } from '../workers/notice.ts';
import type { WorkerInput } from '../workers/worker.ts';
import type { StoredJob } from './store.ts';

/** A run usually writes its progress more often. If it does not, another run takes the job over, which costs one attempt. */
export const silentMs = 2 * minuteMs;

const minPauseSeconds = 5;
const maxPauseSeconds = 120;

/** Another run works on a job that this run waits for. */
export class JobBusy extends Error {
  readonly afterSeconds: number;

  /** @param job the pauses become longer with its time, which may have several turns */
  constructor(job: Pick<StoredJob, 'startedAt'>, nowMs: number) {
    super('another run works on the previous job');
    const sinceMs = job.startedAt === null ? 0 : nowMs - Date.parse(job.startedAt);
    this.afterSeconds = Math.min(Math.max(Math.ceil(sinceMs / secondMs), minPauseSeconds), maxPauseSeconds);
  }
}

/**
 * Taking a job over costs one of its ten attempts, and the new run begins again at the last stored progress. So a burst of jobs
 * must not take over the job before them.
 * @param open the jobs that a run is about to do
 * @param ownId the job of the notice. If the notice comes again, its earlier run has ended
 * @throws JobBusy if a run works on another of these jobs: it owns the job, and has written a moment ago
 */
export function requireIdle(open: readonly StoredJob[], ownId: string, nowMs: number): void {
  const busy = open.find(
    ({ id, attempt, changedIn }) => id !== ownId && attempt !== '' && timeOfId(changedIn) > nowMs - silentMs,
  );
  if (busy) throw new JobBusy(busy, nowMs);
}

/** Does the work of a notice. The notice comes again, without a fault, if another run works on a job that it waits for. */
export async function unlessBusy(
  notice: Notice,
  input: Pick<WorkerInput, 'later'>,
  work: () => Promise<void>,
): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof JobBusy) || !input.later(notice, error.afterSeconds)) throw error;
  }
}
