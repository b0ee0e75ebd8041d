/**
 * Exports conversations into a file. Killed at any point and started again, the file has nothing twice and nothing missing.
 *
 * The data goes to `<file>.partial`, in the order of the list. From time to time, `<file>.progress` says how many bytes of it are
 * complete and where the list continues. A new run cuts off what comes behind these bytes. At the end, the file gets its name.
 */

import { type FileHandle, rm, stat } from 'node:fs/promises';
import { CliError } from '../errors.ts';
import { complete, openPartial, partialFile } from './partial.ts';
import { type Progress, removeProgress, writeProgress } from './progress-file.ts';
import { count, type ExportSettings, transcripts } from './transcripts.ts';

/** More often costs time; less often costs more repeated work after a crash. */
const saveMs = 200;

/**
 * @param progress of the run before, or of a new one
 * @returns the progress at the end
 */
export async function exportTo(
  file: string,
  progress: Progress,
  settings: ExportSettings,
): Promise<Progress> {
  if (!progress.isComplete) {
    const partial = await openBegun(file, progress);
    try {
      await fill(file, partial, progress, settings);
    } finally {
      await partial.close();
    }
  }
  // A run that is killed here is continued here. Then the file may have its name already.
  await complete(file).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
  });
  await removeProgress(file);
  return progress;
}

/** Removes what a run before has left. */
export async function discard(file: string): Promise<void> {
  await removeProgress(file);
  await rm(partialFile(file), { force: true });
}

async function openBegun(file: string, { bytes }: Progress): Promise<FileHandle> {
  const path = partialFile(file);
  const size = await stat(path).then(
    (found) => found.size,
    () => 0,
  );
  if (size < bytes)
    throw new CliError(
      'failed',
      `${path} is shorter than it was, or is gone.`,
      'Start again with --restart.',
    );
  return openPartial(file, bytes);
}

async function fill(
  file: string,
  partial: FileHandle,
  progress: Progress,
  settings: ExportSettings,
): Promise<void> {
  const { format } = settings;
  let savedMs = performance.now();
  const append = async (text: string) => {
    await partial.appendFile(text);
    progress.bytes += Buffer.byteLength(text);
  };
  const save = async () => {
    await partial.datasync();
    await writeProgress(file, progress);
    savedMs = performance.now();
  };
  if (progress.bytes === 0) await append(format.head);
  try {
    for await (const fetched of transcripts(progress, settings)) {
      if (fetched.messages) await append(format.record({ ...fetched, messages: fetched.messages }));
      count(progress, fetched);
      if (performance.now() - savedMs > saveMs) await save();
    }
  } catch (error) {
    // What is complete is kept. If that fails too, the first error says why.
    await save().catch(() => {});
    throw error;
  }
  progress.isComplete = true;
  await save();
}
