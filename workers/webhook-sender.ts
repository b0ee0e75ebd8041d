import { deliverAll } from '../lib/webhooks/deliver.ts';
import { wantsDelivery } from '../lib/webhooks/store/deliveries.ts';
import { defineWorker } from '../lib/workers/worker.ts';

export default defineWorker({
  id: 'webhook-sender',
  summary: 'Sends events to the receivers of webhooks',
  sources: ['deliveries'],
  wants: wantsDelivery,
  access: {
    webhooks: ['GetItem', 'UpdateItem'],
    deliveries: ['GetItem', 'PutItem', 'UpdateItem'],
    events: ['GetItem'],
    schedule: ['GetItem', 'PutItem', 'DeleteItem'],
  },
  decrypts: true,
  // Several attempts wait at the same time, so one function serves many receivers.
  atOnce: true,
  batchSize: 10,
  maxConcurrency: 20,
  ends: 'short',
  // An attempt takes 15 seconds until it is given up. Attempts at receivers that have answered fast take no place.
  longPiece: { maxSeconds: 20, from: 'takePlace' },
  whileSuspended: 'waits',
  impact: 'Events are not sent to webhooks, or late. `npm run redrive` returns their notices.',
  remedy: 'Receivers can request the events of the last days again: `POST /webhooks/{webhook_id}/recover`.',

  handle: deliverAll,
});
