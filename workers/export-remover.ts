import { removeContainingId } from '../lib/export-parts/remove.ts';
import { removeExport } from '../lib/exports/remove.ts';
import { fence } from '../lib/fence.ts';
import { secondMs } from '../lib/time.ts';
import { waitForWriters } from '../lib/workers/window.ts';
import { defineWorker, oneByOne } from '../lib/workers/worker.ts';

export default defineWorker({
  id: 'export-remover',
  summary: 'Removes files of exports: those of deleted documents, and those whose time is over',
  sources: ['knowledge'],
  wants: ({ kind, partition }) => kind !== 'REMOVE' && partition[1] === 'deleted',
  access: { jobs: ['GetItem', 'Query', 'UpdateItem', 'DeleteItem'] },
  files: ['remove'],
  // It would wait for this long anyway.
  delaySeconds: fence.waitMs / secondMs,
  impact:
    'Files of exports are not removed. They stay stored for up to two days, also with deleted documents.',

  handle: oneByOne(async (store, { kind, id, atMs }, input) => {
    if (kind === 'DUE') return removeExport(store, id, input);
    await waitForWriters(input, atMs);
    await removeContainingId(store, 'documents', id, 'document_deleted', input);
  }),
});
