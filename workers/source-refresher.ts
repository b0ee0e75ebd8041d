import { getJob } from '../lib/jobs/store.ts';
import { refreshWhenDue, wantsRefresh } from '../lib/sources/refresh/due.ts';
import { refreshSource } from '../lib/sources/refresh/refresh.ts';
import { removeSource } from '../lib/sources/refresh/remove-source.ts';
import { defineWorker, forEachNotice } from '../lib/workers/worker.ts';

export default defineWorker({
  id: 'source-refresher',
  summary: 'Refreshes sources: requests their pages, and stores their contents as documents',
  sources: ['jobs', 'knowledge'],
  wants: wantsRefresh,
  access: {
    apiKeys: ['GetItem'],
    jobs: ['GetItem', 'BatchGetItem', 'PutItem', 'UpdateItem', 'ConditionCheckItem'],
    knowledge: ['GetItem', 'BatchGetItem', 'Query', 'PutItem', 'UpdateItem', 'DeleteItem'],
    projects: ['GetItem'],
    limits: ['GetItem', 'BatchGetItem', 'Query', 'PutItem', 'UpdateItem'],
    schedule: ['GetItem', 'PutItem', 'DeleteItem'],
  },
  // The process that reads a file may use 2 GB, beside this function. A page has its tree.
  memoryMb: 3008,
  ends: 'turn',
  whileSuspended: 'waits',
  removes: true,
  // A file has 45 s to come, and reading it 60 s. A robots.txt that does not answer has three tries of 15 s.
  longPiece: { maxSeconds: 110, from: 'start' },
  impact: 'Sources are not refreshed. Their documents stay as they are.',
  remedy: 'Request the refresh again.',

  handle: forEachNotice(async (store, notice, input) => {
    const { table, id } = notice;
    if (table === 'knowledge') return refreshWhenDue(store, id, input);
    const job = await getJob(store, id);
    return job?.type === 'knowledge.remove-source'
      ? removeSource(store, id, input)
      : refreshSource(store, notice, input);
  }),
});
