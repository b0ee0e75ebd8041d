import { createHandler } from '../middleware/pipeline.ts';
import { readCore } from '../middleware/read-core.ts';
import { type ComposeEndpoint, functionRuntime } from './function-runtime.ts';

export const compose: ComposeEndpoint = (endpoint, env) =>
  createHandler(endpoint, functionRuntime(env), readCore);
