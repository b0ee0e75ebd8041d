import { runReindexJob } from '../lib/conversations/reindex.ts';
import { unlessBusy } from '../lib/jobs/busy.ts';
import { wantsJob } from '../lib/jobs/store.ts';
import { defineWorker, forEachNotice } from '../lib/workers/worker.ts';

export default defineWorker({
  id: 'conversation-reindexer',
  summary: 'Builds the search index and the statistics of conversations again',
  sources: ['jobs'],
  wants: wantsJob('conversations.reindex'),
  access: {
    jobs: ['GetItem', 'UpdateItem'],
    conversations: ['BatchGetItem', 'Query'],
    deployments: ['BatchGetItem'],
    messages: ['Query'],
    conversationSearch: ['GetItem', 'UpdateItem', 'BatchWriteItem'],
    conversationStats: ['BatchGetItem', 'Query', 'PutItem', 'UpdateItem', 'BatchWriteItem'],
  },
  ends: 'turn',
  whileSuspended: 'waits',
  removes: true,
  impact: 'Jobs that re-index messages fail at their deadline. Searches and statistics stay as they are.',
  remedy: 'Start another job.',

  handle: forEachNotice((store, notice, input) => {
    const place = { store, queue: 'conversations', worker: 'conversation-reindexer' } as const;
    return unlessBusy(place, notice.id, notice, input, () => runReindexJob(store, notice.id, input));
  }),
});
