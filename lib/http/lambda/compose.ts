/**
 * Functions that compose the handlers of endpoints, one for each kind of endpoint. A bundle has only the code that its kind needs,
 * because esbuild drops the other functions and what only they import: a function that reads has no code for commits.
 */

import { functionClientConfig, type Variables } from '../../runtime/function-client.ts';
import { s3Files } from '../../runtime/s3-files.ts';
import { changeCore, readCore, streamCore } from '../middleware/cores.ts';
import { createHandler, type Handler } from '../middleware/pipeline.ts';
import { createRuntime, type Runtime } from '../runtime.ts';
import type { Endpoint } from '../types.ts';
import { lambdaStreaming, streamed } from './streamed.ts';

/** @param env the environment of the function (infra/endpoint-function.ts) */
export type ComposeEndpoint = (endpoint: Endpoint, env: Variables) => Handler;

export const functionRuntime = (env: Variables): Runtime => createRuntime(env, functionClientConfig(env));

function runtimeWithFiles(env: Variables): Runtime {
  const runtime = functionRuntime(env);
  return { ...runtime, files: s3Files(env, runtime) };
}

export const read: ComposeEndpoint = (endpoint, env) =>
  createHandler(endpoint, functionRuntime(env), readCore);

export const readWithFiles: ComposeEndpoint = (endpoint, env) =>
  createHandler(endpoint, runtimeWithFiles(env), readCore);

export const change: ComposeEndpoint = (endpoint, env) =>
  createHandler(endpoint, functionRuntime(env), changeCore);

export const changeWithFiles: ComposeEndpoint = (endpoint, env) =>
  createHandler(endpoint, runtimeWithFiles(env), changeCore);

/** @returns a handler that streams its responses */
export const stream = (endpoint: Endpoint, env: Variables): unknown =>
  streamed(createHandler(endpoint, functionRuntime(env), streamCore), lambdaStreaming());
