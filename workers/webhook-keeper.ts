import { readTranscriptStart } from '../lib/conversations/store/transcript-start.ts';
import { keepUp } from '../lib/events/webhooks/store/upkeep.ts';
import { wantsUpkeep } from '../lib/events/webhooks/store/webhooks.ts';
import { defineWorker } from '../lib/workers/worker.ts';

export default defineWorker({
  id: 'webhook-keeper',
  summary: 'Requests failed and missed deliveries again, and removes those of deleted webhooks',
  sources: ['webhooks'],
  wants: wantsUpkeep,
  access: {
    webhooks: ['GetItem', 'UpdateItem'],
    deliveries: ['Query', 'BatchGetItem', 'PutItem', 'UpdateItem', 'BatchWriteItem'],
    events: ['Query'],
    conversations: ['BatchGetItem'],
    messages: ['Query'],
  },
  impact:
    'Recoveries of webhooks do not happen. Deliveries of deleted webhooks stay stored until they expire.',
  remedy: 'Request the recovery again.',

  async handle(notices, input) {
    for (const notice of notices) await keepUp(notice, { ...input, readTranscript: readTranscriptStart });
  },
});
