/** The time limit of workers that may need several runs. */

import { secondMs } from '../base/time.ts';
import type { WorkerInput } from '../workers/worker.ts';

const minRemainingMs = 30 * secondMs;

/** @throws Error if the function has little time left: Lambda runs it again, and the next run continues */
export function checkRemainingTime({ remainingMs }: Pick<WorkerInput, 'remainingMs'>): void {
  if (remainingMs() < minRemainingMs) throw new Error('out of time: the next run continues from here');
}
