/** Removes uploaded files: after their import, or when their time is over. */

import { type ScheduleInput, schedule, type Target } from '../../../workers/schedule/schedule.ts';
import type { WorkerInput } from '../../../workers/worker.ts';
import { commitPatiently } from '../../../workers/writes.ts';
import { removeAllParts } from '../../exports/files/remove.ts';
import { fileOf, getUpload, type ProjectStore, removeUploadItem, uploadLifetimeMs } from './store.ts';

/** The worker that removes a file that no import has removed. */
const uploadRemover = 'export-remover';

const removalOf = ({ projectId }: ProjectStore, id: string): Target => ({
  worker: uploadRemover,
  table: 'jobs',
  // The partition is that of the project, so that a purge finds the notice.
  partition: [projectId],
  id,
});

/** @param createdMs when the upload was created: epoch milliseconds */
export const scheduleRemoval = (
  store: ProjectStore,
  id: string,
  createdMs: number,
  input: ScheduleInput,
): Promise<void> => schedule(store, removalOf(store, id), createdMs + uploadLifetimeMs, input);

/** Removes an upload whose time is over, with what an import has left of it. */
export async function expireUpload(store: ProjectStore, id: string, input: WorkerInput): Promise<void> {
  const upload = await getUpload(store, id);
  if (upload?.jobId !== undefined) await removeAllParts(store, upload.jobId, input);
  await removeUpload(store, id, input);
}

/** Removes the file, and then its item, which may both be gone. */
export async function removeUpload(
  store: ProjectStore,
  id: string,
  input: Pick<WorkerInput, 'commit' | 'sleep' | 'files'>,
): Promise<void> {
  await input.files.remove(fileOf(store, id));
  await commitPatiently(input, [removeUploadItem(store, id)]);
}
