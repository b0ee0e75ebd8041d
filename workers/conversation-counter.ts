import { concernsCounts, countConversation } from '../lib/conversations/count.ts';
import type { Worker } from '../lib/workers/worker.ts';

const worker: Worker = {
  id: 'conversation-counter',
  summary: 'Updates the statistics of conversations',
  source: 'conversations',
  wakes: { on: ['INSERT', 'MODIFY', 'REMOVE'], idPrefix: 'conv_' },
  access: {
    conversations: ['GetItem', 'UpdateItem'],
    conversationStats: ['GetItem', 'PutItem', 'UpdateItem', 'DeleteItem'],
  },
  memoryMb: 512,
  timeoutSeconds: 60,
  batchSize: 100,
  loses: 'Conversations are not counted. Statistics are wrong until these conversations change again.',

  async handle(change, input) {
    const [projectId] = change.within;
    if (projectId && concernsCounts(change)) await countConversation(projectId, change, input);
  },
};

export default worker;
