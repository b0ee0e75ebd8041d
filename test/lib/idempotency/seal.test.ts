/** Sealed responses, for any text and any secrets. */

import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { seal, unseal } from '../../../lib/idempotency/seal.ts';

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
