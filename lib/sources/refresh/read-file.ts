/**
 * Reads a file of a site as an uploaded one is read: in a process with limits of time and memory. A file may end this process, too, and
 * its refresh begins again at the same entry. So the entry counts the starts.
 */

import { outside, write } from '../../jobs/run.ts';
import { type ExtractedText, NotExtractable } from '../../readers/types.ts';
import { maxStarts } from '../rules/limits.ts';
import { failure, type PageFailure } from '../rules/outcome.ts';
import { countStart, type QueueEntry } from '../store/pages.ts';
import type { RefreshRun } from './progress.ts';

/** @throws Suspended, JobLost, JobFailure, or Error if the process has not started */
export async function readFile(
  run: RefreshRun,
  entry: QueueEntry,
  file: Uint8Array,
  contentType: string | undefined,
): Promise<ExtractedText | PageFailure> {
  const { starts = 0 } = entry;
  if (starts >= maxStarts)
    return failure('document_too_complex', 'Reading the file has ended the process that reads it, twice.');
  await outside(run);
  await write(run, [countStart(run.store, run.source.id, entry, starts + 1)]);
  // The thread that reads pages leaves its memory to the process.
  await run.reader.close();
  try {
    return await run.extract(file, { contentType });
  } catch (error) {
    if (!(error instanceof NotExtractable)) throw error;
    return failure(error.code, error.message);
  }
}
