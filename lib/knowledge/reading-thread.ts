/** The thread that reads documents. lib/knowledge/document-reader.ts starts this file, and nothing imports it. */

import { parentPort } from 'node:worker_threads';
import { termsOfChunks } from './index/algorithms.ts';
import { readDocument, type Task } from './read-document.ts';

parentPort?.on('message', (task: Task) => {
  parentPort?.postMessage(
    task.kind === 'read' ? readDocument(task.document) : termsOfChunks(task.algorithm, task.document),
  );
});
parentPort?.postMessage('ready');
