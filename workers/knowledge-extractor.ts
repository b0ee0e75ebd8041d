import {
  extractDocument,
  type Left,
  newOrLeft,
  removeLeft,
} from '../lib/bulk/imports/documents/extract-document.ts';
import { defineWorker, forEachNotice } from '../lib/workers/worker.ts';

export default defineWorker({
  id: 'knowledge-extractor',
  summary:
    'Extracts the texts of files for documents, and removes files and texts that are not needed any more',
  sources: ['knowledge'],
  wants: (change) => newOrLeft(change) !== undefined,
  detail: newOrLeft,
  access: {
    knowledge: ['GetItem', 'PutItem', 'UpdateItem', 'DeleteItem', 'ConditionCheckItem', 'Query'],
    jobs: ['DeleteItem'],
    limits: ['UpdateItem'],
  },
  files: ['read', 'remove'],
  // The process that reads a file may use 2 GB, beside this function.
  memoryMb: 3008,
  ends: 'whole',
  // The process that reads a file is ended after 60 s. The file of 50 MB and its text take a few more.
  longPiece: { maxSeconds: 75, from: 'outside' },
  whileSuspended: 'waits',
  removes: true,
  impact:
    'Files for documents are not read: the documents have no content. Files stay stored for up to two days.',
  remedy: 'Upload the files again.',

  handle: forEachNotice(async (store, { id, detail }, input) => {
    const { textId } = (detail ?? {}) as Left;
    if (textId !== undefined) await removeLeft(store, id, textId, input);
    await extractDocument(store, id, input);
  }),
});
