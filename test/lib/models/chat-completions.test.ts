/** An endpoint with OpenAI's chat completions that answers, and that fails in each way. */

import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { openChatCompletions } from '../../../lib/models/chat-completions.ts';
import type { ChatRequest, KeyPlace, ModelEndpoint, ModelRequest } from '../../../lib/models/models.ts';
import type { Network } from '../../../lib/network/network.ts';

const chat: ChatRequest = {
  modelId: 'own.small',
  system: ['You are ä.', 'You are short.'],
  messages: [
    { role: 'user', content: ['Hello'] },
    { role: 'assistant', content: ['Hi'] },
    { role: 'user', content: ['one', 'two'] },
  ],
  maxTokens: 100,
  temperature: 0,
};
const tool = { name: 'score', description: 'It scores.', schema: { type: 'object' } };
const request: ModelRequest = { ...chat, tool };

type Seen = { url: string; headers: IncomingHttpHeaders; body: string };
type Answer =
  | 'silent'
  | 'torn'
  | { status: number; body: string; headers?: Record<string, string> }
  /** Parts of a stream. The end is that of the body, of the connection, none, or parts forever. */
  | { parts: readonly (string | Buffer)[]; end: 'ends' | 'torn' | 'hangs' | 'repeats' };

/** @param answers one for each request. The last one answers all others */
async function openServer(...answers: readonly Answer[]) {
  const seen: Seen[] = [];
  const server = createServer(async (incoming, response) => {
    const { url = '', headers } = incoming;
    seen.push({ url, headers, body: await text(incoming) });
    const answer = answers[Math.min(seen.length, answers.length) - 1];
    if (answer === undefined || answer === 'silent') return;
    if (answer === 'torn') return void incoming.socket.destroy();
    if ('status' in answer) return void response.writeHead(answer.status, answer.headers).end(answer.body);
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    const write = (part: string | Buffer) => new Promise((sent) => response.write(part, sent));
    do {
      for (const part of answer.parts) if (!response.destroyed) await write(part);
    } while (answer.end === 'repeats' && !response.destroyed);
    if (answer.end === 'ends') response.end();
    if (answer.end === 'torn') incoming.socket.destroy();
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const close = () => {
    server.closeAllConnections();
    server.close();
  };
  onTestFinished(close);
  return { seen, close, origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

const loopback: Network = {
  allowLoopback: true,
  resolveName: async () => ['127.0.0.1'],
  elapsedMs: () => 0,
};

type Options = {
  network?: Network;
  env?: Record<string, string>;
  /** Of Secrets Manager and SSM. */
  aws?: string;
  timeoutMs?: number;
};

const open = ({ network = loopback, env = {}, aws = 'http://127.0.0.1:1', timeoutMs }: Options = {}) =>
  openChatCompletions({
    network,
    keys: {
      env,
      nowMs: () => Date.parse('2026-03-01T09:30:00Z'),
      settings: () => ({
        region: 'eu-central-1',
        endpoint: aws,
        credentials: { accessKeyId: 'AKIDEXAMPLE', secretAccessKey: 'secret' },
      }),
    },
    ...(timeoutMs !== undefined && { timeoutMs }),
  });

const endpointAt = (origin: string, more: Partial<ModelEndpoint> = {}): ModelEndpoint => ({
  baseUrl: `${origin}/v1`,
  model: 'small',
  ...more,
});

/** One request for a stream. */
async function read(answer: Answer, more: Partial<ModelEndpoint> = {}) {
  const { origin, seen } = await openServer(answer);
  const texts: string[] = [];
  const onText = (part: string) => void texts.push(part);
  const end = await open().stream(endpointAt(origin, more), chat, onText, new AbortController().signal);
  return { end, texts, seen };
}

const event = (body: unknown) => `data: ${JSON.stringify(body)}\n\n`;
const said = (content: string | null, more: object = {}) =>
  event({ choices: [{ index: 0, delta: { content }, finish_reason: null }], ...more });
const stopped = (reason: string, more: object = {}) =>
  event({ choices: [{ index: 0, delta: {}, finish_reason: reason }], ...more });
const usage = { prompt_tokens: 12, completion_tokens: 3, total_tokens: 15 };
const used = event({ choices: [], usage });
const done = 'data: [DONE]\n\n';
const ended = { kind: 'answer', stop: 'end', inputTokens: 12, outputTokens: 3 };
const unsaid = { inputTokens: undefined, outputTokens: undefined };
const json = (status: number, body: unknown): Answer => ({ status, body: JSON.stringify(body) });

describe('a streamed answer', () => {
  test('has its texts, its stop and its tokens, and a request that every server understands', async () => {
    const { end, texts, seen } = await read({
      parts: [said(null), said('Hello'), said(' you'), stopped('stop'), used, done],
      end: 'hangs',
    });
    expect([texts, end]).toEqual([['Hello', ' you'], ended]);
    expect(seen[0]?.url).toBe('/v1/chat/completions');
    expect(seen[0]?.headers).not.toHaveProperty('authorization');
    expect(JSON.parse(seen[0]?.body ?? '')).toEqual({
      model: 'small',
      messages: [
        { role: 'system', content: 'You are ä.\n\nYou are short.' },
        { role: 'user', content: 'Hello' },
        { role: 'assistant', content: 'Hi' },
        { role: 'user', content: 'one\n\ntwo' },
      ],
      max_tokens: 100,
      temperature: 0,
      stream: true,
      stream_options: { include_usage: true },
    });
  });

  test('the limit of tokens may have its other name', async () => {
    const { seen } = await read(
      { parts: [stopped('stop'), done], end: 'ends' },
      { maxTokensField: 'max_completion_tokens' },
    );
    const body = JSON.parse(seen[0]?.body ?? '');
    expect([body.max_completion_tokens, 'max_tokens' in body]).toEqual([100, false]);
  });

  test('may be cut at any byte, with other line ends, comments and names', async () => {
    const stream = `: ping\r\n\r\nevent: message\r\nid: 1\r\n${said('äöü').trim()}\r\n\r\n${said('😀')}${stopped('length')}${used}data:[DONE]`;
    const bytes = Buffer.from(stream);
    const parts = Array.from(bytes, (_, index) => bytes.subarray(index, index + 1));
    const { end, texts } = await read({ parts, end: 'ends' });
    expect([texts, end]).toEqual([['äöü', '😀'], { ...ended, stop: 'length' }]);
  });

  test.each([
    ['stop', 'end'],
    ['length', 'length'],
    ['content_filter', 'refused'],
    ['tool_calls', 'end'],
    ['new', 'end'],
  ])('that stops with %s: %s', async (reason, stop) => {
    const { end } = await read({ parts: [said('a'), stopped(reason), used, done], end: 'ends' });
    expect(end).toEqual({ ...ended, stop });
  });

  test('of a model that refuses', async () => {
    const refusal = event({ choices: [{ delta: { refusal: 'No.' } }] });
    const { end, texts } = await read({ parts: [refusal, used, done], end: 'ends' });
    expect([texts, end]).toEqual([[], { ...ended, stop: 'refused' }]);
  });

  test.each<[string, string[], object]>([
    ['no usage', [said('a'), stopped('stop'), done], unsaid],
    ['a usage that is null', [said('a', { usage: null }), stopped('stop', { usage: null }), done], unsaid],
    ['the usage in the last part', [said('a'), stopped('stop', { usage }), done], {}],
    ['a usage that nobody believes', [stopped('stop', { usage: { prompt_tokens: -1 } }), done], unsaid],
    ['no [DONE]', [said('a'), stopped('stop'), used], {}],
    ['no reason of its stop', [said('a'), used, done], {}],
    ['no text', [stopped('stop'), used, done], {}],
  ])('with %s is an answer', async (_, parts, tokens) => {
    expect((await read({ parts, end: 'ends' })).end).toEqual({ ...ended, ...tokens });
  });

  test('has whole characters, although the model sends halves', async () => {
    const { texts } = await read({ parts: [said('a\ud83d'), said('\ude00b'), stopped('stop')], end: 'ends' });
    expect(texts).toEqual(['a', '😀b']);
  });
});

const failed = { kind: 'retry', reason: 'failed', mayCost: true };

describe('a stream that breaks', () => {
  test.each<[string, Answer, object]>([
    ['an end in the middle', { parts: [said('a')], end: 'ends' }, failed],
    ['an end before the first text', { parts: [], end: 'ends' }, failed],
    ['a torn connection', { parts: [said('a')], end: 'torn' }, { ...failed, reason: 'network' }],
    ['an end within a part', { parts: [said('a'), said('b').slice(0, 20)], end: 'ends' }, failed],
    [
      'an error',
      { parts: [said('a'), event({ error: { message: 'out of memory' } })], end: 'hangs' },
      { ...failed, message: 'out of memory' },
    ],
    ['garbage', { parts: ['data: nothing\n\n'], end: 'hangs' }, failed],
    ['a part that is no object', { parts: ['data: 5\n\n'], end: 'hangs' }, failed],
    ['a page', { parts: ['<html>a</html>\n'], end: 'ends' }, failed],
    ['an answer that is no stream', json(200, { choices: [{ message: { content: 'a' } }] }), failed],
    ['a line without an end', { parts: ['x'.repeat(100_000)], end: 'repeats' }, failed],
    ['an event without an end', { parts: [`data: ${'x'.repeat(1000)}\n`], end: 'repeats' }, failed],
    ['comments without an end', { parts: [`: ${'x'.repeat(100_000)}\n\n`], end: 'repeats' }, failed],
  ])('%s', async (_, answer, reply) => {
    expect((await read(answer)).end).toMatchObject(reply);
  });

  test('a text without an end is cut off', async () => {
    const { end, texts } = await read({ parts: [said('a'.repeat(50_000))], end: 'repeats' });
    expect(end).toEqual({ kind: 'answer', stop: 'length', ...unsaid });
    expect(texts.join('').length).toBeLessThan(1_100_000);
  });

  test('the signal ends a stream that never ends, and one that says nothing', async () => {
    const controller = new AbortController();
    const { origin, seen } = await openServer({ parts: [said('a')], end: 'hangs' }, 'silent');
    const onText = () => controller.abort(new Error('cancelled'));
    const client = open();
    const endpoint = endpointAt(origin);
    await expect(client.stream(endpoint, chat, onText, controller.signal)).rejects.toThrow('cancelled');
    await expect(client.stream(endpoint, chat, onText, controller.signal)).rejects.toThrow('cancelled');
    expect(seen).toHaveLength(1);
    const next = new AbortController();
    const silent = client.stream(endpoint, chat, onText, next.signal);
    await vi.waitFor(() => expect(seen).toHaveLength(2), { timeout: 60_000 });
    next.abort(new Error('cancelled again'));
    await expect(silent).rejects.toThrow('cancelled again');
  });

  test('what the reader throws ends it', async () => {
    const { origin } = await openServer({ parts: [said('a'), said('b')], end: 'hangs' });
    const onText = () => Promise.reject(new Error('not stored'));
    const stream = open().stream(endpointAt(origin), chat, onText, new AbortController().signal);
    await expect(stream).rejects.toThrow('not stored');
  });
});

describe('an answer by a call of a tool', () => {
  const call = (args: unknown, name = 'score') => ({
    id: 'a',
    type: 'function',
    function: { name, arguments: args },
  });
  const answer = (message: object, reason = 'tool_calls', more: object = { usage }) =>
    json(200, { choices: [{ index: 0, message, finish_reason: reason }], ...more });
  async function converse(body: Answer) {
    const { origin, seen } = await openServer(body);
    return { reply: await open().converse(endpointAt(origin), request), seen };
  }
  const tokens = { inputTokens: 12, outputTokens: 3 };

  test('has the input of the call, and a request that forces it', async () => {
    const { reply, seen } = await converse(answer({ content: null, tool_calls: [call('{"value":true}')] }));
    const calls = [{ name: 'score', input: { value: true } }];
    expect(reply).toEqual({ kind: 'answer', stop: 'other', calls, ...tokens });
    const body = JSON.parse(seen[0]?.body ?? '');
    expect(body).toMatchObject({
      tools: [
        { type: 'function', function: { name: 'score', description: 'It scores.', parameters: tool.schema } },
      ],
      tool_choice: 'required',
    });
    expect(body).not.toHaveProperty('stream');
  });

  test.each<[string, Answer, object]>([
    ['prose', answer({ content: 'Yes.' }, 'stop'), { stop: 'end', calls: [], ...tokens }],
    ['a refusal', answer({ refusal: 'No.' }, 'stop'), { stop: 'refused', calls: [] }],
    ['a filter', answer({}, 'content_filter'), { stop: 'refused' }],
    ['an answer that is cut off', answer({}, 'length'), { stop: 'length' }],
    [
      'arguments that are no JSON',
      answer({ tool_calls: [call('{')] }),
      { calls: [{ name: 'score', input: undefined }] },
    ],
    [
      'arguments that are an object',
      answer({ tool_calls: [call({ a: 1 })] }),
      { calls: [{ name: 'score', input: { a: 1 } }] },
    ],
    [
      'a call that is none',
      answer({ tool_calls: ['score'] }),
      { calls: [{ name: undefined, input: undefined }] },
    ],
    ['no usage', answer({}, 'stop', {}), { stop: 'end', ...unsaid }],
    ['no JSON', { status: 200, body: '<html>' }, { stop: 'other', calls: [], ...unsaid }],
    ['2 MB', { status: 200, body: 'x'.repeat(2_000_000) }, { stop: 'other', calls: [], ...unsaid }],
  ])('%s', async (_, body, reply) => {
    expect((await converse(body)).reply).toMatchObject({ kind: 'answer', ...reply });
  });

  test('a slow model, a torn connection, and the signal', async () => {
    const { origin } = await openServer('silent');
    const slow = open({ timeoutMs: 200 });
    expect(await slow.converse(endpointAt(origin), request)).toMatchObject({
      kind: 'retry',
      reason: 'timeout',
      mayCost: true,
    });
    expect((await converse('torn')).reply).toMatchObject({ kind: 'retry', reason: 'network', mayCost: true });
    const cut = { status: 200, body: '{"choices":', headers: { 'content-length': '100' } };
    const { origin: cutting, close } = await openServer(cut);
    const reply = open().converse(endpointAt(cutting), request);
    setTimeout(close, 500);
    expect(await reply).toMatchObject({ kind: 'retry', mayCost: true });
    await expect(
      open().converse(endpointAt(origin), request, AbortSignal.abort(new Error('over'))),
    ).rejects.toThrow('over');
  });
});

describe('a refused request', () => {
  const throttled = { kind: 'retry', reason: 'throttled', mayCost: false };
  const error = (message: string, code?: string) => ({ error: { message, code } });
  test.each<[number, unknown, object]>([
    [429, error('Rate limit reached'), throttled],
    [429, error('You exceeded your quota', 'insufficient_quota'), { kind: 'unavailable' }],
    [503, error('Loading model'), { ...throttled, mayCost: true }],
    [500, error('CUDA error'), failed],
    [502, 'Bad gateway', failed],
    [408, {}, { kind: 'retry', reason: 'timeout', mayCost: true }],
    [401, error('Incorrect API key provided'), { kind: 'unavailable' }],
    [403, error('Country not supported'), { kind: 'unavailable' }],
    [404, error('The model `small` does not exist'), { kind: 'unavailable' }],
    [404, { error: "model 'small' not found" }, { kind: 'unavailable' }],
    [307, {}, { kind: 'unavailable' }],
    [402, error('Insufficient credits'), { kind: 'unavailable' }],
    [413, {}, { kind: 'too_long' }],
    [
      400,
      error("This model's maximum context length is 8192 tokens.", 'context_length_exceeded'),
      { kind: 'too_long' },
    ],
    [400, error('the request exceeds the available context size, try increasing it'), { kind: 'too_long' }],
    [400, { message: "This model's maximum context length is 4096 tokens." }, { kind: 'too_long' }],
    [
      400,
      error("Unsupported parameter: 'max_tokens' is not supported with this model."),
      { kind: 'unavailable' },
    ],
    [400, { error: 'registry.ollama.ai/library/small does not support tools' }, { kind: 'unavailable' }],
    [400, error('Invalid value'), { kind: 'invalid' }],
    [422, { detail: 'Unprocessable' }, { kind: 'invalid' }],
  ])('%i %j', async (status, body, reply) => {
    const { end, texts, seen } = await read(json(status, body));
    expect(end).toMatchObject(reply);
    expect('message' in end && end.message).toMatch(new RegExp(`^${status}`));
    expect([texts, seen.length]).toEqual([[], 1]);
    const { origin } = await openServer(json(status, body));
    expect(await open().converse(endpointAt(origin), request)).toEqual(end);
  });

  test('a refused connection costs nothing, and a lost one may', async () => {
    const { origin, close } = await openServer('torn');
    const stream = () => open().stream(endpointAt(origin), chat, () => {}, new AbortController().signal);
    expect(await stream()).toMatchObject({ kind: 'retry', reason: 'network', mayCost: true });
    close();
    expect(await stream()).toMatchObject({ kind: 'retry', reason: 'network', mayCost: false });
  });
});

describe('the address', () => {
  const to = (baseUrl: string, more: Partial<ModelEndpoint>, addresses: string[], allowLoopback = false) => {
    const targets: string[] = [];
    const network: Network = {
      allowLoopback,
      elapsedMs: () => 0,
      resolveName: async () => addresses,
      via(address) {
        targets.push(address);
        // Nothing listens there.
        return { address: '127.0.0.1', port: 1 };
      },
    };
    const endpoint = { ...endpointAt('http://a'), baseUrl, ...more };
    const end = open({ network }).stream(endpoint, chat, () => {}, new AbortController().signal);
    return end.then((reply) => ({ reply, targets }));
  };

  test('is public, or that of a listed host in a private network', async () => {
    const privateHosts = ['models.corp', '10.1.2.3'];
    const reached = [
      await to('https://models.example.com/v1', {}, ['1.1.1.1']),
      await to('https://models.corp/v1', { privateHosts }, ['10.1.2.3']),
      await to('https://models.corp/v1', { privateHosts }, ['fd00::1']),
      await to('https://10.1.2.3:8443/v1', { privateHosts }, []),
    ];
    expect(reached.map(({ targets }) => targets)).toEqual([
      ['1.1.1.1'],
      ['10.1.2.3'],
      ['fd00::1'],
      ['10.1.2.3'],
    ]);
  });

  test.each<[string, Partial<ModelEndpoint>, string[]]>([
    ['https://models.example.com/v1', {}, ['10.1.2.3']],
    ['https://models.corp/v1', {}, ['1.1.1.1']],
    ['https://other.corp/v1', { privateHosts: ['models.corp'] }, ['10.1.2.3']],
    ['https://models.corp/v1', { privateHosts: ['models.corp'] }, ['10.1.2.3', '127.0.0.1']],
    ['https://models.corp/v1', { privateHosts: ['models.corp'] }, ['169.254.169.254']],
    ['https://169.254.169.254/v1', { privateHosts: ['169.254.169.254'] }, []],
    ['http://models.corp/v1', { privateHosts: ['models.corp'] }, ['10.1.2.3']],
    ['http://127.0.0.1:11434/v1', {}, []],
  ])('%s with %j at %j is never asked', async (baseUrl, more, addresses) => {
    const { reply, targets } = await to(baseUrl, more, addresses);
    expect([reply, targets]).toEqual([
      { kind: 'unavailable', message: 'the endpoint has an address that is not allowed' },
      [],
    ]);
  });

  test('may be this machine in development', async () => {
    const { targets } = await to('http://127.0.0.1:11434/v1', {}, [], true);
    expect(targets).toEqual(['127.0.0.1']);
  });
});

describe('the key', () => {
  const answer: Answer = { parts: [said('a'), stopped('stop'), used, done], end: 'ends' };
  const secretName = 'models/own';
  const ask = async (key: KeyPlace, model: Awaited<ReturnType<typeof openServer>>, options: Options) => {
    const client = open(options);
    const endpoint = endpointAt(model.origin, { key });
    return () => client.stream(endpoint, chat, () => {}, new AbortController().signal);
  };
  const sentKeys = ({ seen }: { seen: Seen[] }) => seen.map(({ headers }) => headers.authorization);

  test('is read from Secrets Manager with the first request, once', async () => {
    const aws = await openServer(json(200, { SecretString: ' sk-one\n' }));
    const model = await openServer(answer);
    const stream = await ask({ secretName }, model, { aws: aws.origin });
    expect(await stream()).toEqual(ended);
    expect(await stream()).toEqual(ended);
    expect(sentKeys(model)).toEqual(['Bearer sk-one', 'Bearer sk-one']);
    expect(aws.seen).toHaveLength(1);
    const { headers = {}, body = '' } = aws.seen[0] ?? {};
    expect([headers['x-amz-target'], JSON.parse(body)]).toEqual([
      'secretsmanager.GetSecretValue',
      { SecretId: secretName },
    ]);
    expect(headers.authorization).toMatch(
      /^AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE\/20260301\/eu-central-1\/secretsmanager\/aws4_request/,
    );
  });

  test('is read from SSM, or from a variable', async () => {
    const aws = await openServer(json(200, { Parameter: { Value: 'sk-two' } }));
    const model = await openServer(answer);
    await (await ask({ parameterName: '/models/own' }, model, { aws: aws.origin }))();
    expect([aws.seen[0]?.headers['x-amz-target'], JSON.parse(aws.seen[0]?.body ?? '')]).toEqual([
      'AmazonSSM.GetParameter',
      { Name: '/models/own', WithDecryption: true },
    ]);
    await (await ask({ variable: 'OWN_KEY' }, model, { env: { OWN_KEY: 'sk-three' } }))();
    expect(sentKeys(model)).toEqual(['Bearer sk-two', 'Bearer sk-three']);
  });

  test('is read again when the endpoint refuses it, and the request is sent again if it has changed', async () => {
    const refused = json(401, { error: { message: 'Incorrect API key provided: sk-one' } });
    const changed = await openServer(
      json(200, { SecretString: 'sk-one' }),
      json(200, { SecretString: 'sk-two' }),
    );
    const model = await openServer(refused, answer);
    expect(await (await ask({ secretName }, model, { aws: changed.origin }))()).toEqual(ended);
    expect(sentKeys(model)).toEqual(['Bearer sk-one', 'Bearer sk-two']);
    const same = await openServer(json(200, { SecretString: 'sk-one' }));
    const refusing = await openServer(refused);
    // No message has the key.
    expect(await (await ask({ secretName }, refusing, { aws: same.origin }))()).toEqual({
      kind: 'unavailable',
      message: '401 Incorrect API key provided: …',
    });
    expect(refusing.seen).toHaveLength(1);
  });

  test.each<[string, Answer, object]>([
    [
      'is missing',
      json(400, { __type: 'ResourceNotFoundException', Message: 'sk-one' }),
      { kind: 'unavailable', message: 'the key cannot be read: 400 ResourceNotFoundException' },
    ],
    [
      'may not be read',
      json(400, { __type: 'com.amazon.coral.service#AccessDeniedException' }),
      { kind: 'unavailable' },
    ],
    [
      'is throttled',
      json(400, { __type: 'ThrottlingException' }),
      { kind: 'retry', reason: 'throttled', mayCost: false },
    ],
    ['fails', json(500, {}), { kind: 'retry', reason: 'failed', mayCost: false }],
    ['is torn', 'torn', { kind: 'retry', reason: 'network', mayCost: false }],
    ['is binary', json(200, { SecretBinary: 'AAAA' }), { kind: 'unavailable' }],
    ['is no header', json(200, { SecretString: 'a\r\nb: c' }), { kind: 'unavailable' }],
  ])('a key that %s is not sent, and neither is the request', async (_, answered, reply) => {
    const aws = await openServer(answered);
    const model = await openServer(answer);
    expect(await (await ask({ secretName }, model, { aws: aws.origin }))()).toMatchObject(reply);
    expect(model.seen).toEqual([]);
  });
});
