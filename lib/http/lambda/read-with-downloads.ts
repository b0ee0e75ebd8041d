import { openDownloads } from '../../downloads/downloads.ts';
import { folderRelease } from '../../downloads/folder-release.ts';
import { s3Downloads } from '../../downloads/s3-downloads.ts';
import type { Variables } from '../../runtime/function-client.ts';
import { createHandler } from '../middleware/pipeline.ts';
import { readCore } from '../middleware/read-core.ts';
import { type StreamingRuntime, streamed } from '../stream.ts';
import type { Endpoint } from '../types.ts';
import { functionRuntime } from './function-runtime.ts';

/** The files of a release are beside its functions. Bytes are streamed. */
export function compose(endpoint: Endpoint, env: Variables): unknown {
  const runtime = functionRuntime(env);
  const downloads = openDownloads(folderRelease(import.meta.dirname), s3Downloads(env, runtime));
  const handler = createHandler(endpoint, { ...runtime, downloads }, readCore);
  const lambda = globalThis.awslambda as StreamingRuntime | undefined;
  return endpoint.raw === 'bytes' ? streamed(handler, lambda) : handler;
}
