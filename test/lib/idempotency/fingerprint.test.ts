/** Fingerprints of requests. */

import { expect, test } from 'vitest';
import { fingerprint, recordKey } from '../../../lib/idempotency/store.ts';

test('requests with another method, path or body have another fingerprint', () => {
  expect(fingerprint('POST', '/a', { b: 1 }, null)).not.toBe(fingerprint('POST', '/a', { b: '1' }, null));
  expect(fingerprint('POST', '/a', { b: 1 }, null)).not.toBe(fingerprint('POST', '/b', { b: 1 }, null));
  expect(fingerprint('POST', '/a', undefined, null)).not.toBe(fingerprint('POST', '/a', {}, null));
});

test('fingerprints and keys of records stay as they are: records of the last version are found', () => {
  expect(fingerprint('POST', '/a', { b: 1 }, null)).toBe('ioFsv8sRzvoHWvg96i_dVqZ4v_dqfFzstx46FLC1GT0');
  expect(recordKey('key', undefined)).toEqual(['LHDhK3oGRvkiefQnx7OOczTY5Tic_xZ6HcMOc_gmtoM']);
});

test('the bound projects of the credential are part of the fingerprint, in any order', () => {
  const bound = (projectIds: string[] | null) => fingerprint('POST', '/a', {}, projectIds);
  expect(bound(['p', 'q'])).toBe(bound(['q', 'p']));
  expect(new Set([bound(null), bound([]), bound(['p']), bound(['p', 'q'])]).size).toBe(4);
});
