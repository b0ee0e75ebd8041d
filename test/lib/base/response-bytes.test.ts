/** The size of a response as Lambda counts it. */

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { responseBytes } from '../../../lib/base/response-bytes.ts';

/** What a function returns, as Lambda counts it. */
const lambdaBytes = (value: unknown) =>
  Buffer.byteLength(JSON.stringify({ statusCode: 200, headers: {}, body: JSON.stringify(value) }));
const envelope = lambdaBytes('') - responseBytes('');

test.each([
  ['a letter', 'a', 1],
  ['a quotation mark', '"', 4],
  ['a backslash', '\\', 4],
  ['a line feed', '\n', 3],
  ['another control character', '\u0001', 7],
  ['half of a surrogate pair', '\ud800', 7],
  ['an emoji', '😀', 4],
  ['a line separator', '\u2028', 3],
])('%s counts as many bytes as in JSON inside JSON', (_, character, bytes) => {
  expect(responseBytes([character.repeat(1000)]) - responseBytes([''])).toBe(1000 * bytes);
  expect(lambdaBytes([character.repeat(1000)])).toBe(responseBytes([character.repeat(1000)]) + envelope);
});

test('any value is counted as Lambda counts it', { tags: ['long'] }, () => {
  fc.assert(
    fc.property(fc.jsonValue({ stringUnit: 'binary' }), (value) => {
      expect(lambdaBytes(value)).toBe(responseBytes(value) + envelope);
    }),
  );
});
