/**
 * A worker's bundled function in its own process. The variable WORKER is the bundle. It prints `ready`, processes the
 * event that it receives, and prints `done`.
 */

import type { WorkerHandler } from '../../lib/workers/handler.ts';

const { handler } = (await import(process.env.WORKER ?? '')) as { handler: WorkerHandler };

process.once('message', async (event) => {
  const { batchItemFailures } = await handler(event as Parameters<WorkerHandler>[0], {});
  process.send?.(batchItemFailures.length === 0 ? 'done' : 'failed');
});
process.send?.('ready');
