/** When a token is valid: the exact ends of its time. */

import { expect, test } from 'vitest';
import { secondMs } from '../../../lib/base/time.ts';
import { messagesFor, refuseTimes } from '../../../lib/credentials/jwt-checks.ts';

const messages = messagesFor('token');
const atSeconds = 1_764_000_000;
const atMs = atSeconds * secondMs;

test('at exp, a token has expired (RFC 7519 section 4.1.4)', () => {
  expect(refuseTimes({ exp: atSeconds }, atMs - 1, 0, messages)).toBeUndefined();
  expect(refuseTimes({ exp: atSeconds }, atMs, 0, messages)).toBe(messages.expired);
});

test('at nbf, a token is valid, and before it as far as the clock of the issuer may be ahead', () => {
  const aheadMs = 5 * secondMs;
  expect(refuseTimes({ nbf: atSeconds }, atMs - aheadMs, aheadMs, messages)).toBeUndefined();
  expect(refuseTimes({ nbf: atSeconds }, atMs - aheadMs - 1, aheadMs, messages)).toBe(messages.notYetValid);
});
