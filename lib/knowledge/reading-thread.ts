/** The thread that reads documents. lib/knowledge/document-reader.ts starts this file, and nothing imports it. */

import { parentPort } from 'node:worker_threads';
import { termsOfChunks } from './index/document-terms.ts';
import { readDocument, type Task } from './read-document.ts';

parentPort?.on('message', ({ kind, document }: Task) => {
  parentPort?.postMessage(kind === 'read' ? readDocument(document) : termsOfChunks(document));
});
parentPort?.postMessage('ready');
