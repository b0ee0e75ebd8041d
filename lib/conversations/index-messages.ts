/** Updates the search index after messages were added, or their `ttl` was changed. */

import type { Notice } from '../workers/notice.ts';
import type { WorkerInput } from '../workers/worker.ts';
import { writeWithinFence } from '../workers/writes.ts';
import { ensureGenerations } from './generations.ts';
import { type ProjectStore, tombstones } from './store/conversations.ts';
import {
  type Generation,
  getGenerations,
  noteIndexed,
  type StoredGenerations,
  storedGenerations,
  writtenGenerations,
} from './store/generations.ts';
import { getStoredMessagesAt, type MessagePosition, type PlacedMessage } from './store/messages.ts';
import { addPostings, positionId, removePostings } from './store/postings.ts';

type MessageChange = Pick<Notice, 'kind' | 'partition' | 'id' | 'atMs'>;

/** Changes of messages in one project may come late, repeatedly and in any order. */
export async function indexMessages(
  store: ProjectStore,
  changes: readonly MessageChange[],
  input: WorkerInput,
): Promise<void> {
  const [added, changed] = [true, false].map((isNew) =>
    changes.filter(({ kind }) => (kind === 'INSERT') === isNew),
  ) as [MessageChange[], MessageChange[]];
  if (added.length > 0) {
    const { messages, generations } = await indexAt(store, added, input);
    const latest = messages.map(({ createdAt }) => createdAt).sort();
    const through = latest.at(-1) ?? '';
    if (generations && through > generations.through) await input.commit([noteIndexed(store, through)]);
  }
  if (changed.length === 0) return;
  // Another run may have read the old `ttl`, and may still write it.
  const readableMs = Math.max(...changed.map(({ atMs }) => atMs)) + input.fence.waitMs;
  await input.sleep(Math.max(0, readableMs - input.nowMs()));
  await indexAt(store, changed, input);
}

const indexAt = (store: ProjectStore, changes: readonly MessageChange[], input: WorkerInput) => {
  const positions = changes.map(
    ({ partition: [, conversationId = ''], id }): MessagePosition => ({ conversationId, seq: Number(id) }),
  );
  const conversationIds = [...new Set(positions.map(({ conversationId }) => conversationId))];
  const read = () => getStoredMessagesAt(store, positions);
  return addToIndex(store, { conversationIds, read, choose: writtenGenerations }, input);
};

type ToIndex = {
  conversationIds: readonly string[];
  /** Reads messages of these conversations. It is called again if there is much to write. */
  read: () => Promise<readonly PlacedMessage[]>;
  choose: (stored: StoredGenerations) => readonly Generation[];
};

/** Adds messages to the index, except those of erased conversations. @returns the state that was read last */
export async function addToIndex(
  store: ProjectStore,
  { conversationIds, read, choose }: ToIndex,
  input: WorkerInput,
): Promise<{ messages: readonly PlacedMessage[]; generations: StoredGenerations | undefined }> {
  const erasedIds = async () =>
    new Set((await tombstones.at(store).getMany(conversationIds)).map(({ id }) => id));
  let messages: readonly PlacedMessage[] = [];
  /** These include messages of an earlier read that no longer exist. */
  const writtenMessages = new Map<string, PlacedMessage>();
  try {
    const { generations } = await writeWithinFence(input, async () => {
      const [storedState, stored, erased] = await Promise.all([getGenerations(store), read(), erasedIds()]);
      messages = stored.filter(({ conversationId }) => !erased.has(conversationId));
      if (messages.length === 0) return { generations: storedState, writes: [] };
      const generations = storedState ?? (await ensureGenerations(store, input));
      for (const message of messages) writtenMessages.set(positionId(message), message);
      const writes = await Promise.all(
        choose(generations).map((generation) => addPostings(store, generation, messages)),
      );
      return { generations, writes: writes.flat() };
    });
    return { messages, generations };
  } finally {
    // If this run was slower than it knows, the erasure may be over. Then only this run can remove its own writes.
    const erased = writtenMessages.size > 0 ? await erasedIds() : new Set();
    const erasedMessages = [...writtenMessages.values()].filter(({ conversationId }) =>
      erased.has(conversationId),
    );
    if (erasedMessages.length > 0) await removeFromIndex(store, erasedMessages, input);
  }
}

async function removeFromIndex(
  store: ProjectStore,
  messages: readonly PlacedMessage[],
  input: WorkerInput,
): Promise<void> {
  const generations = storedGenerations(await getGenerations(store));
  await input.writeEach(generations.flatMap((generation) => removePostings(store, generation, messages)));
}
