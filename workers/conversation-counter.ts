import { affectsCounts, countConversation } from '../lib/conversations/count.ts';
import { defineWorker } from '../lib/workers/worker.ts';

export default defineWorker({
  id: 'conversation-counter',
  summary: 'Updates the statistics of conversations',
  source: 'conversations',
  filter: { on: ['INSERT', 'MODIFY', 'REMOVE'], idPrefix: 'conv_' },
  access: {
    conversations: ['GetItem', 'UpdateItem'],
    conversationStats: ['GetItem', 'PutItem', 'UpdateItem', 'DeleteItem'],
  },
  timeoutSeconds: 60,
  batchSize: 100,
  impact: 'Conversations are not counted. Statistics are wrong until these conversations change again.',

  async handle(change, input) {
    const [projectId] = change.partition;
    if (!projectId || !affectsCounts(change)) return;
    await countConversation(input.store.inProject(projectId), change, input);
  },
});
