import { affectsTimer, sweep } from '../lib/conversations/sweep.ts';
import { defineWorker, forEachNotice } from '../lib/workers/worker.ts';

export default defineWorker({
  id: 'conversation-sweeper',
  summary: 'Records that conversations have timed out',
  sources: ['conversations'],
  wants: affectsTimer,
  access: {
    conversations: ['GetItem', 'UpdateItem'],
    schedule: ['GetItem', 'PutItem', 'DeleteItem'],
  },
  batchSize: 100,
  batchingSeconds: 1,
  ends: 'short',
  whileSuspended: 'continues',
  impact:
    'Timeouts are not stored. Some conversations are stored as active, but responses show them as ' +
    'ended.',

  handle: forEachNotice((store, { id }, input) => sweep(store, id, input)),
});
