import { runExport } from '../lib/bulk/exports/export.ts';
import { exportJobTypes } from '../lib/bulk/exports/store.ts';
import { wantsJob } from '../lib/jobs/store.ts';
import { defineWorker, forEachNotice } from '../lib/workers/worker.ts';

export default defineWorker({
  id: 'exporter',
  summary: 'Writes the files of exports',
  sources: ['jobs'],
  wants: wantsJob(...Object.values(exportJobTypes)),
  access: {
    apiKeys: ['GetItem'],
    jobs: ['GetItem', 'PutItem', 'UpdateItem', 'ConditionCheckItem'],
    projects: ['GetItem'],
    conversations: ['BatchGetItem', 'Query'],
    messages: ['Query'],
    deployments: ['BatchGetItem'],
    knowledge: ['BatchGetItem', 'Query'],
    audit: ['BatchGetItem', 'Query'],
    limits: ['BatchGetItem', 'UpdateItem'],
    schedule: ['GetItem', 'PutItem'],
  },
  files: ['put', 'remove'],
  // The worker holds a part, its compressed form, and the next messages of some conversations at the same time.
  memoryMb: 1024,
  ends: 'turn',
  whileSuspended: 'waits',
  removes: true,
  impact: 'Exports fail at their deadline. Files that they have written stay stored for up to two days.',
  remedy: 'Start another export.',

  handle: forEachNotice((store, { id }, input) => runExport(store, id, input)),
});
