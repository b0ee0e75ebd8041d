/** CRC-32 and base 62, the parts of a key, for any input. */

import { crc32 as zlibCrc32 } from 'node:zlib';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { toBase62 } from '../../../lib/credentials/base62.ts';
import { crc32 } from '../../../lib/credentials/crc32.ts';

test('CRC-32 equals that of zlib', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'binary-ascii' }),
      (text) => void expect(crc32(text)).toBe(zlibCrc32(text)),
    ),
  );
});

test('base 62 has a fixed width and keeps the order', () => {
  const value = fc.bigInt({ min: 0n, max: 62n ** 6n - 1n });
  fc.assert(
    fc.property(value, value, (a, b) => {
      const [x, y] = [toBase62(a, 6), toBase62(b, 6)];
      expect(x).toHaveLength(6);
      expect(x < y).toBe(a < b);
    }),
  );
});
