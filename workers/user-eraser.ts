import { eraseUser } from '../lib/conversations/erase-user.ts';
import { defineWorker } from '../lib/workers/worker.ts';

export default defineWorker({
  id: 'user-eraser',
  summary: 'Erases the conversations of a user',
  source: 'jobs',
  wants: ({ kind, partition, id, after }) =>
    kind === 'INSERT' &&
    partition.length === 1 &&
    id.startsWith('job_') &&
    after?.type === 'conversations.erase',
  access: {
    jobs: ['GetItem', 'UpdateItem', 'DeleteItem'],
    conversations: ['GetItem', 'Query', 'PutItem', 'UpdateItem', 'DeleteItem'],
    messages: ['Query', 'DeleteItem'],
    conversationSearch: ['GetItem', 'BatchWriteItem'],
    conversationStats: ['GetItem', 'UpdateItem', 'DeleteItem'],
    schedule: ['GetItem', 'DeleteItem'],
    idempotency: ['UpdateItem'],
  },
  impact: 'Jobs that erase a user fail at their deadline. Some conversations of the user remain.',
  remedy: 'Start another job.',

  async handle(notices, input) {
    for (const { partition, id } of notices) {
      const [projectId = ''] = partition;
      await eraseUser(input.store.inProject(projectId), id, input);
    }
  },
});
