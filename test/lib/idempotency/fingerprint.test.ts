/** Fingerprints of requests. */

import { expect, test } from 'vitest';
import { fingerprint } from '../../../lib/idempotency/fingerprint.ts';

test('requests with another method, path or body have another fingerprint', () => {
  expect(fingerprint('POST', '/a', { b: 1 }, null)).not.toBe(fingerprint('POST', '/a', { b: '1' }, null));
  expect(fingerprint('POST', '/a', { b: 1 }, null)).not.toBe(fingerprint('POST', '/b', { b: 1 }, null));
  expect(fingerprint('POST', '/a', undefined, null)).not.toBe(fingerprint('POST', '/a', {}, null));
});
