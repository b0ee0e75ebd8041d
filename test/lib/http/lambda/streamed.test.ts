/** Functions that stream, with a runtime that frames a response as Lambda's does: metadata as JSON, eight zero bytes, the body. */

import { EventEmitter } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type { APIGatewayProxyEvent, Context } from 'aws-lambda';
import { describe, expect, test } from 'vitest';
import {
  type ResponseStream,
  type StreamingRuntime,
  streamed,
} from '../../../../lib/http/lambda/streamed.ts';
import type { Handler } from '../../../../lib/http/middleware/pipeline.ts';
import { openApi } from '../../../../samples/api.ts';
import { requestEvent } from '../../../../scripts/local/call.ts';
import { routesOf } from '../../../../scripts/local/service.ts';
import { storeReply } from '../../../support/stored-replies.ts';

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
        once: (event, listener) => stream.once(event, listener),
      };
    },
  },
};

/** The stream that Lambda gives a function. It takes one chunk at a time. */
function sinkOf(onWrite: (sink: EventEmitter) => void = () => {}) {
  const emitter = new EventEmitter();
  const chunks: Uint8Array[] = [];
  let isEnded = false;
  const sink: ResponseStream = {
    write(chunk) {
      chunks.push(chunk);
      setImmediate(() => emitter.emit('drain'));
      onWrite(emitter);
      return false;
    },
    end(done) {
      isEnded = true;
      done();
    },
    once: (event, listener) => emitter.once(event, listener),
  };
  return {
    sink,
    response() {
      expect(isEnded).toBe(true);
      const all = Buffer.concat(chunks);
      const at = all.indexOf(Buffer.alloc(8));
      return { ...JSON.parse(all.subarray(0, at).toString()), body: all.subarray(at + 8) };
    },
  };
}

const context = { awsRequestId: 'r' } as Context;

/** @returns what a function sends for a path */
async function stream(path: string, adjust?: Parameters<typeof openApi>[0]) {
  const { runtime: service } = await openApi(adjust);
  const { route, event } = requestEvent(routesOf(service), 'GET', path, {});
  const { sink, response } = sinkOf();
  await (streamed(route.handler, runtime) as Streaming)(event, sink, context);
  return response();
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

  const reply = async (act: (reply: Awaited<ReturnType<typeof storeReply>>) => Promise<void>) => {
    const api = await openApi(() => ({ sleep: (ms) => sleep(Math.min(ms, 5)) }));
    const stored = await storeReply(api, await api.createConversation());
    await act(stored);
    const { event, route } = requestEvent(routesOf(api.runtime), 'GET', `${stored.path}/events`, {
      key: api.rootKey,
    });
    return { event, handler: route.handler, stored };
  };

  test('sends events while they are made, and status and headers before', async () => {
    const { event, handler, stored } = await reply(({ say }) => say('You can '));
    let isAnswered = false;
    const { sink, response } = sinkOf(() => {
      if (isAnswered) return;
      isAnswered = true;
      void stored.say('send it back.').then(() => stored.end());
    });
    await (streamed(handler, runtime) as Streaming)(event, sink, context);
    const { statusCode, headers, body } = response();
    expect([statusCode, headers['Content-Type']]).toEqual([200, 'text/event-stream']);
    expect(body.toString().match(/"delta":"[^"]*"/g)).toEqual([
      '"delta":"You can "',
      '"delta":"send it back."',
    ]);
    expect(body.toString().endsWith('data: [DONE]\n\n')).toBe(true);
  });

  test.each(['close', 'error'] as const)('ends the events of a lost client: %s', async (loss) => {
    const { event, handler } = await reply(({ say }) => say('Half'));
    let isLost = false;
    const { sink, response } = sinkOf((emitter) => {
      if (!isLost) setImmediate(() => emitter.emit(loss));
      isLost = true;
    });
    await (streamed(handler, runtime) as Streaming)(event, sink, context);
    expect(response().body.toString()).not.toContain('[DONE]');
  });

  test('without a runtime that streams, the body has the bytes in base64, and the events until the end', async () => {
    const handler = async () => ({ statusCode: 200, body: 'eA==', isBase64Encoded: true });
    const event = {} as APIGatewayProxyEvent;
    expect(await (streamed(handler, undefined) as Handler)(event, context)).toEqual(await handler());
    const ended = await reply(({ say, end }) => say('All').then(() => end()));
    const answer = await (streamed(ended.handler, undefined) as Handler)(ended.event, context);
    expect(answer).not.toHaveProperty('events');
    expect(answer.body).toMatch(/"delta":"All".*\[DONE\]\n\n$/s);
  });
});
