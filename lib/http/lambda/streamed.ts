/**
 * Functions that stream their responses: metadata as JSON, eight zero bytes, and then the body, which the gateway passes on as it
 * comes ("Set up a Lambda proxy integration with payload response streaming", Amazon API Gateway Developer Guide).
 */

import type { APIGatewayProxyEvent, Context } from 'aws-lambda';
import { secondMs } from '../../base/time.ts';
import type { Events, HandlerResult } from '../handler-result.ts';
import type { Handler } from '../middleware/pipeline.ts';

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

export type ResponseStream = {
  /** @returns false if the next write should wait for `drain` */
  write(chunk: Uint8Array): boolean;
  end(done: () => void): void;
  once(event: 'drain' | 'close' | 'error', listener: () => void): unknown;
};

/** @returns undefined where nothing streams, such as in an emulator */
export const lambdaStreaming = () => globalThis.awslambda as StreamingRuntime | undefined;

/**
 * @param runtime undefined where nothing streams. The response then has base64 in place of bytes, and the events of a short time
 * @returns the handler of the function. Errors are responses, so they are streamed too
 */
export function streamed(handler: Handler, runtime: StreamingRuntime | undefined): unknown {
  if (!runtime) return collecting(handler);
  return runtime.streamifyResponse(async (event, stream, context) => {
    const { statusCode, headers = {}, body, isBase64Encoded, events } = await handler(event, context);
    const response = runtime.HttpResponseStream.from(stream, { statusCode, headers });
    // The first write sends status and headers, even if it is empty.
    response.write(Buffer.from(body, isBase64Encoded ? 'base64' : 'utf8'));
    if (events) await writeEvents(events, stream, response);
    await new Promise<void>((done) => response.end(done));
  });
}

/** If the client is lost, the events end. If it is slow, the next event waits. */
async function writeEvents(events: Events, stream: ResponseStream, response: ResponseStream): Promise<void> {
  const lost = new AbortController();
  const onLoss = new Promise<void>((resolve) => {
    const lose = () => {
      lost.abort();
      resolve();
    };
    stream.once('close', lose);
    stream.once('error', lose);
  });
  for await (const chunk of events(lost.signal)) {
    if (lost.signal.aborted) return;
    if (response.write(Buffer.from(chunk))) continue;
    await Promise.race([onLoss, new Promise<void>((drained) => stream.once('drain', drained))]);
  }
}

/** A gateway that does not stream has its own limit of 29 seconds. The client resumes what ends before. */
const collectMs = 20 * secondMs;

const collecting =
  (handler: Handler): Handler =>
  async (event, context) => {
    const { events, ...response }: HandlerResult = await handler(event, context);
    if (!events) return response;
    return { ...response, body: await collected(events, AbortSignal.timeout(collectMs)) };
  };

/** @returns all chunks until the signal */
export async function collected(events: Events, signal: AbortSignal): Promise<string> {
  let text = '';
  for await (const chunk of events(signal)) text += chunk;
  return text;
}
