import { getTombstone } from '../lib/conversations/store/conversations.ts';
import { changePostings, indexedMessage, noteIndexed } from '../lib/conversations/store/postings.ts';
import type { Item, Worker } from '../lib/workers/worker.ts';

const worker: Worker = {
  id: 'message-indexer',
  summary: 'Updates the index for searching messages',
  source: 'messages',
  // Ten digits begin with this before a conversation has a milliard messages.
  wakes: { on: ['INSERT', 'MODIFY', 'REMOVE'], idPrefix: '0' },
  access: { conversations: ['GetItem'], conversationSearch: ['BatchWriteItem', 'PutItem'] },
  memoryMb: 512,
  timeoutSeconds: 300,
  batchSize: 100,
  loses: 'Messages are not indexed. Search misses them, or its index keeps words of erased messages.',

  async handle({ within, before, after }, { store, nowMs, writeEach, commit }) {
    const [projectId, conversationId, ...further] = within;
    // Beside the messages are the pointers of clients' own ids.
    if (!projectId || !conversationId || further.length > 0) return;
    const indexed = (item: Item | undefined) => item && indexedMessage(conversationId, item);
    const was = indexed(before);
    // What TTL takes, it takes from the index as well: there it has the same time, and going that way costs nothing.
    const isExpired = !after && was?.ttl !== undefined && was.ttl * 1000 <= nowMs();
    if (isExpired) return;
    const is = indexed(after);
    const changes = changePostings(store, projectId, was, is);
    if (changes.length > 0 && is && (await getTombstone(store, projectId, conversationId))) {
      // Its erasure may be over already: nothing comes behind this that would remove its words.
      await writeEach(changePostings(store, projectId, is, undefined));
      return;
    }
    await writeEach(changes);
    if (after && !before) await commit([noteIndexed(store, projectId, after.createdAt as string)]);
  },
};

export default worker;
