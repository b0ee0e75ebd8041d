/**
 * A rotation under load: no request with either secret is refused before the old secret ends, and no request with the old
 * secret is accepted afterwards.
 */

import { afterAll, beforeAll, expect, test } from 'vitest';
import type { TestApi } from '../../samples/api.ts';
import { serveApi } from '../support/served-api.ts';

let api: TestApi;
let baseUrl: string;
let close: () => void;

beforeAll(async () => {
  ({ api, baseUrl, close } = await serveApi({ copies: 2 }));
});

afterAll(() => close());

type Seen = { begun: number; ended: number; status: number };

/** Callers that send one request after the other with a secret. */
function callWith(secret: string, count: number) {
  const seen: Seen[] = [];
  let stopping = false;
  const caller = async () => {
    while (!stopping) {
      const begun = performance.now();
      const answer = await fetch(`${baseUrl}/projects`, { headers: { Authorization: `Bearer ${secret}` } });
      await answer.text();
      seen.push({ begun, ended: performance.now(), status: answer.status });
    }
  };
  const callers = Array.from({ length: count }, caller);
  return {
    seen,
    /** Waits for more than ten requests that begin after this. */
    async more() {
      const from = performance.now();
      const enough = expect.poll(() => seen.filter(({ begun }) => begun >= from).length);
      await enough.toBeGreaterThan(10);
    },
    async stop() {
      stopping = true;
      await Promise.all(callers);
    },
  };
}

const statuses = (seen: readonly Seen[]) => [...new Set(seen.map(({ status }) => status))];

test('both secrets are accepted until the old one ends, and from then on only the new one', async () => {
  const { id, secret: old } = await api.createKey({ scopes: ['projects:read'] });
  const withOld = callWith(old, 4);
  await withOld.more();
  const rotated = await api.call('POST', `/api-keys/${id}/rotate`, { body: { overlap: '1h' } });
  const withNew = callWith(String(rotated.data.secret), 4);
  await Promise.all([withOld.more(), withNew.more()]);
  const leftMs = Date.parse(String(rotated.data.previousSecretExpiresAt)) - api.runtime.nowMs();
  // Not a single request is near the end, so that a busy machine does not matter.
  api.advance(leftMs - 600_000);
  await Promise.all([withOld.more(), withNew.more()]);
  const beforeEnd = performance.now();
  api.advance(600_001);
  const afterEnd = performance.now();
  await Promise.all([withOld.more(), withNew.more()]);
  await Promise.all([withOld.stop(), withNew.stop()]);

  expect(statuses(withNew.seen)).toEqual([200]);
  expect(statuses(withOld.seen.filter(({ ended }) => ended <= beforeEnd))).toEqual([200]);
  expect(statuses(withOld.seen.filter(({ begun }) => begun >= afterEnd))).toEqual([401]);
});

test('without an overlap, no request with the old secret that starts after the response is accepted', async () => {
  const { id, secret: old } = await api.createKey({ scopes: ['projects:read'] });
  const withOld = callWith(old, 8);
  await withOld.more();
  const rotated = await api.call('POST', `/api-keys/${id}/rotate`, { body: { overlap: 0 } });
  const rotatedAt = performance.now();
  const withNew = callWith(String(rotated.data.secret), 2);
  await Promise.all([withOld.more(), withNew.more()]);
  await Promise.all([withOld.stop(), withNew.stop()]);
  expect(statuses(withOld.seen.filter(({ begun }) => begun >= rotatedAt))).toEqual([401]);
  expect(statuses(withNew.seen)).toEqual([200]);
});
