/** Which generations a worker writes. */

import { commitPatiently } from '../workers/commit-each.ts';
import type { WorkerInput } from '../workers/worker.ts';
import type { ProjectStore } from './store/conversations.ts';
import { getGenerations, openGenerations, type StoredGenerations } from './store/generations.ts';

/**
 * Call this only if there is something to write: the project may have been purged, and then nothing may be stored.
 * @returns the generations of the project, whose first generation exists from now on
 */
export async function ensureGenerations(
  store: ProjectStore,
  input: Pick<WorkerInput, 'commit' | 'sleep'>,
): Promise<StoredGenerations> {
  for (;;) {
    const stored = await getGenerations(store);
    if (stored) return stored;
    // If this is refused, another worker has done it.
    await commitPatiently(input, [openGenerations(store)]);
  }
}
