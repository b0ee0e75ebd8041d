/**
 * A worker's function in a process of its own, as it is bundled. Told by its environment: WORKER is the bundle. It says
 * `ready`, works off the event that it is sent, and says `done`.
 */

import type { WorkerHandler } from '../../lib/workers/worker.ts';

const { handler } = (await import(process.env.WORKER ?? '')) as { handler: WorkerHandler };

process.once('message', async (event) => {
  const { batchItemFailures } = await handler(event as Parameters<WorkerHandler>[0], {});
  process.send?.(batchItemFailures.length === 0 ? 'done' : 'failed');
});
process.send?.('ready');
