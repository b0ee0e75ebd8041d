import { runImport } from '../lib/bulk/imports/import.ts';
import { wantsJob } from '../lib/jobs/store.ts';
import { defineWorker, forEachNotice } from '../lib/workers/worker.ts';

export default defineWorker({
  id: 'importer',
  summary: 'Imports uploaded files of conversations',
  sources: ['jobs'],
  wants: wantsJob('conversations.import'),
  access: {
    jobs: ['GetItem', 'Query', 'PutItem', 'UpdateItem', 'DeleteItem', 'ConditionCheckItem'],
    projects: ['GetItem'],
    conversations: ['BatchGetItem', 'PutItem', 'UpdateItem', 'ConditionCheckItem'],
    messages: ['BatchGetItem', 'PutItem'],
    deployments: ['GetItem'],
    limits: ['BatchGetItem', 'UpdateItem'],
  },
  files: ['read', 'put', 'remove'],
  // The worker holds a part or a range of the file, a line, and the parsed line at the same time.
  memoryMb: 1024,
  ends: 'turn',
  whileSuspended: 'waits',
  removes: true,
  impact: 'Imports of files fail at their deadline. Uploaded files stay stored for up to two days.',
  remedy: 'Upload and import the file again.',

  handle: forEachNotice((store, { id }, input) => runImport(store, id, input)),
});
