/** Replies as a worker stores them: what shows them does not need the model that writes them. */

import { hourMs } from '../../lib/base/time.ts';
import { commit } from '../../lib/dynamodb/commit.ts';
import { openSession } from '../../lib/dynamodb/session.ts';
import { bindStore } from '../../lib/dynamodb/store.ts';
import type { Write } from '../../lib/dynamodb/write.ts';
import type { Runtime } from '../../lib/http/runtime.ts';
import { queuedReply } from '../../lib/replies/reply.ts';
import { addPart, addReply, changeReply, getReply, type ReplyItem } from '../../lib/replies/store/replies.ts';

type At = { runtime: Pick<Runtime, 'client' | 'tableNames' | 'newId' | 'nowMs'>; organisationId: string };

/**
 * @param path that of a conversation
 * @returns a reply that runs, with its path
 */
export async function storeReply({ runtime, organisationId }: At, path: string) {
  const [, , projectId = '', , conversationId = ''] = path.split('/');
  const session = openSession(runtime.client, runtime.tableNames, {
    messages: ['GetItem', 'PutItem', 'UpdateItem'],
  });
  const store = bindStore(session, `${organisationId}#live`).inProject(projectId);
  const write = async (writes: readonly Write[]) => {
    const nowMs = runtime.nowMs();
    const author = { changedBy: 'worker:test', changedThrough: 'worker:test' };
    const changedIn = runtime.newId('call', nowMs);
    if (await commit(session, writes, { ...author, changedIn, nowMs })) throw new Error('it was not written');
  };
  const id = runtime.newId('reply', runtime.nowMs());
  const begun = {
    id,
    conversationId,
    inputMessageId: null,
    inputSeq: 1,
    retryOf: null,
    environment: null,
    deploymentId: null,
    draft: false,
    avatarId: 'avtr_01JZ4Y7Q8R5T2V9W3X6B0C1D4E',
    avatarVersion: 1,
    createdBy: 'key_01JZ4Y7Q8R5T2V9W3X6B0C1D4E',
  };
  const queued = queuedReply(
    begun,
    { maxCostUsd: undefined, dryRun: false, question: undefined },
    runtime.nowMs(),
  );
  const leaseUntilMs = Date.now() + hourMs;
  await write([addReply(store, {}, { ...queued, status: 'running', leaseUntilMs })]);
  let offset = 0;
  return {
    id,
    path: `${path}/replies/${id}`,
    /** Stores the next part of the text. */
    async say(text: string): Promise<void> {
      await write([addPart(store, { id, conversationId }, { offset, text }, runtime.nowMs())]);
      offset += text.length;
    },
    async end(changes: Partial<Omit<ReplyItem, 'id'>> = { status: 'done' }): Promise<void> {
      const stored = await getReply(store, conversationId, id);
      if (!stored) throw new Error('there is no reply');
      await write([changeReply(store, stored, changes, ['leaseUntilMs'])]);
    },
  };
}
