/**
 * The handler of a worker's function on Lambda. Each other file of this folder composes the handler of one kind of function, so that a
 * bundle has only the code that its kind needs.
 */

import type { BaseRuntime } from '../../runtime/base-runtime.ts';
import { functionClientConfig, type Variables } from '../../runtime/function-client.ts';
import { createWorkerHandler, type WorkerHandler } from '../handler.ts';
import { openOwnQueue, openQueueClient } from '../sqs.ts';
import type { Worker } from '../worker.ts';

/** @param env the environment of the function (infra/worker-function.ts) */
export type ComposeWorker = (worker: Worker, env: Variables) => WorkerHandler;

export function workerHandler(worker: Worker, env: Variables, runtime: BaseRuntime): WorkerHandler {
  const queues = openQueueClient(functionClientConfig(env, 'sqs'));
  return createWorkerHandler(worker, runtime, openOwnQueue(queues, env, worker, runtime.sleep));
}
