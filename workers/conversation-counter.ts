import { affectsCounts, countConversation } from '../lib/conversations/count.ts';
import { defineWorker } from '../lib/workers/worker.ts';

export default defineWorker({
  id: 'conversation-counter',
  summary: 'Updates the statistics of conversations',
  source: 'conversations',
  wants: affectsCounts,
  access: {
    conversations: ['GetItem', 'UpdateItem'],
    conversationStats: ['GetItem', 'PutItem', 'UpdateItem', 'DeleteItem'],
  },
  timeoutSeconds: 60,
  batchSize: 100,
  batchingSeconds: 1,
  impact: 'Conversations are not counted. Statistics are wrong until these conversations change again.',

  async handle(notices, input) {
    for (const notice of notices) {
      const [projectId = ''] = notice.partition;
      await countConversation(input.store.inProject(projectId), notice, input);
    }
  },
});
