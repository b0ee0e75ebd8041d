import { tombstones } from '../lib/conversations/store/conversations.ts';
import { messages } from '../lib/conversations/store/messages.ts';
import { changePostings, indexedMessage, noteIndexed } from '../lib/conversations/store/postings.ts';
import { defineWorker } from '../lib/workers/worker.ts';

export default defineWorker({
  id: 'message-indexer',
  summary: 'Updates the index for searching messages',
  source: 'messages',
  // The eraser removes the postings of what it erases. The others expire with their messages.
  wants: ({ kind, partition, before, after }) =>
    kind !== 'REMOVE' &&
    // The pointers of client ids are in a partition below the messages.
    partition.length === 2 &&
    (before?.text !== after?.text || before?.ttl !== after?.ttl),
  access: {
    messages: ['GetItem'],
    conversations: ['GetItem'],
    conversationSearch: ['BatchWriteItem', 'PutItem'],
  },
  timeoutSeconds: 300,
  batchSize: 100,
  batchingSeconds: 1,
  impact: 'Messages are not indexed. Search misses them, or its index keeps words of erased messages.',

  async handle(notices, input) {
    for (const { kind, partition, id } of notices) {
      const [projectId = '', conversationId = ''] = partition;
      const store = input.store.inProject(projectId);
      const message = await messages.at(store, conversationId).get(id);
      if (!message) continue;
      const indexed = indexedMessage(conversationId, message);
      if (await tombstones.at(store).get(conversationId)) {
        // The erasure may have ended already. Then nothing else would remove these postings.
        await input.writeEach(changePostings(store, indexed, undefined));
        continue;
      }
      await input.writeEach(changePostings(store, undefined, indexed));
      if (kind === 'INSERT') await input.commit([noteIndexed(store, message.createdAt)]);
    }
  },
});
