/** The time limit of workers that may need several runs. */

import { minuteMs } from '../base/time.ts';
import type { WorkerInput } from './worker.ts';

/** With less time left, a run stops, and the next run continues. */
export const minRemainingMs = minuteMs;

/** @throws Error if the function has little time left: the notice comes again, and the next run continues */
export function checkRemainingTime({ remainingMs }: Pick<WorkerInput, 'remainingMs'>): void {
  if (remainingMs() < minRemainingMs) throw new Error('out of time: the next run continues from here');
}
