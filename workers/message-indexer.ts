import { indexMessages } from '../lib/conversations/index-messages.ts';
import { defineWorker } from '../lib/workers/worker.ts';

export default defineWorker({
  id: 'message-indexer',
  summary: 'Updates the index for searching messages',
  sources: ['messages'],
  // The eraser removes the postings of erased messages. All other postings expire with their messages. A text never changes.
  wants: ({ kind, partition, before, after }) =>
    // The pointers of client ids are in a partition below the messages.
    partition.length === 2 && (kind === 'INSERT' || (kind === 'MODIFY' && before?.ttl !== after?.ttl)),
  access: {
    conversations: ['BatchGetItem'],
    messages: ['BatchGetItem'],
    conversationSearch: ['GetItem', 'UpdateItem', 'BatchWriteItem'],
  },
  timeoutSeconds: 300,
  batchSize: 100,
  batchingSeconds: 1,
  ends: 'short',
  whileSuspended: 'continues',
  impact: 'Messages are not indexed. Search misses them.',
  remedy: 'Re-index the messages of the projects.',

  async handle(notices, input) {
    const [projectId = ''] = notices[0].partition;
    await indexMessages(input.store.inProject(projectId), notices, input);
  },
});
