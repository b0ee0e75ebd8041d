import { affectsCounts, countConversations } from '../lib/conversations/count.ts';
import { readRolloutSums } from '../lib/conversations/rollout-sums.ts';
import { decideCounted } from '../lib/rollouts/hold.ts';
import { defineWorker } from '../lib/workers/worker.ts';

export default defineWorker({
  id: 'conversation-counter',
  summary: 'Updates the statistics of conversations and their scores, and lets the guards of rollouts decide',
  sources: ['conversations'],
  wants: affectsCounts,
  access: {
    conversations: ['BatchGetItem', 'UpdateItem'],
    deployments: ['GetItem', 'BatchGetItem', 'PutItem', 'UpdateItem', 'DeleteItem'],
    apiKeys: ['GetItem'],
    projects: ['GetItem'],
    conversationSearch: ['GetItem', 'UpdateItem'],
    conversationStats: ['GetItem', 'BatchGetItem', 'Query', 'PutItem', 'UpdateItem', 'DeleteItem'],
    schedule: ['GetItem', 'PutItem', 'DeleteItem'],
  },
  batchSize: 100,
  batchingSeconds: 1,
  ends: 'short',
  whileSuspended: 'continues',
  impact:
    'Conversations and scores are not counted, and no guard ends a rollout. Statistics are wrong until these conversations or ' +
    'scores change again.',
  remedy: 'Re-index the messages of the projects.',

  async handle(notices, input) {
    const [projectId = ''] = notices[0].partition;
    const store = input.store.inProject(projectId);
    const rolloutIds = await countConversations(store, notices, input);
    // A guard that is breached ends its rollout at once. A rollout that cannot be decided does not hold up the others.
    const decisions = await Promise.allSettled(
      [...rolloutIds].map((id) => decideCounted(store, id, input, readRolloutSums)),
    );
    for (const decision of decisions) if (decision.status === 'rejected') throw decision.reason;
  },
});
