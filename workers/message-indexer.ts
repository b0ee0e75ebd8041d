import { tombstones } from '../lib/conversations/store/conversations.ts';
import { messages } from '../lib/conversations/store/messages.ts';
import { changePostings, indexedMessage, noteIndexed } from '../lib/conversations/store/postings.ts';
import { defineWorker } from '../lib/workers/worker.ts';

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

  async handle({ partition, before, after }, { store: tenantStore, nowMs, writeEach, commit }) {
    const [projectId, conversationId, ...further] = partition;
    // The pointers of client ids are in a partition below the messages.
    if (!projectId || !conversationId || further.length > 0) return;
    const store = tenantStore.inProject(projectId);
    const oldMessage = before && indexedMessage(conversationId, messages.read(before));
    // The postings of an expired message have the same `ttl`, and removal by TTL costs nothing.
    const isExpired = !after && oldMessage?.ttl !== undefined && oldMessage.ttl * 1000 <= nowMs();
    if (isExpired) return;
    const newMessage = after && indexedMessage(conversationId, messages.read(after));
    const changes = changePostings(store, oldMessage, newMessage);
    if (changes.length > 0 && newMessage && (await tombstones.at(store).get(conversationId))) {
      // The erasure may have ended already. Then nothing else would remove these postings.
      await writeEach(changePostings(store, newMessage, undefined));
      return;
    }
    await writeEach(changes);
    if (after && !before) await commit([noteIndexed(store, messages.read(after).createdAt)]);
  },
});
