/** Hostile servers: what a GET of a URL of a caller costs at most. */

import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { expect, onTestFinished, test } from 'vitest';
import { get, type ReadBody, startOfBody, wholeBody } from '../../../lib/network/get.ts';
import type { Network } from '../../../lib/network/network.ts';

const maxBytes = 100_000;

async function open(listener: RequestListener, rules: Partial<Network> = {}) {
  const requests: { path: string | undefined; headers: NodeJS.Dict<string | string[]> }[] = [];
  const server = createServer((request, response) => {
    requests.push({ path: request.url, headers: request.headers });
    listener(request, response);
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const network: Network = {
    allowLoopback: true,
    resolveName: async () => ['127.0.0.1'],
    elapsedMs: () => performance.now(),
    timeoutMs: 5_000,
    ...rules,
  };
  const url = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/a?b`);
  return {
    requests,
    network,
    url,
    fetch: (isCut = false) => get(url, {}, network, (isCut ? startOfBody : wholeBody)(maxBytes)),
  };
}

const zeros = Buffer.alloc(50_000_000);

test.each([
  ['gzip', gzipSync(zeros)],
  ['br', brotliCompressSync(zeros)],
])('a bomb of %s is not unpacked', async (encoding, body) => {
  const { fetch } = await open((_, response) =>
    response.writeHead(200, { 'content-encoding': encoding }).end(body),
  );
  expect(await fetch()).toEqual({ error: 'too_large' });
  const cut = await fetch(true);
  expect('body' in cut && cut.body.length).toBe(maxBytes);
});

test.each<[string, RequestListener]>([
  ['headers of 100 KB', (_, response) => response.writeHead(200, { 'x-long': 'x'.repeat(100_000) }).end('a')],
  [
    'a cut gzip',
    (_, response) =>
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('a').subarray(0, 12)),
  ],
  ['no gzip', (_, response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end('not packed')],
  ['two encodings', (_, response) => response.writeHead(200, { 'content-encoding': 'gzip, gzip' }).end('a')],
  [
    'an end before its length',
    (_, response) => {
      response.writeHead(200, { 'content-length': '1000' }).write('a', () => response.destroy());
    },
  ],
])('%s is an invalid response', async (_, listener) => {
  const { fetch } = await open(listener);
  expect(await fetch()).toEqual({ error: 'invalid_response' });
});

test('a body that comes drop by drop ends after the time limit', async () => {
  const { fetch } = await open(
    (_, response) => {
      const timer = setInterval(() => response.write('a'), 20);
      response.once('close', () => clearInterval(timer));
    },
    { timeoutMs: 300 },
  );
  expect(await fetch()).toEqual({ error: 'timeout' });
});

test('a body may get more time, and is too slow after it', async () => {
  let drops = 20;
  const { url, network } = await open(
    (_, response) => {
      const timer = setInterval(() => {
        drops -= 1;
        if (drops < 0) response.end();
        else response.write('a');
      }, 30);
      response.once('close', () => clearInterval(timer));
    },
    { timeoutMs: 300 },
  );
  const read: ReadBody<Uint8Array> = (body, head, extend) => {
    extend(20);
    return wholeBody(maxBytes)(body, head, extend);
  };
  expect(await get(url, {}, network, read)).toMatchObject({ status: 200, body: Buffer.from('a'.repeat(20)) });
  drops = Number.POSITIVE_INFINITY;
  expect(await get(url, {}, { ...network, timeoutMs: 100 }, read)).toEqual({ error: 'too_slow' });
});

test('a name is resolved once, and each of its addresses is checked', async () => {
  const asked: string[] = [];
  const answers = [['93.184.216.34', '169.254.169.254'], ['127.0.0.1']];
  const { requests, network } = await open((_, response) => response.end('a'), {
    allowLoopback: false,
    resolveName: async (name) => {
      asked.push(name);
      return answers[asked.length - 1] ?? [];
    },
  });
  const url = new URL('https://rebound.acme.example/');
  for (const times of [1, 2]) {
    expect(await get(url, {}, network, wholeBody(maxBytes))).toEqual({ error: 'address_not_allowed' });
    expect(asked).toHaveLength(times);
  }
  expect(requests).toEqual([]);
});

test('it sends no credential and no cookie, and follows no redirect', async () => {
  const { requests, fetch, url } = await open((_, response) =>
    response.writeHead(302, { location: 'http://user:password@127.0.0.1/', 'set-cookie': 'session=1' }).end(),
  );
  for (let times = 0; times < 2; times += 1) expect(await fetch()).toMatchObject({ status: 302 });
  expect(requests.map(({ path }) => path)).toEqual(['/a?b', '/a?b']);
  for (const { headers } of requests)
    expect(Object.keys(headers).sort()).toEqual(['accept-encoding', 'connection', 'host']);
  expect(requests[1]?.headers.host).toBe(url.host);
});
