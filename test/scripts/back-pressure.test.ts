/** The dev server slows writes while its workers are late. */

import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { burst, slowingWrites, spacingMs } from '../../scripts/local/back-pressure.ts';

/** @returns a function that sends requests at the same time, and returns when each was passed on */
async function serve(behindMs: number) {
  const server = createServer(
    slowingWrites(
      () => behindMs,
      (_, response) => response.end(),
    ),
  );
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  return async (method: string, count: number, Authorization = 'Bearer one') => {
    const startedMs = performance.now();
    const send = async () => {
      await (await fetch(`http://127.0.0.1:${port}/`, { method, headers: { Authorization } })).text();
      return performance.now() - startedMs;
    };
    return (await Promise.all(Array.from({ length: count }, send))).toSorted((a, b) => a - b);
  };
}

test('writes are further apart the later the workers are', async () => {
  expect([0, 1000, 2000, 4000].map(spacingMs)).toEqual([0, 250, 1000, 4000]);
  const send = await serve(1000);
  const started = await send('POST', burst);
  expect(Math.max(...started)).toBeLessThan(spacingMs(1000));
  const [first = 0, , , last = 0] = await send('POST', 4);
  expect(last - first).toBeGreaterThanOrEqual(3 * spacingMs(1000) - 50);
});

test('reads do not wait', async () => {
  const send = await serve(60_000);
  await send('POST', burst);
  const all = await send('GET', 4);
  expect(Math.max(...all)).toBeLessThan(4000);
});

test('the writes of a caller do not wait for those of another', async () => {
  const send = await serve(60_000);
  await send('POST', burst);
  const [waited = 0] = await send('POST', 1, 'Bearer two');
  expect(waited).toBeLessThan(4000);
});

test('a write waits for a limited time, however late the workers are', { tags: ['long'] }, async () => {
  const send = await serve(600_000);
  await send('POST', burst);
  const [waited = 0] = await send('POST', 1);
  expect(waited).toBeGreaterThan(4500);
});
