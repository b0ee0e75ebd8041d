/** Requests to Bedrock, compared with the algorithm of AWS's documentation, which is written out here. */

import { createHash, createHmac } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { openBedrock } from '../../../lib/models/bedrock.ts';
import type { ChatRequest } from '../../../lib/models/models.ts';
import type { Network } from '../../../lib/network/network.ts';
import { modelClientOf } from '../../../lib/runtime/base-runtime.ts';
import { functionClientConfig } from '../../../lib/runtime/function-client.ts';
import { event, said, stopped, used } from '../../support/instant-bedrock.ts';

const env = {
  AWS_REGION: 'eu-central-1',
  AWS_ACCESS_KEY_ID: 'AKIDEXAMPLE',
  AWS_SECRET_ACCESS_KEY: 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY',
  AWS_SESSION_TOKEN: 'token/+==',
};
/** No model here has an endpoint of its own. */
const network: Network = {
  allowLoopback: false,
  resolveName: () => Promise.reject(new Error('no name is asked for')),
  elapsedMs: () => 0,
};
const modelId = 'eu.amazon.nova-lite-v1:0';
const tool = { name: 'score', description: 'It scores.', schema: { type: 'object' } };
const chat: ChatRequest = {
  modelId,
  system: ['Be ä.'],
  messages: [{ role: 'user', content: ['a', 'b'] }],
  maxTokens: 100,
};
const request = { ...chat, tool };
/** What a response has that nobody can read. */
const unreadable = {
  kind: 'answer',
  stop: 'other',
  calls: [],
  inputTokens: undefined,
  outputTokens: undefined,
};

const sha256 = (data: string) => createHash('sha256').update(data).digest('hex');
const hmac = (secret: string | Buffer, data: string) => createHmac('sha256', secret).update(data).digest();

/** "Create a signed AWS API request", AWS Identity and Access Management User Guide. */
function signatureOf(canonicalRequest: string): string {
  const parts = ['20260301', 'eu-central-1', 'bedrock', 'aws4_request'];
  const toSign = ['AWS4-HMAC-SHA256', '20260301T093000Z', parts.join('/'), sha256(canonicalRequest)].join(
    '\n',
  );
  const signingKey = parts.reduce<string | Buffer>(hmac, `AWS4${env.AWS_SECRET_ACCESS_KEY}`);
  return hmac(signingKey, toSign).toString('hex');
}

type Seen = { method?: string; url?: string; headers: IncomingMessage['headers']; body: string };
/** `silent` never answers, `endless` never ends its body, and `torn` ends the connection. */
type Answer =
  | 'silent'
  | 'endless'
  | 'torn'
  | { status: number; body: string | Buffer; headers?: Record<string, string> }
  /** Parts of a body, each sent on its own. The end is that of the body, of the connection, or none. */
  | { parts: readonly Buffer[]; end: 'ends' | 'torn' | 'hangs' };

async function openServer(answer: Answer, timeoutMs = 60_000) {
  const seen: Seen[] = [];
  const server = createServer(async (incoming, response) => {
    const { method = '', url = '', headers } = incoming;
    seen.push({ method, url, headers, body: await text(incoming) });
    if (answer === 'silent') return;
    if (answer === 'torn') return void incoming.socket.destroy();
    if (answer === 'endless') {
      response.writeHead(200);
      const more = () => {
        if (response.destroyed) return;
        response.write('x'.repeat(100_000));
        setTimeout(more, 1);
      };
      return void more();
    }
    if ('parts' in answer) {
      response.writeHead(200, { 'content-type': 'application/vnd.amazon.eventstream' });
      for (const part of answer.parts) await new Promise((sent) => response.write(part, sent));
      if (answer.end === 'ends') response.end();
      if (answer.end === 'torn') incoming.socket.destroy();
      return;
    }
    response.writeHead(answer.status, answer.headers).end(answer.body);
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const settings = functionClientConfig(
    { ...env, AWS_ENDPOINT_URL_BEDROCK_RUNTIME: endpoint },
    'bedrock-runtime',
  );
  const { converse, stream } = openBedrock(settings, {
    nowMs: () => Date.parse('2026-03-01T09:30:00Z'),
    timeoutMs,
  });
  return { seen, converse, stream, endpoint };
}

const json = (status: number, body: unknown, headers: Record<string, string> = {}) => ({
  status,
  body: JSON.stringify(body),
  headers,
});

test('a request is signed for the service bedrock, with the id of the model as one part of the path', async () => {
  const { seen, converse } = await openServer(json(200, { stopReason: 'end_turn' }));
  expect(await converse(request)).toMatchObject({ kind: 'answer', stop: 'end' });
  const [{ method, url, headers, body } = { headers: {}, body: '' }] = seen;
  expect({ method, url, body }).toEqual({
    method: 'POST',
    url: '/model/eu.amazon.nova-lite-v1%3A0/converse',
    body: JSON.stringify({
      system: [{ text: 'Be ä.' }],
      messages: [{ role: 'user', content: [{ text: 'a' }, { text: 'b' }] }],
      inferenceConfig: { maxTokens: 100 },
      toolConfig: {
        tools: [
          {
            toolSpec: { name: 'score', description: 'It scores.', inputSchema: { json: { type: 'object' } } },
          },
        ],
        toolChoice: { tool: { name: 'score' } },
      },
    }),
  });
  expect(headers['content-type']).toBe('application/json');
  const [, names = '', signature] =
    /^AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE\/20260301\/eu-central-1\/bedrock\/aws4_request, SignedHeaders=([a-z0-9;-]+), Signature=([0-9a-f]{64})$/.exec(
      headers.authorization ?? '',
    ) ?? [];
  expect(names.split(';')).toEqual(expect.arrayContaining(['host', 'x-amz-date', 'x-amz-security-token']));
  const canonical = [
    'POST',
    // Encoded twice, as for all services but S3.
    '/model/eu.amazon.nova-lite-v1%253A0/converse',
    '',
    ...names.split(';').map((name) => `${name}:${headers[name]}`),
    '',
    names,
    sha256(body),
  ].join('\n');
  expect(signature).toBe(signatureOf(canonical));
});

test('without an endpoint of its own, requests go to the region of the function', () => {
  expect(functionClientConfig(env, 'bedrock-runtime')).toMatchObject({
    region: 'eu-central-1',
    endpoint: 'https://bedrock-runtime.eu-central-1.amazonaws.com',
  });
});

describe('what is no answer', () => {
  const throttled = { kind: 'retry', reason: 'throttled', mayCost: false };
  const failed = { kind: 'retry', reason: 'failed', mayCost: true };
  test.each<[number, string, Record<string, unknown>]>([
    [429, 'Too many requests, please wait before trying again.', throttled],
    [503, 'The service is temporarily unavailable.', { ...throttled, mayCost: true }],
    [500, 'The system encountered an unexpected error.', failed],
    [502, '', failed],
    [424, 'The model returned an error.', failed],
    [408, 'The request took too long.', { kind: 'retry', reason: 'timeout', mayCost: true }],
    [403, "You don't have access to the model with the specified model ID.", { kind: 'unavailable' }],
    [404, 'This model version has reached the end of its life.', { kind: 'unavailable' }],
    [400, 'The provided model identifier is invalid.', { kind: 'unavailable' }],
    [400, "This model doesn't support the toolConfig.toolChoice.tool field.", { kind: 'unavailable' }],
    [
      400,
      "Invocation of model ID amazon.nova-lite-v1:0 with on-demand throughput isn't supported. Retry your request with the ID or ARN of an inference profile that contains this model.",
      { kind: 'unavailable' },
    ],
    [401, '', { kind: 'unavailable' }],
    [400, 'The model returned the following errors: malformed input request', { kind: 'invalid' }],
    [400, '', { kind: 'invalid' }],
    [400, 'Input Tokens Exceeded: Number of input tokens exceeds maximum length.', { kind: 'too_long' }],
    [400, 'Input length should be at most 300000 characters', { kind: 'too_long' }],
    [400, 'The request has more than the max tokens allowed', { kind: 'too_long' }],
    [400, 'Too many input tokens. Max input tokens: 8192', { kind: 'too_long' }],
    [400, 'Input is too long for requested model.', { kind: 'too_long' }],
    [400, 'prompt is too long: 210000 tokens > 200000 maximum', { kind: 'too_long' }],
    [413, '', { kind: 'too_long' }],
  ])('%i %s', async (status, message, reply) => {
    const { converse, seen } = await openServer(
      json(status, { message }, { 'x-amzn-errortype': 'AnException:http://internal.amazon.com/' }),
    );
    expect(await converse(request)).toEqual({
      ...reply,
      message: `${status} AnException ${message}`.trim(),
    });
    // The caller repeats it, because each attempt may cost.
    expect(seen).toHaveLength(1);
  });

  test('a response that is not JSON, or larger than 1 MB, is an answer that nobody can read', async () => {
    const garbage = await openServer({ status: 200, body: 'the score is 5' });
    expect(await garbage.converse(request)).toEqual(unreadable);
    const large = await openServer({ status: 200, body: `"${'x'.repeat(1_000_000)}"` });
    expect(await large.converse(request)).toEqual(unreadable);
    const endless = await openServer('endless');
    expect(await endless.converse(request)).toEqual(unreadable);
  });

  test('an error that is not JSON, and a message that is no text', async () => {
    const html = await openServer({ status: 500, body: '<html>' });
    expect(await html.converse(request)).toEqual({ ...failed, message: '500' });
    const odd = await openServer(json(403, { message: { a: 1 } }));
    expect(await odd.converse(request)).toEqual({ kind: 'unavailable', message: '403' });
  });

  test('a slow model, and a connection that ends', async () => {
    const silent = await openServer('silent', 200);
    expect(await silent.converse(request)).toMatchObject({ kind: 'retry', reason: 'timeout', mayCost: true });
    const torn = await openServer('torn');
    expect(await torn.converse(request)).toMatchObject({ kind: 'retry', reason: 'network', mayCost: true });
  });

  test('a redirect is not followed', async () => {
    const other = await openServer(json(200, {}));
    const { converse } = await openServer({ status: 307, body: '', headers: { location: other.endpoint } });
    expect(await converse(request)).toMatchObject({ kind: 'retry', reason: 'network' });
    expect(other.seen).toEqual([]);
  });
});

test('the signal of the caller stops a request, and is no failure of the model', async () => {
  const { converse, seen } = await openServer('silent');
  const controller = new AbortController();
  const stopped = converse(request, controller.signal);
  await vi.waitFor(() => expect(seen).toHaveLength(1), { timeout: 60_000 });
  controller.abort(new Error('the run is cancelled'));
  await expect(stopped).rejects.toThrow('the run is cancelled');
});

test('a function lists the models of its environment, and needs credentials only to ask one', async () => {
  const listed = [{ id: 'a.b', inputUsdPerMillionTokens: 1, outputUsdPerMillionTokens: 2 }];
  const client = modelClientOf(
    { AWS_REGION: 'eu-central-1', MODELS: JSON.stringify(listed) },
    Date.now,
    network,
  );
  expect(client.listed).toEqual(listed);
  await expect(client.converse(request)).rejects.toThrow('there are no credentials');
  expect(modelClientOf({}, Date.now, network).listed).toEqual([]);
  const { endpoint } = await openServer(json(200, { a: 1 }));
  const asking = modelClientOf({ ...env, AWS_ENDPOINT_URL_BEDROCK_RUNTIME: endpoint }, Date.now, network);
  expect(await asking.converse(request)).toEqual(unreadable);
});

describe('a streamed answer', () => {
  const tokens = used(12, 3);
  const ended = { kind: 'answer', stop: 'end', inputTokens: 12, outputTokens: 3 };

  async function read(answer: Answer, signal = new AbortController().signal) {
    const { stream, seen } = await openServer(answer);
    const texts: string[] = [];
    const end = await stream(chat, (text) => void texts.push(text), signal);
    return { end, texts, seen };
  }

  test('has its texts, its stop and its tokens', async () => {
    const parts = [
      event('messageStart', { role: 'assistant' }),
      said('Hello'),
      said(' you'),
      stopped(),
      tokens,
    ];
    const { end, texts, seen } = await read({ parts, end: 'hangs' });
    expect([texts, end]).toEqual([['Hello', ' you'], ended]);
    expect(seen[0]?.url).toBe('/model/eu.amazon.nova-lite-v1%3A0/converse-stream');
    expect(JSON.parse(seen[0]?.body ?? '')).toEqual({
      system: [{ text: 'Be ä.' }],
      messages: [{ role: 'user', content: [{ text: 'a' }, { text: 'b' }] }],
      inferenceConfig: { maxTokens: 100 },
    });
  });

  test('may be cut at any byte', async () => {
    const bytes = Buffer.concat([said('äöü'), said('😀'), stopped('max_tokens'), tokens]);
    const parts = Array.from(bytes, (_, index) => bytes.subarray(index, index + 1));
    const { end, texts } = await read({ parts, end: 'ends' });
    expect([texts, end]).toEqual([['äöü', '😀'], { ...ended, stop: 'length' }]);
  });

  test.each([
    ['end_turn', 'end'],
    ['stop_sequence', 'end'],
    ['guardrail_intervened', 'refused'],
    ['content_filtered', 'refused'],
    ['refusal', 'refused'],
    ['max_tokens', 'length'],
    ['model_context_window_exceeded', 'length'],
    ['new', 'end'],
  ])('that stops with %s: %s', async (reason, stop) => {
    expect((await read({ parts: [stopped(reason), tokens], end: 'ends' })).end).toEqual({ ...ended, stop });
  });

  test('without its tokens is an answer without them', async () => {
    const { end } = await read({ parts: [said('a'), stopped()], end: 'ends' });
    expect(end).toEqual({ ...ended, inputTokens: undefined, outputTokens: undefined });
  });

  test('has whole characters, although the model sends halves', async () => {
    const { texts } = await read({
      parts: [said('a\ud83d'), said('\ude00b'), said('\udc00'), said('\ud83d'), stopped(), tokens],
      end: 'ends',
    });
    expect(texts).toEqual(['a', '😀b', '\ufffd', '\ufffd']);
  });

  const failed = { kind: 'retry', reason: 'failed', mayCost: true };
  test.each<[string, Answer, object]>([
    [
      'an exception',
      { parts: [said('a'), event('modelStreamErrorException', { message: 'b' }, 'exception')], end: 'hangs' },
      { ...failed, message: 'modelStreamErrorException b' },
    ],
    [
      'a throttled stream',
      { parts: [event('throttlingException', {}, 'exception')], end: 'hangs' },
      { ...failed, reason: 'throttled' },
    ],
    ['an end in the middle', { parts: [said('a')], end: 'ends' }, failed],
    ['an end within a message', { parts: [said('a'), said('b').subarray(0, 20)], end: 'ends' }, failed],
    ['a torn connection', { parts: [said('a')], end: 'torn' }, { ...failed, reason: 'network' }],
    [
      'a wrong checksum',
      {
        parts: [
          Buffer.from(said('a').map((byte, index, all) => (index === all.length - 1 ? byte ^ 1 : byte))),
        ],
        end: 'hangs',
      },
      failed,
    ],
    ['garbage', { parts: [Buffer.from('<html>nothing</html>')], end: 'hangs' }, failed],
    ['a message without a length', { parts: [Buffer.alloc(16)], end: 'hangs' }, failed],
  ])('%s breaks it', async (_, answer, reply) => {
    expect((await read(answer)).end).toMatchObject(reply);
  });

  test('of 10 MB ends, whatever it has', async () => {
    const many = Buffer.concat(Array.from({ length: 200 }, () => said('a'.repeat(5000))));
    const long = await read({ parts: Array.from({ length: 10 }, () => many), end: 'hangs' });
    expect(long.end).toMatchObject({ kind: 'answer', stop: 'length', outputTokens: undefined });
    const pings = Buffer.concat(Array.from({ length: 100 }, () => event('ping', 'a'.repeat(10_000))));
    const idle = await read({ parts: Array.from({ length: 10 }, () => pings), end: 'hangs' });
    expect(idle.end).toMatchObject(failed);
  });

  test('is refused as every other request', async () => {
    expect((await read(json(429, { message: 'slow down' }))).end).toMatchObject({
      kind: 'retry',
      mayCost: false,
    });
    expect((await read(json(400, { message: 'Input is too long' }))).end).toMatchObject({ kind: 'too_long' });
    expect((await read(json(404, {}))).end).toMatchObject({ kind: 'unavailable' });
    expect((await read('torn')).end).toMatchObject({ kind: 'retry', reason: 'network', mayCost: true });
  });

  test('ends with the signal, before and after its first text', async () => {
    const controller = new AbortController();
    const { stream, seen } = await openServer({ parts: [said('a')], end: 'hangs' });
    const texts: string[] = [];
    const onText = (text: string) => {
      texts.push(text);
      controller.abort(new Error('cancelled'));
    };
    await expect(stream(chat, onText, controller.signal)).rejects.toThrow('cancelled');
    expect(texts).toEqual(['a']);
    await expect(stream(chat, onText, controller.signal)).rejects.toThrow('cancelled');
    expect(seen).toHaveLength(1);
  });

  test('fails with what the reader throws', async () => {
    const { stream } = await openServer({ parts: [said('a'), said('b')], end: 'hangs' });
    const onText = () => Promise.reject(new Error('not stored'));
    await expect(stream(chat, onText, new AbortController().signal)).rejects.toThrow('not stored');
  });
});
