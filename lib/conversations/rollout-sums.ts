/** The sums of a rollout, from the statistics of conversations. */

import type { SideSums } from '../rollouts/comparison.ts';
import type { RolloutItem } from '../rollouts/store.ts';
import type { ProjectStore } from './store/conversations.ts';

export async function readSideSums(_store: ProjectStore, _rollout: RolloutItem): Promise<SideSums[]> {
  return [];
}

export async function readDeployedConversations(
  _store: ProjectStore,
  _ids: readonly string[],
  _range: { from: string; until: string | null },
): Promise<number> {
  return 0;
}
