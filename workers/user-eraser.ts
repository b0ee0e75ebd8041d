import { eraseUser } from '../lib/erasure/erase-user.ts';
import { wantsJob } from '../lib/jobs/store.ts';
import { defineWorker, forEachNotice } from '../lib/workers/worker.ts';

export default defineWorker({
  id: 'user-eraser',
  summary: 'Erases the conversations of a user',
  sources: ['jobs'],
  wants: wantsJob('conversations.erase'),
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
  ends: 'turn',
  whileSuspended: 'continues',
  impact: 'Jobs that erase a user fail at their deadline. Some conversations of the user remain.',
  remedy: 'Start another job.',

  handle: forEachNotice((store, { id }, input) => eraseUser(store, id, input)),
});
