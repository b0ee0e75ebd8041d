/**
 * The runtime of an endpoint's function on Lambda. Each other file of this folder composes the handler of one kind of function, so
 * that a bundle has only the code that its kind needs: a function that reads has no code for commits.
 */

import { functionClientConfig, type Variables } from '../../runtime/function-client.ts';
import type { Handler } from '../middleware/pipeline.ts';
import { createRuntime, type Runtime } from '../runtime.ts';
import type { Endpoint } from '../types.ts';

/** @param env the environment of the function (infra/endpoint-function.ts) */
export type ComposeEndpoint = (endpoint: Endpoint, env: Variables) => Handler;

export const functionRuntime = (env: Variables): Runtime => createRuntime(env, functionClientConfig(env));
