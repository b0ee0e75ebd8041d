import { draftOf } from '../lib/audit/store/drafts.ts';
import { auditedTables } from '../lib/audit/store/fields.ts';
import { writeEvents } from '../lib/audit/store/write-events.ts';
import { defineWorker } from '../lib/workers/worker.ts';

export default defineWorker({
  id: 'audit-writer',
  summary: 'Writes the audit log',
  sources: auditedTables,
  wants: () => true,
  detail: draftOf,
  access: { audit: ['PutItem'], apiKeys: ['BatchGetItem'] },
  timeoutSeconds: 60,
  batchSize: 100,
  batchingSeconds: 1,
  impact: 'Changes are missing in the audit log. `npm run redrive` returns their notices.',
  remedy:
    'When the notices are lost, `npm run replay` writes the last change of each resource, without saying what ' +
    'has changed. It does not find deliveries that were sent since.',

  handle: writeEvents,
});
