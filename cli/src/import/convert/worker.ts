/** The thread that converts records, so that a map that never ends can be stopped. */

import { parentPort, workerData } from 'node:worker_threads';
import { MapProblem, openConverter } from './convert.ts';
import type { Converted, MapOptions } from './converted.ts';

export type Answer = { ready: true } | { invalid: string } | { converted: Converted[] };

const answer = (message: Answer): void => parentPort?.postMessage(message);

try {
  const convert = await openConverter(workerData as MapOptions);
  parentPort?.on('message', async (records: readonly string[]) => {
    answer({ converted: await convert(records) });
  });
  answer({ ready: true });
} catch (error) {
  if (!(error instanceof MapProblem)) throw error;
  answer({ invalid: error.message });
}
