import { getTombstone } from '../lib/conversations/store/conversations.ts';
import { changePostings, indexedMessage, noteIndexed } from '../lib/conversations/store/postings.ts';
import { defineWorker, type Item } from '../lib/workers/worker.ts';

export default defineWorker({
  id: 'message-indexer',
  summary: 'Updates the index for searching messages',
  source: 'messages',
  // Ids have ten digits. They start with 0 until a conversation has a billion messages.
  filter: { on: ['INSERT', 'MODIFY', 'REMOVE'], idPrefix: '0' },
  access: { conversations: ['GetItem'], conversationSearch: ['BatchWriteItem', 'PutItem'] },
  timeoutSeconds: 300,
  batchSize: 100,
  impact: 'Messages are not indexed. Search misses them, or its index keeps words of erased messages.',

  async handle({ partition, before, after }, { store, nowMs, writeEach, commit }) {
    const [projectId, conversationId, ...further] = partition;
    // The pointers of clients' own ids are in other partitions below the conversation.
    if (!projectId || !conversationId || further.length > 0) return;
    const indexed = (item: Item | undefined) => item && indexedMessage(conversationId, item);
    const was = indexed(before);
    // TTL also removes the postings, which have the same time, at no cost.
    const isExpired = !after && was?.ttl !== undefined && was.ttl * 1000 <= nowMs();
    if (isExpired) return;
    const is = indexed(after);
    const changes = changePostings(store, projectId, was, is);
    if (changes.length > 0 && is && (await getTombstone(store, projectId, conversationId))) {
      // Its erasure may be complete, so nothing else would remove its words.
      await writeEach(changePostings(store, projectId, is, undefined));
      return;
    }
    await writeEach(changes);
    if (after && !before) await commit([noteIndexed(store, projectId, after.createdAt as string)]);
  },
});
