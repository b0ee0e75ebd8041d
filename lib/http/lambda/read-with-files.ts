import { s3Files } from '../../runtime/s3-files.ts';
import { createHandler } from '../middleware/pipeline.ts';
import { readCore } from '../middleware/read-core.ts';
import { type ComposeEndpoint, functionRuntime } from './function-runtime.ts';

export const compose: ComposeEndpoint = (endpoint, env) => {
  const runtime = functionRuntime(env);
  return createHandler(endpoint, { ...runtime, files: s3Files(env, runtime) }, readCore);
};
