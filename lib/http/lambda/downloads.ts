/**
 * Composes the handlers of endpoints that serve downloads. API Gateway can send bytes only if the function streams its responses,
 * to callers with `Accept: *\/*`, as npm and pip are: without binary media types it would send base64, and with `*\/*` as a binary
 * type every request body would become base64 ("Set up a Lambda proxy integration with payload response streaming", Amazon API
 * Gateway Developer Guide).
 */

import { folderRelease, openDownloads } from '../../downloads/downloads.ts';
import { s3Downloads } from '../../downloads/s3-downloads.ts';
import type { Variables } from '../../runtime/function-client.ts';
import { readCore } from '../middleware/cores.ts';
import { createHandler } from '../middleware/pipeline.ts';
import type { Endpoint } from '../types.ts';
import { functionRuntime } from './compose.ts';
import { lambdaStreaming, streamed } from './streamed.ts';

/** The files of a release are beside its functions. A response of bytes is streamed. */
export function readWithDownloads(endpoint: Endpoint, env: Variables): unknown {
  const runtime = functionRuntime(env);
  const downloads = openDownloads(folderRelease(import.meta.dirname), s3Downloads(env, runtime));
  const handler = createHandler(endpoint, { ...runtime, downloads }, readCore);
  return endpoint.raw === 'bytes' ? streamed(handler, lambdaStreaming()) : handler;
}
