import { affectsTimer, sweep } from '../lib/conversations/sweep.ts';
import { defineWorker } from '../lib/workers/worker.ts';

export default defineWorker({
  id: 'conversation-sweeper',
  summary: 'Records that conversations have timed out',
  source: 'conversations',
  filter: { on: ['INSERT', 'MODIFY', 'REMOVE'], idPrefix: 'conv_' },
  access: { conversations: ['GetItem', 'PutItem', 'UpdateItem', 'DeleteItem'] },
  timeoutSeconds: 60,
  batchSize: 100,
  impact:
    'Timeouts are not stored. Some conversations are stored as active, but responses show them as ' +
    'ended.',

  async handle(change, input) {
    const [projectId] = change.partition;
    if (!projectId || !affectsTimer(change)) return;
    await sweep(input.store.inProject(projectId), change.id, input);
  },
});
