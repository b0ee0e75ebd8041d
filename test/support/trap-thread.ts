/** Replaces the thread that reads documents: the content of a document controls the thread. */

import { parentPort } from 'node:worker_threads';
import { perform, type Task } from '../../lib/search/pieces/read-document.ts';

const traps: Readonly<Record<string, () => void>> = {
  loop: () => {
    for (;;);
  },
  backtrack: () => /^(?:a+)+$/.test(`${'a'.repeat(50)}b`),
  sleep: () => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0),
  memory: () => {
    for (const kept: object[] = []; ; ) kept.push({ kept });
  },
  exit: () => process.exit(0),
};

parentPort?.on('message', (task: Task) => {
  if (task.kind === 'read') traps[task.document.content]?.();
  return parentPort?.postMessage(perform(task));
});
parentPort?.postMessage('ready');
