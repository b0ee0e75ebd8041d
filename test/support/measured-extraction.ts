/** The time and the memory of extractions. */

import { readFile } from 'node:fs/promises';
import { extractInProcess } from '../../lib/extraction/bounded-process.ts';
import { type ExtractionCode, NotExtractable } from '../../lib/readers/types.ts';

/** An extraction as the worker does it, with its time and the memory of its process. */
export type MeasuredExtraction = {
  end: 'done' | ExtractionCode;
  /** Empty if there is none. */
  text: string;
  elapsedMs: number;
  /** The most that the process had, seen every few milliseconds. 0 where there is no /proc. */
  residentBytes: number;
};

const lookEveryMs = 10;

/** Run one at a time, because the memory of all children of this process counts. */
export async function measuredExtraction(file: Uint8Array): Promise<MeasuredExtraction> {
  let residentBytes = 0;
  const look = setInterval(async () => {
    residentBytes = Math.max(residentBytes, ...(await peaksOfChildren()));
  }, lookEveryMs);
  const begunMs = performance.now();
  const found = await extractInProcess(file).then(
    ({ text }) => ({ end: 'done' as const, text }),
    (error: unknown) => {
      if (error instanceof NotExtractable) return { end: error.code, text: '' };
      throw error;
    },
  );
  const elapsedMs = performance.now() - begunMs;
  clearInterval(look);
  return { ...found, elapsedMs, residentBytes };
}

/** proc_pid_task(5) and proc_pid_status(5): `VmHWM` is the peak of the resident memory. */
async function peaksOfChildren(): Promise<number[]> {
  const children = await readOrNothing(`/proc/self/task/${process.pid}/children`);
  const statuses = await Promise.all(
    children
      .split(' ')
      .filter(Boolean)
      .map(async (pid) => ({
        name: await readOrNothing(`/proc/${pid}/cmdline`),
        status: await readOrNothing(`/proc/${pid}/status`),
      })),
  );
  return statuses
    .filter(({ name }) => name.includes('extraction-child'))
    .map(({ status }) => 1024 * Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0));
}

/** A process may have ended. */
const readOrNothing = (path: string): Promise<string> => readFile(path, 'utf8').catch(() => '');
