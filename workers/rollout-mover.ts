import { readRolloutSums } from '../lib/conversations/rollout-sums.ts';
import { moveAll, moveWhenHeld, revives } from '../lib/rollouts/hold.ts';
import { rolloutPlace } from '../lib/rollouts/store.ts';
import { defineWorker } from '../lib/workers/worker.ts';

export default defineWorker({
  id: 'rollout-mover',
  summary: 'Moves rollouts whose step has been held: to the next step, to the end, or to wait for scores',
  sources: ['deployments', 'projects'],
  wants: (change) => (change.table === 'projects' ? revives(change) : change.partition[1] === rolloutPlace),
  access: {
    apiKeys: ['GetItem'],
    deployments: ['GetItem', 'Query', 'PutItem', 'UpdateItem', 'DeleteItem'],
    conversationSearch: ['GetItem'],
    conversationStats: ['Query'],
    projects: ['GetItem'],
    schedule: ['GetItem', 'PutItem', 'DeleteItem'],
  },
  ends: 'short',
  whileSuspended: 'continues',
  impact:
    'Rollouts stay at their percent, although their step has been held. A breach of a guard still ends them.',
  remedy: 'Advance the rollouts with `POST …/rollout/advance`.',

  async handle(notices, input) {
    for (const { table, partition, id } of notices) {
      if (table === 'projects') await moveAll(input.store.inProject(id), input, readRolloutSums);
      else await moveWhenHeld(input.store.inProject(`${partition[0]}`), id, input, readRolloutSums);
    }
  },
});
