/** Removes what exports have left. Apart from export.ts, because more functions have it. */

import { removeAllParts } from '../export-parts/remove.ts';
import { commitPatiently } from '../workers/commit-each.ts';
import type { WorkerInput } from '../workers/worker.ts';
import { type ProjectStore, removeExportRequest } from './store.ts';

/** The worker that removes the files when their time is over. */
export const exportRemover = 'export-remover';

/** Removes everything of an export but its job. */
export async function removeExport(store: ProjectStore, jobId: string, input: WorkerInput): Promise<void> {
  await removeAllParts(store, jobId, input);
  await commitPatiently(input, [removeExportRequest(store, jobId)]);
}
