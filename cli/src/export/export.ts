/**
 * Exports conversations into a file. If a run is killed at any point and started again, the file has each conversation once.
 *
 * The data goes to `<file>.partial`, in the order of the list. From time to time, `<file>.progress` says how many bytes of it are
 * complete and where the list continues. A new run cuts off the data behind these bytes. At the end, the file gets its name.
 */

import { type FileHandle, rm, stat } from 'node:fs/promises';
import { CliError } from '../errors.ts';
import { type Progress, removeProgress, writeProgress } from './progress-file.ts';
import { complete, openPartial, partialFile } from './target-file.ts';
import { count, type ExportSettings, transcripts } from './transcripts.ts';

/** How often progress is saved. A shorter time costs speed, and a longer time costs repeated work after a crash. */
const saveMs = 200;

/**
 * @param progress the progress of the previous run, or of a new run
 * @returns the progress at the end
 */
export async function exportTo(
  file: string,
  progress: Progress,
  settings: ExportSettings,
): Promise<Progress> {
  if (!progress.isComplete) {
    const partial = await reopenPartial(file, progress);
    try {
      await fill(file, partial, progress, settings);
    } finally {
      await partial.close();
    }
  }
  // A run that is killed here continues here. The file may then have its name already.
  await complete(file).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
  });
  await removeProgress(file);
  return progress;
}

/** Removes the files that a previous run has left. */
export async function discard(file: string): Promise<void> {
  await removeProgress(file);
  await rm(partialFile(file), { force: true });
}

async function reopenPartial(file: string, { bytes }: Progress): Promise<FileHandle> {
  const path = partialFile(file);
  const size = await stat(path).then(
    (stats) => stats.size,
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
    for await (const transcript of transcripts(progress, settings)) {
      if (transcript.messages) await append(format.record({ ...transcript, messages: transcript.messages }));
      count(progress, transcript);
      if (performance.now() - savedMs > saveMs) await save();
    }
  } catch (error) {
    // The complete part is kept. If saving fails, too, the first error says why.
    await save().catch(() => {});
    throw error;
  }
  progress.isComplete = true;
  await save();
}
