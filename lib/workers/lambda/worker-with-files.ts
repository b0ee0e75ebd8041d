import { createBaseRuntime } from '../../runtime/base-runtime.ts';
import { functionClientConfig } from '../../runtime/function-client.ts';
import { s3Files } from '../../runtime/s3-files.ts';
import { type ComposeWorker, workerHandler } from './worker-handler.ts';

export const compose: ComposeWorker = (worker, env) => {
  const runtime = createBaseRuntime(env, functionClientConfig(env));
  return workerHandler(worker, env, { ...runtime, files: s3Files(env, runtime) });
};
