/** Uploads a file, and waits for the job that imports it. */

import { type FileSource, JobFailedError, type SucceededJob } from '../../../clients/typescript/src/index.ts';
import { Interrupted } from '../errors.ts';
import { megabytes, progressBar } from '../output/progress.ts';
import type { Session } from '../session.ts';

export type ImportJob = Extract<SucceededJob, { type: 'conversations.import' }>;

/**
 * @param open gets a function that is called with the number of bytes which were read
 * @throws JobFailedError unless the job has succeeded. Lines may have failed
 */
export async function importFile(
  session: Session,
  open: (onRead: (bytes: number) => void) => Promise<FileSource>,
): Promise<ImportJob> {
  const { shell, out, project, signal } = session;
  let bar = progressBar(shell, 'Uploading', out.json, megabytes);
  let jobId: string | undefined;
  try {
    let total: number | undefined;
    const source = await open((bytes) => bar.update(bytes, total));
    total = source.size;
    const job = await project.conversations.importLines(source, { signal });
    jobId = job.id;
    bar.stop();
    bar = progressBar(shell, 'Importing', out.json);
    const endedJob = await project.jobs.wait(job, {
      signal,
      onProgress: ({ progress, status }) => bar.update(progress.done, progress.total || undefined, status),
    });
    if (endedJob.status !== 'succeeded') throw new JobFailedError(endedJob);
    return endedJob;
  } catch (error) {
    bar.stop();
    if (error instanceof Interrupted && jobId !== undefined)
      out.note(`The import goes on. To wait for it: platform jobs wait ${jobId}`);
    throw error;
  } finally {
    bar.stop();
  }
}
