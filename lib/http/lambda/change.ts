import { changeCore } from '../middleware/change-core.ts';
import { createHandler } from '../middleware/pipeline.ts';
import { type ComposeEndpoint, functionRuntime } from './function-runtime.ts';

export const compose: ComposeEndpoint = (endpoint, env) =>
  createHandler(endpoint, functionRuntime(env), changeCore);
