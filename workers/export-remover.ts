import { secondMs } from '../lib/base/time.ts';
import { removePartsWithRecord } from '../lib/bulk/exports/files/remove.ts';
import { cancelsExport, removeExport } from '../lib/bulk/exports/remove.ts';
import { expireUpload, scheduleRemoval } from '../lib/bulk/imports/uploads/remove.ts';
import { isUploadId } from '../lib/bulk/imports/uploads/store.ts';
import { fence } from '../lib/runtime/fence.ts';
import { defineWorker, forEachNotice } from '../lib/workers/worker.ts';
import { waitForFence } from '../lib/workers/writes.ts';

export default defineWorker({
  id: 'export-remover',
  summary:
    'Removes files of cancelled exports, of exports with deleted documents, and all files whose time is over',
  sources: ['knowledge', 'jobs'],
  wants: (change) => {
    const { table, kind, id, partition } = change;
    if (table !== 'jobs') return kind !== 'REMOVE' && partition[1] === 'deleted';
    return kind === 'INSERT' ? isUploadId(id) : cancelsExport(change);
  },
  access: {
    jobs: ['GetItem', 'Query', 'UpdateItem', 'DeleteItem'],
    schedule: ['GetItem', 'PutItem', 'DeleteItem'],
  },
  files: ['remove'],
  // The worker would wait for this long anyway.
  delaySeconds: fence.waitMs / secondMs,
  ends: 'turn',
  whileSuspended: 'continues',
  impact:
    'Files of exports and uploaded files are not removed. They stay stored for up to two days, also with deleted documents.',

  handle: forEachNotice(async (store, { table, kind, id, atMs }, input) => {
    if (isUploadId(id)) {
      if (kind === 'DUE') return expireUpload(store, id, input);
      return scheduleRemoval(store, id, atMs, input);
    }
    if (kind === 'DUE') return removeExport(store, id, input);
    await waitForFence(input, atMs);
    if (table === 'jobs') return removeExport(store, id, input);
    await removePartsWithRecord(store, 'documents', id, 'document_deleted', input);
  }),
});
