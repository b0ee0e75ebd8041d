/** Functions that stream, with a runtime that frames a response as Lambda's does: metadata as JSON, eight zero bytes, the body. */

import type { APIGatewayProxyEvent, Context } from 'aws-lambda';
import { describe, expect, test } from 'vitest';
import {
  type ResponseStream,
  type StreamingRuntime,
  streamed,
} from '../../../../lib/http/lambda/streamed.ts';
import { openApi } from '../../../../samples/api.ts';
import { requestEvent } from '../../../../scripts/local/call.ts';
import { routesOf } from '../../../../scripts/local/service.ts';

type Streaming = (event: APIGatewayProxyEvent, stream: ResponseStream, context: Context) => Promise<void>;

/** As HttpResponseStream.js of aws-lambda-nodejs-runtime-interface-client: the first write sends the metadata. */
const runtime: StreamingRuntime = {
  streamifyResponse: (handle) => handle,
  HttpResponseStream: {
    from(stream, metadata) {
      let isSent = false;
      return {
        write(chunk) {
          if (!isSent) stream.write(Buffer.from(`${JSON.stringify(metadata)}\0\0\0\0\0\0\0\0`));
          isSent = true;
          return stream.write(chunk);
        },
        end: (done) => stream.end(done),
        once: () => undefined,
      };
    },
  },
};

/** @returns what a function sends for a path */
async function stream(path: string, adjust?: Parameters<typeof openApi>[0]) {
  const { runtime: service } = await openApi(adjust);
  const { route, event } = requestEvent(routesOf(service), 'GET', path, {});
  const chunks: Uint8Array[] = [];
  let hasEnded = false;
  const sink: ResponseStream = {
    write(chunk) {
      chunks.push(chunk);
      return true;
    },
    end(done) {
      hasEnded = true;
      done();
    },
    once: () => undefined,
  };
  await (streamed(route.handler, runtime) as Streaming)(event, sink, { awsRequestId: 'r' } as Context);
  const all = Buffer.concat(chunks);
  const at = all.indexOf(Buffer.alloc(8));
  expect(hasEnded).toBe(true);
  return { ...JSON.parse(all.subarray(0, at).toString()), body: all.subarray(at + 8) };
}

describe('a function that streams', () => {
  test('sends the bytes as they are', async () => {
    const { statusCode, headers, body } = await stream('/downloads/platform-api-cli-0.1.0-g1bc1bbf.tgz');
    expect([statusCode, headers['Content-Type']]).toEqual([200, 'application/octet-stream']);
    expect(body.subarray(0, 4)).toEqual(Buffer.from([0x1f, 0x8b, 0xff, 0x00]));
  });

  test('sends status and headers of a response without a body', async () => {
    const { statusCode, headers, body } = await stream('/downloads/platform-api-cli.tgz');
    expect([statusCode, headers.Location]).toEqual([302, 'platform-api-cli-0.1.0-g1bc1bbf.tgz']);
    expect(body).toHaveLength(0);
  });

  test('sends errors in the envelope', async () => {
    const missing = await stream('/downloads/platform-api-cli-9.9.9-g0000000.tgz');
    expect([missing.statusCode, JSON.parse(missing.body.toString()).error.code]).toEqual([404, 'not_found']);
    const failing = {
      current: () => Promise.reject(new Error('internal')),
      list: () => Promise.reject(new Error('internal')),
      read: () => Promise.reject(new Error('internal')),
    };
    const failed = await stream('/downloads/a.tgz', () => ({ downloads: failing }));
    expect(failed.statusCode).toBe(500);
    expect(failed.body.toString()).not.toContain('internal"');
  });

  test('without a runtime that streams, the handler is returned as it is', () => {
    const handler = () => Promise.reject(new Error('not called'));
    expect(streamed(handler, undefined)).not.toBe(handler);
  });
});
