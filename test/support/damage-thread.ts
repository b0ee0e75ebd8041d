/** Reads files one after the other. An error that is no reason for the owner of a file is a fault of a reader. */

import { parentPort } from 'node:worker_threads';
import { extractText } from '../../lib/extraction/extract.ts';
import { NotExtractable } from '../../lib/readers/types.ts';

export type ReadTask = { bytes: Uint8Array; contentType?: string | undefined };
export type ReadOutcome = { fault?: string; residentBytes: number };

// As in the process that reads files (extraction-child.ts).
process.on('unhandledRejection', () => {});

parentPort?.on('message', async ({ bytes, contentType }: ReadTask) => {
  const fault = await extractText(bytes, { contentType }).then(
    () => undefined,
    (error) => (error instanceof NotExtractable ? undefined : `${error?.stack ?? error}`),
  );
  const outcome: ReadOutcome = {
    ...(fault !== undefined && { fault }),
    residentBytes: process.memoryUsage.rss(),
  };
  parentPort?.postMessage(outcome);
});
