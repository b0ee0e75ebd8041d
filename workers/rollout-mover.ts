import { readRolloutSums } from '../lib/conversations/rollout-sums.ts';
import { moveWhenHeld } from '../lib/rollouts/hold.ts';
import { rolloutPlace } from '../lib/rollouts/store.ts';
import { defineWorker, forEachNotice } from '../lib/workers/worker.ts';

export default defineWorker({
  id: 'rollout-mover',
  summary: 'Moves rollouts whose step has been held: to the next step, to the end, or to wait for scores',
  sources: ['deployments'],
  wants: ({ partition }) => partition[1] === rolloutPlace,
  access: {
    apiKeys: ['GetItem'],
    deployments: ['GetItem', 'PutItem', 'UpdateItem', 'DeleteItem'],
    conversationSearch: ['GetItem'],
    conversationStats: ['Query'],
    schedule: ['GetItem', 'PutItem', 'DeleteItem'],
  },
  ends: 'short',
  whileSuspended: 'continues',
  impact:
    'Rollouts stay at their percent, although their step has been held. A breach of a guard still ends them.',
  remedy: 'Advance the rollouts with `POST …/rollout/advance`.',

  handle: forEachNotice((store, { id }, input) => moveWhenHeld(store, id, input, readRolloutSums)),
});
