/** Requests to Bedrock, compared with the algorithm of AWS's documentation, which is written out here. */

import { createHash, createHmac } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { openBedrock } from '../../../lib/models/bedrock.ts';
import { modelClientOf } from '../../../lib/runtime/base-runtime.ts';
import { functionClientConfig } from '../../../lib/runtime/function-client.ts';

const env = {
  AWS_REGION: 'eu-central-1',
  AWS_ACCESS_KEY_ID: 'AKIDEXAMPLE',
  AWS_SECRET_ACCESS_KEY: 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY',
  AWS_SESSION_TOKEN: 'token/+==',
};
const modelId = 'eu.amazon.nova-lite-v1:0';
const request = { modelId, body: '{"a":"ä"}' };

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
  | { status: number; body: string; headers?: Record<string, string> };

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
  const { converse } = openBedrock(settings, { nowMs: () => Date.parse('2026-03-01T09:30:00Z'), timeoutMs });
  return { seen, converse, endpoint };
}

const json = (status: number, body: unknown, headers: Record<string, string> = {}) => ({
  status,
  body: JSON.stringify(body),
  headers,
});

test('a request is signed for the service bedrock, with the id of the model as one part of the path', async () => {
  const { seen, converse } = await openServer(json(200, { stopReason: 'tool_use' }));
  expect(await converse(request)).toEqual({ kind: 'answer', body: { stopReason: 'tool_use' } });
  const [{ method, url, headers, body } = { headers: {}, body: '' }] = seen;
  expect({ method, url, body }).toEqual({
    method: 'POST',
    url: '/model/eu.amazon.nova-lite-v1%3A0/converse',
    body: request.body,
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
    sha256(request.body),
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
    expect(await garbage.converse(request)).toEqual({ kind: 'answer', body: undefined });
    const large = await openServer({ status: 200, body: `"${'x'.repeat(1_000_000)}"` });
    expect(await large.converse(request)).toEqual({ kind: 'answer', body: undefined });
    const endless = await openServer('endless');
    expect(await endless.converse(request)).toEqual({ kind: 'answer', body: undefined });
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
  const client = modelClientOf({ AWS_REGION: 'eu-central-1', MODELS: JSON.stringify(listed) }, Date.now);
  expect(client.listed).toEqual(listed);
  await expect(client.converse(request)).rejects.toThrow('there are no credentials');
  expect(modelClientOf({}, Date.now).listed).toEqual([]);
  const { endpoint } = await openServer(json(200, { a: 1 }));
  const asking = modelClientOf({ ...env, AWS_ENDPOINT_URL_BEDROCK_RUNTIME: endpoint }, Date.now);
  expect(await asking.converse(request)).toEqual({ kind: 'answer', body: { a: 1 } });
});
