import { affectsTimer, sweep } from '../lib/conversations/sweep.ts';
import { defineWorker } from '../lib/workers/worker.ts';

export default defineWorker({
  id: 'conversation-sweeper',
  summary: 'Records that conversations have timed out',
  source: 'conversations',
  wants: affectsTimer,
  access: {
    conversations: ['GetItem', 'UpdateItem'],
    schedule: ['GetItem', 'PutItem', 'DeleteItem'],
  },
  timeoutSeconds: 60,
  batchSize: 100,
  batchingSeconds: 1,
  impact:
    'Timeouts are not stored. Some conversations are stored as active, but responses show them as ' +
    'ended.',

  async handle(notices, input) {
    for (const { partition, id } of notices) {
      const [projectId = ''] = partition;
      await sweep(input.store.inProject(projectId), id, input);
    }
  },
});
