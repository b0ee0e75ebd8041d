/** The thread that reads documents. lib/search/pieces/document-reader.ts starts this file, and nothing imports it. */

import { parentPort } from 'node:worker_threads';
import { perform, type Task } from './read-document.ts';

parentPort?.on('message', (task: Task) => {
  parentPort?.postMessage(perform(task));
});
parentPort?.postMessage('ready');
