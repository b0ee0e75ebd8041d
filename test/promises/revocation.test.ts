/** Revoked means revoked: no request that starts after the response to DELETE is accepted. */

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

test.each([1, 2, 3])(
  'under load, no request that starts after the response to DELETE is accepted (round %i)',
  async () => {
    const { id, secret } = await api.createKey({ scopes: ['projects:read'] });
    const seen: { begun: number; status: number }[] = [];
    const eleven = (when: (begun: number) => boolean) =>
      expect.poll(() => seen.filter(({ begun }) => when(begun)).length).toBeGreaterThan(10);
    let stopping = false;
    const caller = async () => {
      while (!stopping) {
        const begun = performance.now();
        const answer = await fetch(`${baseUrl}/projects`, { headers: { Authorization: `Bearer ${secret}` } });
        await answer.text();
        seen.push({ begun, status: answer.status });
      }
    };
    const callers = Array.from({ length: 8 }, caller);
    await eleven(() => true);
    const revoked = await fetch(`${baseUrl}/api-keys/${id}`, {
      method: 'DELETE',
      headers: { Authorization: `Bearer ${api.rootKey}` },
    });
    expect(revoked.status).toBe(200);
    const revokedAt = performance.now();
    await eleven((begun) => begun >= revokedAt);
    stopping = true;
    await Promise.all(callers);

    const before = seen.filter(({ begun }) => begun < revokedAt);
    const after = seen.filter(({ begun }) => begun >= revokedAt);
    expect(before.filter(({ status }) => status === 200).length).toBeGreaterThan(10);
    expect(after.filter(({ status }) => status !== 401)).toEqual([]);
  },
);
