import { eraseUser } from '../lib/conversations/erase-user.ts';
import { defineWorker } from '../lib/workers/worker.ts';

export default defineWorker({
  id: 'user-eraser',
  summary: 'Erases the conversations of a user',
  source: 'jobs',
  filter: { on: ['INSERT'], idPrefix: 'job_' },
  access: {
    jobs: ['GetItem', 'UpdateItem', 'DeleteItem'],
    conversations: ['GetItem', 'Query', 'PutItem', 'UpdateItem', 'DeleteItem'],
    messages: ['Query', 'DeleteItem'],
    conversationSearch: ['BatchWriteItem'],
    conversationStats: ['GetItem', 'UpdateItem', 'DeleteItem'],
    idempotency: ['UpdateItem'],
  },
  impact: 'Jobs that erase a user fail at their deadline. Some conversations of the user remain.',
  remedy: 'Start another job.',

  async handle({ partition, id, after }, input) {
    const [projectId, ...further] = partition;
    if (!projectId || further.length > 0 || after?.type !== 'conversations.erase') return;
    await eraseUser(input.store.inProject(projectId), id, input);
  },
});
