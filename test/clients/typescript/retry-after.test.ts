/** The table is also that of the service and of the Python client. */

import { expect, test } from 'vitest';
import { httpDateMs, retryAfterSeconds } from '../../../clients/typescript/src/core/backoff.ts';
import { httpDateMs as httpDateMsOfTheService } from '../../../lib/network/retry-after.ts';
import table from '../../support/retry-after.json' with { type: 'json' };

const nowMs = Date.parse(table.now);
const date = new Date(nowMs).toUTCString();

test.each(table.cases)('Retry-After: $value', ({ value, seconds }) => {
  const headers = new Headers({ 'Retry-After': value });
  expect(retryAfterSeconds(headers, nowMs)).toBe(seconds ?? undefined);
  // A date counts from what the server's clock says.
  headers.set('Date', date);
  expect(retryAfterSeconds(headers, nowMs - 3_600_000)).toBe(seconds ?? undefined);
});

test('a Date that is none does not count', () => {
  const headers = new Headers({ 'Retry-After': 'Sun, 01 Mar 2026 09:31:00 GMT', Date: '3.5' });
  expect(retryAfterSeconds(headers, nowMs)).toBe(60);
});

test('a response without it asks for no pause', () => {
  expect(retryAfterSeconds(new Headers(), nowMs)).toBeUndefined();
});

test('the client and the service read the years of two digits alike', () => {
  for (let year = 0; year < 100; year += 1) {
    for (const day of ['Mon', 'Tues', 'Wednes', 'Thurs', 'Fri', 'Satur', 'Sun'])
      for (const now of [nowMs, Date.UTC(2099, 11, 31), Date.UTC(2100, 0, 1)]) {
        const text = `${day}day, 01-Mar-${String(year).padStart(2, '0')} 09:30:00 GMT`;
        expect(httpDateMs(text, now)).toBe(httpDateMsOfTheService(text, now));
      }
  }
});
