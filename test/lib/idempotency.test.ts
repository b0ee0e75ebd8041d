/** Stored responses: the fingerprints of requests, and seals for any text. */

import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { seal, unseal } from '../../lib/idempotency/seal.ts';
import { fingerprint, recordKey } from '../../lib/idempotency/store.ts';

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

describe('a seal', () => {
  const secrets = fc.record({ credential: fc.string(), idempotencyKey: fc.string() });

  test('opens with its own secrets and context', () => {
    fc.assert(
      fc.property(fc.string(), secrets, fc.string(), (text, own, context) => {
        expect(unseal(seal(text, own, context, randomBytes), own, context)).toBe(text);
      }),
    );
  });

  test('needs both secrets', () => {
    const own = { credential: 'sk', idempotencyKey: 'key' };
    const sealed = seal('text', own, 'context', randomBytes);
    expect(unseal(sealed, { ...own, idempotencyKey: 'other' }, 'context')).toBeUndefined();
    expect(unseal(sealed, { ...own, credential: 'other' }, 'context')).toBeUndefined();
  });

  test('opens with no other secrets or context, and not after a change', () => {
    fc.assert(
      fc.property(fc.string(), secrets, secrets, (text, own, other) => {
        const sealed = seal(text, own, 'here', randomBytes);
        const isOwn = own.credential === other.credential && own.idempotencyKey === other.idempotencyKey;
        if (!isOwn) expect(unseal(sealed, other, 'here')).toBeUndefined();
        expect(unseal(sealed, own, 'there')).toBeUndefined();
        const touched = Buffer.from(sealed.box, 'base64url');
        touched[0] = (touched[0] ?? 0) ^ 1;
        expect(unseal({ ...sealed, box: touched.toString('base64url') }, own, 'here')).toBeUndefined();
      }),
    );
  });
});
