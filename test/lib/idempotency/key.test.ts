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

test.each([
  ['no header', []],
  ['two headers', ['a', 'b']],
  ['an empty value', ['']],
  ['an empty quoted string', ['""']],
  ['256 characters', ['a'.repeat(256)]],
  ['a character that is not ASCII', ['aé']],
  ['a control character at the start', ['"\u0001a"']],
  ['a control character at the end', ['"a\u0001"']],
])('%s is no key', (_, values) => {
  expect(parseIdempotencyKey(values)).toBeUndefined();
});

test.each(['a"b"', '"a"b', '"a\\b"'])('%s is not a quoted string, so the key is the whole value', (value) => {
  expect(parseIdempotencyKey([value])).toBe(value);
});

test('255 characters are a key', () => {
  expect(parseIdempotencyKey(['a'.repeat(255)])).toHaveLength(255);
});
