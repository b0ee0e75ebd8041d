/** Times that are longer than a timer of JavaScript can be. */

import { expect, test } from 'vitest';
import { Platform } from '../../../clients/typescript/src/index.ts';

const month = 30 * 24 * 3600 * 1000;
const success = (headers = {}) =>
  Response.json({ success: true, data: { id: 'a', finishedAt: null } }, { headers });

/** @returns the client, and how often it has called */
function clientOf(respond: () => Response | Promise<Response>) {
  const calls = { count: 0 };
  const fetch = async () => {
    calls.count += 1;
    return respond();
  };
  return {
    platform: new Platform({ apiKey: 'sk_test_x', baseUrl: 'https://example.com/api/v1', fetch }),
    calls,
  };
}

test.each([Number.POSITIVE_INFINITY, month])('a limit of %d ms is not over at once', async (limitMs) => {
  const { platform, calls } = clientOf(async () => {
    await new Promise((done) => setTimeout(done, 50));
    return success();
  });
  await platform.projects.get('a', { timeoutMs: limitMs, deadlineMs: limitMs });
  expect(calls.count).toBe(1);
});

test('a Retry-After of a month is kept: of an error, and of a server that does not wait', async () => {
  const headers = { 'Retry-After': `${month / 1000}` };
  const error = { code: 'rate_limited', message: 'Later.', requestId: 'r' };
  const limited = clientOf(() => Response.json({ success: false, error }, { status: 429, headers }));
  const busy = clientOf(() => success(headers));
  const signal = AbortSignal.timeout(300);
  const call = limited.platform.projects.get('a', { deadlineMs: Number.POSITIVE_INFINITY, signal });
  const wait = busy.platform.projects('a').jobs.wait('b', { signal });
  const reasons = await Promise.all(
    [call, wait].map((one) =>
      one.then(
        () => undefined,
        (reason) => reason,
      ),
    ),
  );
  expect(reasons).toEqual([signal.reason, signal.reason]);
  expect([limited.calls.count, busy.calls.count]).toEqual([1, 1]);
});
