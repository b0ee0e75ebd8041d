import { readTranscriptStart } from '../lib/conversations/store/messages.ts';
import { recoverOrRemove } from '../lib/webhooks/recover.ts';
import { wantsRecoveryOrRemoval } from '../lib/webhooks/store/webhooks.ts';
import { defineWorker } from '../lib/workers/worker.ts';

export default defineWorker({
  id: 'webhook-keeper',
  summary: 'Requests failed and missed deliveries again, and removes deliveries of deleted webhooks',
  sources: ['webhooks'],
  wants: wantsRecoveryOrRemoval,
  access: {
    webhooks: ['GetItem', 'UpdateItem'],
    deliveries: ['GetItem', 'Query', 'BatchGetItem', 'PutItem', 'UpdateItem', 'BatchWriteItem'],
    events: ['Query'],
    conversations: ['BatchGetItem'],
    messages: ['Query'],
  },
  ends: 'turn',
  whileSuspended: 'continues',
  impact:
    'Recoveries of webhooks do not happen. Deliveries of deleted webhooks stay stored until they expire.',
  remedy: 'Request the recovery again.',

  async handle(notices, input) {
    for (const notice of notices)
      await recoverOrRemove(notice, { ...input, readTranscript: readTranscriptStart });
  },
});
