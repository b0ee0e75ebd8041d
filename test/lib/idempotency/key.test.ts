/** The Idempotency-Key header, for any key. */

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseIdempotencyKey } from '../../../lib/idempotency/key.ts';

test('a key means the same quoted and bare', () => {
  const printable = fc.integer({ min: 0x20, max: 0x7e }).map((code) => String.fromCharCode(code));
  fc.assert(
    fc.property(fc.string({ unit: printable, minLength: 1, maxLength: 120 }), (text) => {
      const quoted = `"${text.replace(/["\\]/g, '\\$&')}"`;
      expect(parseIdempotencyKey([quoted])).toBe(text);
      const bare = text.trim();
      if (bare !== '' && !bare.startsWith('"')) expect(parseIdempotencyKey([text])).toBe(bare);
    }),
  );
});
