/** The table is also that of the clients. */

import { expect, test } from 'vitest';
import { maxRetryAfterMs, retryAfterMs } from '../../../lib/network/retry-after.ts';
import { cpuMsOf } from '../../support/cpu-time.ts';
import table from '../../support/retry-after.json' with { type: 'json' };

const nowMs = Date.parse(table.now);

test.each(table.cases)('Retry-After: $value', ({ value, seconds }) => {
  expect(retryAfterMs(value, nowMs)).toBe(seconds === null ? undefined : seconds * 1000);
});

test('a response without it asks for no pause', () => {
  expect(retryAfterMs(undefined, nowMs)).toBeUndefined();
});

test('the cap is that of the table', () => {
  expect(Math.max(...table.cases.map(({ seconds }) => seconds ?? 0)) * 1000).toBe(maxRetryAfterMs);
});

/** [now, the year of two digits, the year that it means]: at most 50 years ahead (RFC 9110, section 5.6.7). */
test.each([
  ['2026-03-01T09:30:00Z', '00', 2000],
  ['2099-12-31T00:00:00Z', '05', 2105],
  ['2100-01-01T00:00:00Z', '50', 2150],
  ['2100-01-01T00:00:00Z', '51', 2051],
])('at %s, the year %s is %i', (now, digits, year) => {
  const from = Date.parse(now);
  const day = new Date(Date.UTC(year, 0, 1)).toLocaleDateString('en', { weekday: 'long', timeZone: 'UTC' });
  const askedMs = retryAfterMs(`${day}, 01-Jan-${digits} 00:00:00 GMT`, from);
  expect(askedMs).toBe(Math.min(Math.max(Date.UTC(year, 0, 1) - from, 0), maxRetryAfterMs));
});

test('the longest header that Node reads takes no time', () => {
  const longest = 16 * 1024;
  const readAll = () => {
    for (const part of ['9', ' ', 'Sun, ', 'Sun, 01 Mar 2026 ', '1 '])
      for (const end of ['', 'x']) retryAfterMs(part.repeat(longest / part.length) + end, nowMs);
  };
  expect(cpuMsOf(readAll)).toBeLessThan(500);
});
