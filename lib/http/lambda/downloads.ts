/**
 * Composes the handlers of endpoints that serve downloads. API Gateway can send bytes only if the function streams its responses,
 * to callers with `Accept: *\/*`, as npm and pip are: without binary media types it would send base64, and with `*\/*` as a binary
 * type every request body would become base64 ("Set up a Lambda proxy integration with payload response streaming", Amazon API
 * Gateway Developer Guide).
 */

import type { APIGatewayProxyEvent, Context } from 'aws-lambda';
import { folderRelease, openDownloads } from '../../downloads/downloads.ts';
import { s3Downloads } from '../../downloads/s3-downloads.ts';
import type { Variables } from '../../runtime/function-client.ts';
import { readCore } from '../middleware/cores.ts';
import { createHandler, type Handler } from '../middleware/pipeline.ts';
import type { Endpoint } from '../types.ts';
import { functionRuntime } from './compose.ts';

/** The files of a release are beside its functions. A response of bytes is streamed. */
export function readWithDownloads(endpoint: Endpoint, env: Variables): unknown {
  const runtime = functionRuntime(env);
  const downloads = openDownloads(folderRelease(import.meta.dirname), s3Downloads(env, runtime));
  const handler = createHandler(endpoint, { ...runtime, downloads }, readCore);
  const lambda = globalThis.awslambda as StreamingRuntime | undefined;
  return endpoint.raw === 'bytes' ? streamed(handler, lambda) : handler;
}

/** The functions that Lambda's Node runtime defines for streaming. */
export type StreamingRuntime = {
  streamifyResponse(
    handle: (event: APIGatewayProxyEvent, stream: ResponseStream, context: Context) => Promise<void>,
  ): unknown;
  HttpResponseStream: {
    from(
      stream: ResponseStream,
      metadata: { statusCode: number; headers: Record<string, unknown> },
    ): ResponseStream;
  };
};

export type ResponseStream = { write(chunk: Uint8Array): boolean; end(done: () => void): void };

/**
 * @param runtime undefined where nothing streams, such as in an emulator. The response then has base64
 * @returns the handler of the function. Errors are responses, so they are streamed too
 */
export function streamed(handler: Handler, runtime: StreamingRuntime | undefined): unknown {
  if (!runtime) return handler;
  return runtime.streamifyResponse(async (event, stream, context) => {
    const { statusCode, headers = {}, body, isBase64Encoded } = await handler(event, context);
    const response = runtime.HttpResponseStream.from(stream, { statusCode, headers });
    // The first write sends status and headers, even if it is empty.
    response.write(Buffer.from(body, isBase64Encoded ? 'base64' : 'utf8'));
    await new Promise<void>((done) => response.end(done));
  });
}
