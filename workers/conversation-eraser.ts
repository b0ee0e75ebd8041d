import { purgeConversation } from '../lib/conversations/purge.ts';
import type { Worker } from '../lib/workers/worker.ts';

const worker: Worker = {
  id: 'conversation-eraser',
  summary: 'Removes what is left of an erased conversation',
  source: 'conversations',
  wakes: { on: ['INSERT', 'MODIFY'], idPrefix: 'conv_', partitions: ['erased'] },
  access: {
    conversations: ['GetItem', 'UpdateItem', 'DeleteItem'],
    messages: ['Query', 'DeleteItem'],
    conversationSearch: ['BatchWriteItem'],
    conversationStats: ['GetItem', 'UpdateItem', 'DeleteItem'],
    idempotency: ['UpdateItem'],
  },
  memoryMb: 512,
  timeoutSeconds: 900,
  // One that is long, and out of time, must not bring back others.
  batchSize: 1,
  loses: 'Erased conversations are not removed. Their messages stay stored, but nobody can read them.',

  async handle({ within: [projectId], id, after }, input) {
    // Its own note wakes it once more; any other touch of a tombstone asks for another run.
    if (projectId && after?.purgedAt === undefined) await purgeConversation(projectId, id, input);
  },
};

export default worker;
