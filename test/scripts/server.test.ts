/** The connections of the dev server, and its compression, which is that of API Gateway. */

import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import { gunzipSync } from 'node:zlib';
import { describe, expect, onTestFinished, test } from 'vitest';
import { minimumCompressionBytes } from '../../lib/http/raw-documents.ts';
import { compressed, createSafeServer } from '../../scripts/local/server.ts';

const request = 'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\n{}';

/** A server, and a connection that has had its first response. */
async function open(idleMs?: number) {
  const server = createSafeServer((_, response) => response.end('done'));
  if (idleMs !== undefined) Object.assign(server, { keepAliveTimeout: idleMs, keepAliveTimeoutBuffer: 0 });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1');
  const ended = new Promise<string>((done) => {
    client.once('close', () => done('closed'));
    client.once('error', ({ code }: NodeJS.ErrnoException) => done(`${code}`));
  });
  onTestFinished(() => {
    client.destroy();
    server.close();
  });
  const respond = async () => String((await once(client, 'data'))[0]);
  client.write(request);
  return { client, ended, respond, first: await respond() };
}

/** Nothing else happens in this thread meanwhile. */
const block = (ms: number) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);

test('a request that arrives while the event loop is blocked is answered, although the time of its connection is over', async () => {
  const idleMs = 50;
  const { client, ended, respond } = await open(idleMs);
  client.write(request);
  block(5 * idleMs);
  expect(await Promise.race([respond(), ended])).toContain('200 OK');
});

test('an idle connection is closed', async () => {
  const { ended } = await open(50);
  expect(await ended).toBe('closed');
});

test('clients learn for how long they may keep a connection', async () => {
  const { first } = await open();
  expect(first).toMatch(/^Connection: keep-alive\r\nKeep-Alive: timeout=75\r\n/m);
});

const result = (body: string) => ({ statusCode: 200, headers: { ETag: 'W/"1"' }, body });
const large = 'ä'.repeat(minimumCompressionBytes / 2);

describe('a response is compressed', () => {
  test.each(['gzip', 'deflate, gzip;q=1.0, *;q=0.5', 'GZIP', '*', 'br, gzip;q=0.001'])(
    'for %s',
    async (accepted) => {
      const { headers, body } = await compressed(result(large), accepted);
      expect(headers).toEqual({ ETag: 'W/"1"', 'Content-Encoding': 'gzip' });
      expect(gunzipSync(body).toString()).toBe(large);
    },
  );
});

describe('a response is not compressed', () => {
  test.each([undefined, '', 'identity', 'br', 'gzip;q=0', 'gzip; q=0.0, *', '*;q=0', 'xgzip'])(
    'for %s',
    async (accepted) => {
      expect(await compressed(result(large), accepted)).toEqual({ headers: { ETag: 'W/"1"' }, body: large });
    },
  );

  test('below the minimum', async () => {
    const { body, headers } = await compressed(result(large.slice(1)), 'gzip');
    expect([headers['Content-Encoding'], body]).toEqual([undefined, large.slice(1)]);
  });
});
