/** Pauses the sources of credentials that have ended with everything that they have started. */

import { pagesOf } from '../../base/pages.ts';
import { again, retry } from '../../base/retry.ts';
import { timestamp } from '../../base/time.ts';
import { commitPatiently } from '../../workers/commit-each.ts';
import type { WorkerInput } from '../../workers/worker.ts';
import { changeSource, getSource, type ProjectStore, pageSourcesOf } from './store/sources.ts';

type Input = Pick<WorkerInput, 'store' | 'commit' | 'sleep' | 'nowMs'>;

/** A refresh that runs goes on, as every job does. A repeated call changes nothing. */
export async function pauseSourcesOf(keys: ReadonlySet<string>, input: Input): Promise<void> {
  const { store } = input;
  for (const key of keys) {
    for await (const some of pagesOf((after) => pageSourcesOf(store, key, after))) {
      for (const { id, projectId } of some) await pause(store.inProject(projectId), id, keys, input);
    }
  }
}

async function pause(
  store: ProjectStore,
  id: string,
  keys: ReadonlySet<string>,
  input: Input,
): Promise<void> {
  const attempt = async () => {
    const source = await getSource(store, id);
    if (!source || !keys.has(source.setBy) || source.pausedReason === 'key_revoked') return undefined;
    const updatedAt = timestamp(input.nowMs());
    const paused = { paused: true, pausedReason: 'key_revoked' as const, nextRefreshAt: null, updatedAt };
    return (await commitPatiently(input, changeSource(store, source, paused))) ? again : undefined;
  };
  await retry(attempt, { failure: () => new Error(`${id} is being changed`) });
}
