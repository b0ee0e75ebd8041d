import { concernsTimer, sweep } from '../lib/conversations/sweep.ts';
import type { Worker } from '../lib/workers/worker.ts';

const worker: Worker = {
  id: 'conversation-sweeper',
  summary: 'Records that conversations have timed out',
  source: 'conversations',
  wakes: { on: ['INSERT', 'MODIFY', 'REMOVE'], idPrefix: 'conv_' },
  access: { conversations: ['GetItem', 'PutItem', 'UpdateItem', 'DeleteItem'] },
  memoryMb: 512,
  timeoutSeconds: 60,
  batchSize: 100,
  loses:
    'Timeouts are not stored. Some conversations are stored as active, but responses show them as ' +
    'ended.',

  async handle(change, input) {
    const [projectId] = change.within;
    if (projectId && concernsTimer(change)) await sweep(projectId, change.id, input);
  },
};

export default worker;
