import { readTranscriptStart } from '../lib/conversations/store/messages.ts';
import { eraseRemoved } from '../lib/erasure/erase-removed.ts';
import { draftsOf, eventSources } from '../lib/events/from-changes/store/changes.ts';
import { eventWriter, writeEvents } from '../lib/events/from-changes/write-events.ts';
import { fanOut } from '../lib/webhooks/fan-out.ts';
import { webhooksInEvents } from '../lib/webhooks/in-events.ts';
import { defineWorker } from '../lib/workers/worker.ts';

export default defineWorker({
  id: 'event-writer',
  summary: 'Writes events',
  sources: eventSources,
  wants: (change) => draftsOf(change) !== undefined,
  detail: draftsOf,
  access: {
    events: ['BatchGetItem', 'BatchWriteItem', 'Query'],
    projects: ['BatchGetItem'],
    apiKeys: ['BatchGetItem'],
    avatars: ['BatchGetItem'],
    knowledge: ['BatchGetItem'],
    jobs: ['BatchGetItem'],
    deployments: ['BatchGetItem'],
    conversations: ['BatchGetItem'],
    schedule: ['GetItem', 'PutItem', 'DeleteItem'],
    messages: ['Query'],
    webhooks: ['Query', 'BatchGetItem'],
    deliveries: ['Query', 'GetItem', 'BatchGetItem', 'PutItem', 'UpdateItem', 'DeleteItem', 'BatchWriteItem'],
  },
  batchSize: 10,
  ends: 'turn',
  // No piece takes a minute, and events of a killed batch are late by this time.
  timeoutSeconds: 120,
  whileSuspended: 'continues',
  impact: 'Events are missing, and webhooks do not get them. `npm run redrive` returns their notices.',
  remedy: 'When the notices are lost, `npm run replay` writes the last event of each resource.',

  async handle(notices, input) {
    const { events, removed } = await writeEvents(notices, input, webhooksInEvents);
    for (const event of events) await fanOut(event, { ...input, readTranscript: readTranscriptStart });
    // Events of the batch do not wait for it.
    await eraseRemoved(eventWriter, removed, input);
  },
});
