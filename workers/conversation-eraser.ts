import { secondMs } from '../lib/base/time.ts';
import { purgeConversation } from '../lib/erasure/purge-conversations.ts';
import { fence } from '../lib/runtime/fence.ts';
import { defineWorker, forEachNotice } from '../lib/workers/worker.ts';

export default defineWorker({
  id: 'conversation-eraser',
  summary: 'Removes the remaining data of an erased conversation',
  sources: ['conversations'],
  // `purgedAt` is the last write of this worker. Any other change of a tombstone requests another run.
  wants: ({ kind, partition, after }) =>
    kind !== 'REMOVE' && partition[1] === 'erased' && after?.purgedAt === undefined,
  access: {
    jobs: ['GetItem', 'Query', 'UpdateItem', 'DeleteItem'],
    conversations: ['GetItem', 'Query', 'PutItem', 'UpdateItem', 'DeleteItem'],
    messages: ['Query', 'DeleteItem'],
    conversationSearch: ['GetItem', 'BatchWriteItem'],
    conversationStats: ['GetItem', 'UpdateItem', 'DeleteItem'],
    schedule: ['GetItem', 'DeleteItem'],
    idempotency: ['UpdateItem'],
    events: ['Query', 'BatchGetItem', 'BatchWriteItem'],
    deliveries: ['Query', 'GetItem', 'UpdateItem', 'DeleteItem'],
  },
  files: ['remove'],
  // The worker would wait for this long anyway.
  delaySeconds: fence.waitMs / secondMs,
  ends: 'turn',
  whileSuspended: 'continues',
  impact: 'Erased conversations are not removed. Their messages stay stored, but nobody can read them.',
  remedy: 'Change the tombstone in any way to start it again, for example `changedBy` with `update-item`.',

  // The time of the notice stays when it comes again, so the next turn does not wait again.
  handle: forEachNotice((store, { id, atMs }, input) => purgeConversation(store, id, atMs, input)),
});
