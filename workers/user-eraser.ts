import { eraseUser } from '../lib/conversations/erase-user.ts';
import type { Worker } from '../lib/workers/worker.ts';

const worker: Worker = {
  id: 'user-eraser',
  summary: 'Erases the conversations of a user',
  source: 'jobs',
  wakes: { on: ['INSERT'], idPrefix: 'job_' },
  access: {
    jobs: ['GetItem', 'UpdateItem', 'DeleteItem'],
    conversations: ['GetItem', 'Query', 'PutItem', 'UpdateItem', 'DeleteItem'],
    messages: ['Query', 'DeleteItem'],
    conversationSearch: ['BatchWriteItem'],
    conversationStats: ['GetItem', 'UpdateItem', 'DeleteItem'],
    idempotency: ['UpdateItem'],
  },
  memoryMb: 512,
  timeoutSeconds: 900,
  // A job may take long: one that fails must not bring back others.
  batchSize: 1,
  loses: 'Jobs that erase a user fail at their deadline. Some conversations of the user remain.',

  async handle({ within, id, after }, input) {
    const [projectId, ...further] = within;
    if (!projectId || further.length > 0 || after?.type !== 'conversations.erase') return;
    await eraseUser(projectId, id, input);
  },
};

export default worker;
