import { createBaseRuntime } from '../../runtime/base-runtime.ts';
import { functionClientConfig } from '../../runtime/function-client.ts';
import { type ComposeWorker, workerHandler } from './worker-handler.ts';

export const compose: ComposeWorker = (worker, env) =>
  workerHandler(worker, env, createBaseRuntime(env, functionClientConfig(env)));
