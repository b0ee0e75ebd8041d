import { runReindexJob } from '../lib/conversations/reindex.ts';
import { defineWorker } from '../lib/workers/worker.ts';

export default defineWorker({
  id: 'conversation-reindexer',
  summary: 'Builds the search index and the statistics of conversations again',
  source: 'jobs',
  wants: ({ kind, partition, id, after }) =>
    kind === 'INSERT' &&
    partition.length === 1 &&
    id.startsWith('job_') &&
    after?.type === 'conversations.reindex',
  access: {
    jobs: ['GetItem', 'UpdateItem'],
    conversations: ['BatchGetItem', 'Query'],
    messages: ['Query'],
    conversationSearch: ['GetItem', 'UpdateItem', 'BatchWriteItem'],
    conversationStats: ['BatchGetItem', 'Query', 'PutItem', 'UpdateItem', 'BatchWriteItem'],
  },
  impact: 'Jobs that re-index messages fail at their deadline. Searches and statistics stay as they are.',
  remedy: 'Start another job.',

  async handle(notices, input) {
    for (const { partition, id } of notices) {
      const [projectId = ''] = partition;
      await runReindexJob(input.store.inProject(projectId), id, input);
    }
  },
});
