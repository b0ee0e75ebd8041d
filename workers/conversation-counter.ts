import { affectsCounts, countConversations } from '../lib/conversations/count.ts';
import { defineWorker } from '../lib/workers/worker.ts';

export default defineWorker({
  id: 'conversation-counter',
  summary: 'Updates the statistics of conversations and their scores',
  sources: ['conversations'],
  wants: affectsCounts,
  access: {
    conversations: ['BatchGetItem', 'UpdateItem'],
    deployments: ['BatchGetItem'],
    conversationSearch: ['GetItem', 'UpdateItem'],
    conversationStats: ['GetItem', 'BatchGetItem', 'PutItem', 'UpdateItem', 'DeleteItem'],
  },
  batchSize: 100,
  batchingSeconds: 1,
  ends: 'short',
  whileSuspended: 'continues',
  impact:
    'Conversations and scores are not counted. Statistics are wrong until these conversations or scores change again.',
  remedy: 'Re-index the messages of the projects.',

  async handle(notices, input) {
    const [projectId = ''] = notices[0].partition;
    await countConversations(input.store.inProject(projectId), notices, input);
  },
});
