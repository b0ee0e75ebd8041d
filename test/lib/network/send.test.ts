/** One request to a receiver: where it connects, what it reads, and when it ends. */

import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { type AddressInfo, createServer as createSocketServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TLSSocket } from 'node:tls';
import { gzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { Network } from '../../../lib/network/network.ts';
import { maxResponseBytes, send } from '../../../lib/network/send.ts';
import { hostileAddresses, hostileHosts } from '../../support/hostile-addresses.ts';

const receiverAddress = '8.8.8.8';
const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

async function listen<Kind extends Server>(server: Kind): Promise<number> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  closing.push(async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise((done) => server.close(done));
  });
  return (server.address() as AddressInfo).port;
}

/** A network in which every connection reaches this port, and says where it was meant to go. */
function networkTo(port: number, more: Partial<Network> = {}) {
  const connections: string[] = [];
  const network: Network = {
    allowLoopback: false,
    resolveName: async () => [receiverAddress],
    elapsedMs: () => performance.now(),
    via(address, wanted) {
      connections.push(`${address}:${wanted}`);
      return { address: '127.0.0.1', port };
    },
    ...more,
  };
  return { network, connections };
}

const development = { allowLoopback: true, resolveName: async () => ['127.0.0.1'] };
const post = (network: Network, url = 'http://localhost/hook?a=1') =>
  send(new URL(url), { 'webhook-id': 'evt_1' }, '{"é":1}', network);

/** A receiver without TLS, as in development. */
async function receiver(listener: RequestListener, more: Partial<Network> = {}) {
  const port = await listen(createServer(listener));
  return networkTo(port, { ...development, ...more });
}

/** Writes a body until the connection is closed. */
function endlessly(response: ServerResponse): void {
  const more = () => {
    if (!response.destroyed) response.write('x'.repeat(4096), () => setImmediate(more));
  };
  more();
}

describe('a request', () => {
  test('has the path, the headers and the body, and the outcome has the response', async () => {
    const received: { request: IncomingMessage; body: string }[] = [];
    const { network, connections } = await receiver(async (request, response) => {
      let body = '';
      for await (const chunk of request) body += chunk;
      received.push({ request, body });
      response.writeHead(202, { 'Retry-After': '7' }).end('größe');
    });
    const outcome = await post(network);
    expect(outcome).toEqual({
      status: 202,
      body: 'größe',
      error: null,
      retryAfter: '7',
      durationMs: expect.any(Number),
    });
    expect(received[0]?.request).toMatchObject({ method: 'POST', url: '/hook?a=1' });
    expect(received[0]?.request.headers).toMatchObject({
      host: 'localhost',
      'webhook-id': 'evt_1',
      connection: 'close',
      'content-length': '8',
    });
    expect(received[0]?.body).toBe('{"é":1}');
    expect(connections).toEqual(['127.0.0.1:80']);
  });

  test('does not follow a redirect', async () => {
    const { network, connections } = await receiver((_, response) =>
      response.writeHead(307, { Location: 'http://169.254.169.254/' }).end(),
    );
    expect(await post(network)).toMatchObject({ status: 307, error: 'redirect' });
    expect(connections).toHaveLength(1);
  });

  test('reads at most 16 KB of a response that says its length, and closes the connection', async () => {
    const closed = Promise.withResolvers<void>();
    const { network } = await receiver((_, response) => {
      response.on('close', () => closed.resolve());
      response.writeHead(200, { 'Content-Length': 2 ** 40 });
      endlessly(response);
    });
    const { status, body, error } = await post(network);
    expect([status, body, error]).toEqual([200, 'x'.repeat(maxResponseBytes), null]);
    await closed.promise;
  });

  test('keeps 16 KB of a longer response that ends', async () => {
    const { network } = await receiver((_, response) => {
      response.writeHead(200);
      response.write('x'.repeat(500_000));
      response.end('y');
    });
    const { status, body, error } = await post(network);
    expect([status, body, error]).toEqual([200, 'x'.repeat(maxResponseBytes), null]);
  });

  test('does not read more than 1 MB of a response that does not end', { tags: ['long'] }, async () => {
    let bytes = 0;
    const { network } = await receiver(
      (request, response) => {
        request.socket.on('close', () => {
          bytes = request.socket.bytesWritten;
        });
        response.writeHead(200);
        endlessly(response);
      },
      { timeoutMs: 2000 },
    );
    expect(await post(network)).toMatchObject({ status: 200, body: null, error: 'timeout' });
    await expect.poll(() => bytes).toBeGreaterThan(1024 * 1024);
    // What is on the way is in the buffers of the two sockets.
    expect(bytes).toBeLessThan(32 * 1024 * 1024);
  });

  test.each<[string, RequestListener]>([
    ['never responds', () => {}],
    ['sends headers and no body', (_, response) => void response.writeHead(200).flushHeaders()],
    [
      'sends a body that never ends',
      (_, response) => {
        response.writeHead(200);
        endlessly(response);
      },
    ],
    [
      'sends its body drop by drop',
      (_, response) => {
        response.writeHead(200);
        const timer = setInterval(() => response.write('x'), 20);
        response.on('close', () => clearInterval(timer));
      },
    ],
  ])('ends after the time limit if the receiver %s', async (_, listener) => {
    const closed = Promise.withResolvers<void>();
    const { network } = await receiver(
      (request, response) => {
        request.socket.on('close', () => closed.resolve());
        listener(request, response);
      },
      { timeoutMs: 300 },
    );
    expect(await post(network)).toMatchObject({ body: null, error: 'timeout' });
    await closed.promise;
  });

  test('ends after the time limit if the name has no answer', async () => {
    const resolveName = () => new Promise<never>(() => {});
    const { network, connections } = networkTo(1, { resolveName, timeoutMs: 50 });
    expect(await post(network, 'https://example.com/')).toMatchObject({ status: null, error: 'timeout' });
    expect(connections).toEqual([]);
  });

  test.each<[string, string, (socket: Socket) => void]>([
    ['closes the connection', 'connection_failed', (socket) => socket.destroy()],
    ['resets the connection', 'connection_failed', (socket) => socket.resetAndDestroy()],
    ['sends no HTTP', 'invalid_response', (socket) => void socket.end('220 smtp.example.com\r\n')],
    [
      'switches protocols',
      'invalid_response',
      (socket) => void socket.write('HTTP/1.1 101 \r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n'),
    ],
    [
      'sends endless headers',
      'invalid_response',
      (socket) => void socket.write(`HTTP/1.1 200 OK\r\nA: ${'a'.repeat(100_000)}`),
    ],
    [
      'sends endless interim responses',
      'invalid_response',
      (socket) => {
        const more = () => {
          if (!socket.destroyed) socket.write('HTTP/1.1 100 Continue\r\n\r\n', () => setImmediate(more));
        };
        more();
      },
    ],
  ])('fails if the receiver %s', async (_, error, act) => {
    const port = await listen(createSocketServer((socket) => socket.once('data', () => act(socket))));
    const { network } = networkTo(port, development);
    expect(await post(network)).toMatchObject({ status: null, error });
  });

  test('keeps a compressed response as it is: at most 16 KB, however large its content', async () => {
    const bomb = gzipSync(Buffer.alloc(50 * 1024 * 1024));
    const { network } = await receiver((_, response) =>
      response.writeHead(200, { 'Content-Encoding': 'gzip' }).end(bomb),
    );
    const { status, body } = await post(network);
    expect([status, body]).toEqual([200, bomb.subarray(0, maxResponseBytes).toString('utf8')]);
  });

  test('fails if nobody listens', async () => {
    const port = await listen(createSocketServer());
    await closing.pop()?.();
    expect(await post(networkTo(port, development).network)).toMatchObject({ error: 'connection_failed' });
  });
});

describe('the sender never connects', () => {
  test('to a hostile address that a name has, alone or among others', async () => {
    let count = 0;
    for (const address of hostileAddresses) {
      for (const addresses of [[address], [receiverAddress, address], [address, receiverAddress]]) {
        const { network, connections } = networkTo(1, { resolveName: async () => addresses });
        const { error } = await post(network, 'https://example.com/');
        expect([address, error, connections]).toEqual([address, 'address_not_allowed', []]);
        count += 1;
      }
    }
    expect(count).toBeGreaterThanOrEqual(180);
  });

  test('to a hostile address in a URL that was stored before it was refused', async () => {
    const addresses = hostileHosts
      .map((host) => `https://${host}/`)
      .filter((url) => URL.canParse(url) && !/[a-z]{3}/i.test(new URL(url).hostname));
    expect(addresses.length).toBeGreaterThanOrEqual(30);
    for (const url of addresses) {
      const { network, connections } = networkTo(1);
      expect([url, (await post(network, url)).error, connections]).toEqual([url, 'address_not_allowed', []]);
    }
  });

  test('without TLS to another machine, even in development', async () => {
    const { network, connections } = networkTo(1, { allowLoopback: true });
    for (const url of ['http://example.com/', 'http://8.8.8.8/', 'http://10.0.0.1/'])
      expect((await post(network, url)).error).toBe('address_not_allowed');
    expect(connections).toEqual([]);
  });

  test('to an address that a name gets after the check', async () => {
    const answers = [[receiverAddress], ['127.0.0.1'], ['169.254.169.254']];
    let asked = 0;
    const resolveName = async () => answers[asked++] ?? [];
    const port = await listen(createSocketServer((socket) => socket.destroy()));
    const { network, connections } = networkTo(port, { resolveName });
    expect((await post(network, 'https://rebind.example.com/')).error).toBe('tls_failed');
    expect([asked, connections]).toEqual([1, [`${receiverAddress}:443`]]);
    // The next attempt asks again, and the new address is refused.
    expect((await post(network, 'https://rebind.example.com/')).error).toBe('address_not_allowed');
    expect([asked, connections.length]).toEqual([2, 1]);
  });

  test('if the name has no address', async () => {
    for (const resolveName of [async () => [], () => Promise.reject(new Error('NXDOMAIN'))]) {
      const { network, connections } = networkTo(1, { resolveName });
      expect((await post(network, 'https://example.com/')).error).toBe('name_not_found');
      expect(connections).toEqual([]);
    }
  });
});

describe('with TLS', () => {
  let folder: string;
  let key: string;
  let cert: string;

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'webhook-tls-'));
    const [keyFile, certFile] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
    const names = ['-subj', '/CN=receiver.example.com', '-addext', 'subjectAltName=DNS:receiver.example.com'];
    const made = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-keyout', keyFile, '-out', certFile];
    execFileSync('openssl', [...made, ...names], { stdio: 'ignore' });
    [key, cert] = [readFileSync(keyFile, 'utf8'), readFileSync(certFile, 'utf8')];
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  async function secured() {
    const names: unknown[] = [];
    const server = createTlsServer({ key, cert }, (request, response) => {
      names.push((request.socket as TLSSocket).servername);
      response.end(request.headers.host);
    });
    server.on('tlsClientError', () => {});
    const port = await listen(server);
    return { ...networkTo(port, { ca: cert }), names };
  }

  test('the name of the URL is in TLS and in the host, and the connection goes to its address', async () => {
    const { network, connections, names } = await secured();
    const outcome = await post(network, 'https://receiver.example.com:8443/');
    expect(outcome).toMatchObject({ status: 200, body: 'receiver.example.com:8443', error: null });
    expect([names, connections]).toEqual([['receiver.example.com'], ['8.8.8.8:8443']]);
  });

  test.each(['https://other.example.com/', 'https://8.8.4.4/'])(
    'a certificate of another name is refused: %s',
    async (url) => {
      const { network, names } = await secured();
      expect(await post(network, url)).toMatchObject({ status: null, error: 'tls_failed' });
      expect(names).toEqual([]);
    },
  );

  test('a certificate that nobody has signed is refused', async () => {
    const { network } = await secured();
    const { ca: _, ...rest } = network;
    expect(await post(rest, 'https://receiver.example.com/')).toMatchObject({ error: 'tls_failed' });
  });
});
