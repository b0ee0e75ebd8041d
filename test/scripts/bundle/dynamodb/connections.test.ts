/** The DynamoDB client of the functions' bundles when the network fails, as the SDK's own one. */

import type { AddressInfo, Server, Socket } from 'node:net';
import { createServer } from 'node:net';
import {
  afterAll,
  afterEach,
  beforeAll,
  beforeEach,
  describe,
  expect,
  onTestFinished,
  test,
  vi,
} from 'vitest';
import { openHttp } from '../../../../scripts/bundle/dynamodb/http.ts';
import {
  bundledDynamoDb,
  type Libraries,
  openScriptedServer,
  type Run,
  realDynamoDb,
  run,
  type Scripted,
  type ScriptedServer,
} from '../../../support/function-sdk.ts';

let ours: Libraries;
let server: ScriptedServer;

beforeAll(async () => {
  [ours, server] = await Promise.all([bundledDynamoDb(), openScriptedServer()]);
});

afterAll(() => server.close());

beforeEach(() => {
  vi.spyOn(Math, 'random').mockReturnValue(0);
});

let opened: { destroy(): void }[] = [];

afterEach(() => {
  vi.restoreAllMocks();
  for (const one of opened) one.destroy();
  opened = [];
});

const command: Run['command'] = ['GetCommand', { TableName: 't', Key: { id: 'a' } }];

type Fields = { name: string; code?: string; classes: string[]; $metadata?: { attempts: number } };

/** @returns what code and logs tell errors of the network apart by: the text is each client's own */
async function failureOf(libraries: Libraries, how: Omit<Run, 'command'>) {
  const { outcome, sent } = await run(libraries, server, { command, ...how });
  const { name, code, $metadata } = ('error' in outcome ? outcome.error : { name: 'none' }) as Fields;
  return { name, code, attempts: $metadata?.attempts, requests: sent.length };
}

const thrice = (scripted: Scripted): Scripted[] => [scripted, scripted, scripted];

test.each<[string, Scripted, object]>([
  ['is reset', 'reset', { name: 'TimeoutError', code: 'ECONNRESET', attempts: 3, requests: 3 }],
  ['ends in the body', 'truncated', { name: 'Error', code: 'ECONNRESET', attempts: 3, requests: 3 }],
])('a connection that %s', async (_, scripted, error) => {
  const expected = await failureOf(realDynamoDb, { script: thrice(scripted) });
  expect(expected).toEqual(error);
  expect(await failureOf(ours, { script: thrice(scripted) })).toEqual(expected);
});

test('a connection that is refused', async () => {
  const free = createServer();
  const url = await listen(free);
  await new Promise((closed) => free.close(closed));
  const expected = await failureOf(realDynamoDb, { config: { endpoint: url } });
  expect(expected).toEqual({ name: 'Error', code: 'ECONNREFUSED', attempts: 3, requests: 0 });
  expect(await failureOf(ours, { config: { endpoint: url } })).toEqual(expected);
});

test('a name that does not exist', async () => {
  const config = { endpoint: 'http://nowhere.invalid' };
  const expected = await failureOf(realDynamoDb, { config });
  expect(expected).toMatchObject({ name: 'Error', attempts: 3, requests: 0 });
  expect(await failureOf(ours, { config })).toEqual(expected);
});

test('a response that does not come in time', async () => {
  const config = { requestHandler: { requestTimeout: 300, throwOnRequestTimeout: true } };
  const how = { config, script: thrice('silence') };
  const expected = await failureOf(realDynamoDb, how);
  expect(expected).toEqual({ name: 'TimeoutError', code: 'ETIMEDOUT', attempts: 3, requests: 3 });
  expect(await failureOf(ours, how)).toEqual(expected);
});

test('a request that gets no connection in time', async () => {
  const silent = createServer(() => {});
  const post = openHttp(new URL(await listen(silent)), { connectionTimeout: 300 });
  const stop = new AbortController();
  const waiting = Array.from({ length: 50 }, () => post({}, Buffer.from('{}'), stop.signal));
  // All connections have a request that waits for its response.
  await expect(post({}, Buffer.from('{}'), undefined)).rejects.toMatchObject({
    name: 'TimeoutError',
    code: 'ETIMEDOUT',
  });
  stop.abort();
  for (const one of await Promise.allSettled(waiting)) {
    expect(one).toMatchObject({ status: 'rejected', reason: { name: 'AbortError' } });
  }
});

test.each(['ours', "the SDK's"])(
  '%s sends nothing if the signal aborts right after the call',
  async (whose) => {
    const stop = new AbortController();
    const sending = run(whose === 'ours' ? ours : realDynamoDb, server, {
      command,
      options: { abortSignal: stop.signal },
    });
    stop.abort();
    expect(await sending).toMatchObject({ sent: [], outcome: { error: { name: 'AbortError' } } });
  },
);

test('the time for the connection ends with the connection', async () => {
  const slow = createServer((socket) => setTimeout(() => socket.end(emptyResponse), 800));
  const endpoint = await listen(slow);
  const config = { endpoint, requestHandler: { connectionTimeout: 500, requestTimeout: 3000 } };
  expect((await run(ours, server, { command, config })).outcome).toHaveProperty('output');
});

describe('a signal', () => {
  /** Aborts a moment after the request has arrived, however long it takes to arrive. */
  const options = (hasArrived: () => boolean) => {
    const stop = new AbortController();
    const looking = setInterval(() => {
      if (!hasArrived()) return;
      clearInterval(looking);
      setTimeout(() => stop.abort(), 20);
    }, 2);
    onTestFinished(() => clearInterval(looking));
    return { abortSignal: stop.signal };
  };
  const isSent = () => server.sent().length > 0;

  test('that has stopped a command before it is sent', async () => {
    const how = { options: { abortSignal: AbortSignal.abort(new Error('why')) } };
    const expected = await failureOf(realDynamoDb, how);
    expect(expected).toEqual({ name: 'AbortError', code: undefined, attempts: undefined, requests: 0 });
    expect(await failureOf(ours, how)).toEqual(expected);
  });

  test('that stops it while it waits for the response', async () => {
    const how = () => ({ script: thrice('silence'), options: options(isSent) });
    const expected = await failureOf(realDynamoDb, how());
    expect(expected).toEqual({ name: 'AbortError', code: undefined, attempts: undefined, requests: 1 });
    expect(await failureOf(ours, how())).toEqual(expected);
  });

  test('that stops it while it waits for the next attempt', async () => {
    vi.spyOn(Math, 'random').mockReturnValue(0.9);
    const throttled = { status: 400, body: { __type: 'ThrottlingException' } };
    const how = () => ({ script: thrice(throttled), options: options(isSent) });
    const expected = await failureOf(realDynamoDb, how());
    expect(expected).toEqual({ name: 'AbortError', code: undefined, attempts: undefined, requests: 1 });
    expect(await failureOf(ours, how())).toEqual(expected);
  });

  test('that stops it in the body', async () => {
    let connections = 0;
    const half = createServer((socket) => {
      connections += 1;
      socket.write('HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\n{');
    });
    const config = { endpoint: await listen(half) };
    const expected = await failureOf(realDynamoDb, { config, options: options(() => connections === 1) });
    expect(expected).toMatchObject({ name: 'AbortError' });
    expect(await failureOf(ours, { config, options: options(() => connections === 2) })).toEqual(expected);
  });

  test('has no listeners left', async () => {
    const { signal } = new AbortController();
    const added = vi.spyOn(signal, 'addEventListener');
    const removed = vi.spyOn(signal, 'removeEventListener');
    const script = [{ status: 500, body: {} }];
    await run(ours, server, { command, script, options: { abortSignal: signal } });
    expect(added.mock.calls.length).toBeGreaterThan(1);
    await vi.waitFor(() => expect(removed.mock.calls.length).toBe(added.mock.calls.length));
  });
});

describe('connections', () => {
  test('are kept, and one that the server has closed is replaced', async () => {
    const sockets = new Set<Socket>();
    const keeping = createServer((socket) => {
      sockets.add(socket);
      socket.on('data', () => socket.write(emptyResponse));
    });
    const post = openHttp(new URL(await listen(keeping)), {});
    const request = () => post({}, Buffer.from('{}'), undefined);
    for (let index = 0; index < 3; index += 1) expect(await request()).toMatchObject({ statusCode: 200 });
    expect(sockets.size).toBe(1);
    for (const socket of sockets) socket.destroy();
    // As the retries do it: the first may meet the closing connection.
    await request().catch(request);
    expect(sockets.size).toBe(2);
    for (const socket of sockets) socket.destroy();
  });

  test('are fifty at most', async () => {
    let open = 0;
    let most = 0;
    const counting = createServer((socket) => {
      open += 1;
      most = Math.max(most, open);
      socket.on('data', () => setTimeout(() => socket.write(emptyResponse), 20));
      socket.on('close', () => {
        open -= 1;
      });
      socket.on('error', () => {});
    });
    const post = openHttp(new URL(await listen(counting)), {});
    await Promise.all(Array.from({ length: 120 }, () => post({}, Buffer.from('{}'), undefined)));
    expect(most).toBe(50);
  });
});

const emptyResponse = 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}';

/** @returns the address of a server, which the end of the test closes with its connections */
async function listen(listening: Server): Promise<string> {
  listening.on('connection', (socket) => opened.push(socket));
  opened.push({ destroy: () => listening.close() });
  await new Promise<void>((done) => listening.listen(0, '127.0.0.1', done));
  return `http://127.0.0.1:${(listening.address() as AddressInfo).port}`;
}
