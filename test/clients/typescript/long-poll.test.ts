/** How long the client pauses between two requests that wait at the server. */

import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { longPoll } from '../../../clients/typescript/src/helpers/long-poll.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['performance', 'Date'], now: Date.UTC(2026, 10, 22, 6) }));
afterEach(() => void vi.useRealTimers());

/** A request whose last attempt takes so long. */
const poll = (tookMs: number, headers: Record<string, string>) =>
  longPoll(
    async ({ query }) => {
      for (const attempt of [1, 2]) {
        vi.advanceTimersByTime(60_000);
        if (typeof query === 'function') query(attempt);
      }
      vi.advanceTimersByTime(tookMs);
      return { data: null, response: new Response(null, { headers }), requestId: 'r', replayed: false };
    },
    {},
    {},
  );

test.each<[string, number, Record<string, string>, number]>([
  ['as long as Retry-After says, from when it was sent', 100, { 'Retry-After': '2' }, 1900],
  ['not after a wait: what ends meanwhile would be noticed late', 20_000, { 'Retry-After': '2' }, 0],
  ['a little without Retry-After, if the response came at once', 100, {}, 150],
  ['a little for a Retry-After that says nothing', 100, { 'Retry-After': 'soon' }, 150],
  ['a little for a Retry-After that is over', 100, { 'Retry-After': '-1' }, 150],
  ['until the date of Retry-After', 100, { 'Retry-After': 'Sun, 22 Nov 2026 06:02:03 GMT' }, 2800],
])('%s', async (_title, tookMs, headers, pauseMs) => {
  expect(await poll(tookMs, headers)).toEqual({ data: null, pauseMs });
});
