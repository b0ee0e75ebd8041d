/** Pauses the items of credentials that have ended with everything that they have started. */

import { inBatches } from '../base/batches.ts';
import { pagesOf } from '../base/pages.ts';
import { again, retry } from '../base/retry.ts';
import type { Set as SetItem, Setters } from '../dynamodb/setters.ts';
import type { ProjectStore } from '../dynamodb/store.ts';
import type { WorkerInput, Write } from './worker.ts';
import { commitPatiently } from './writes.ts';

export type PauseInput = Pick<WorkerInput, 'store' | 'commit' | 'sleep' | 'nowMs'>;

type Paused<Item extends SetItem & { pausedReason: string | null }> = {
  setters: Setters;
  get(store: ProjectStore, id: string): Promise<Item | undefined>;
  /** @returns the writes that pause the item because its key was revoked, if it is unchanged since it was read */
  pause(store: ProjectStore, item: Item): Write[];
};

const keysAtOnce = 10;
const itemsAtOnce = 5;

/** A repeated call changes nothing. */
export async function pauseSetBy<Item extends SetItem & { pausedReason: string | null }>(
  { setters, get, pause }: Paused<Item>,
  keys: ReadonlySet<string>,
  input: PauseInput,
): Promise<void> {
  const pauseOne = (store: ProjectStore, id: string) => {
    const attempt = async () => {
      const item = await get(store, id);
      if (!item || !keys.has(item.setBy) || item.pausedReason === 'key_revoked') return undefined;
      return (await commitPatiently(input, pause(store, item))) ? again : undefined;
    };
    return retry(attempt, { failure: () => new Error(`${id} is being changed`) });
  };
  await inBatches([...keys], keysAtOnce, async (key) => {
    for await (const some of pagesOf((after) => setters.page(input.store, key, after)))
      await inBatches(some, itemsAtOnce, ({ id, projectId }) =>
        pauseOne(input.store.inProject(projectId), id),
      );
  });
}
