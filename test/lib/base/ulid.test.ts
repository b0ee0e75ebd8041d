/** ULIDs: their digits, and their time. */

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { decodeTime, digitsAfter, encodeTime, maxUlidMs, randomDigits } from '../../../lib/base/ulid.ts';

describe('a ULID', () => {
  test('has the time of the example of the specification', () => {
    expect(encodeTime(1_469_922_850_259)).toBe('01ARZ3NDEK');
    expect(encodeTime(1_469_918_176_385)).toBe('01ARYZ6S41');
  });

  test('returns its time, and sorts by it', () => {
    const time = fc.nat({ max: maxUlidMs });
    fc.assert(
      fc.property(time, time, (ms, other) => {
        expect(decodeTime(`${encodeTime(ms)}0123456789ABCDEF`)).toBe(ms);
        expect(encodeTime(ms) < encodeTime(other)).toBe(ms < other);
      }),
    );
  });

  test.each([-1, 0.5, Number.NaN, maxUlidMs + 1])('has no time %d', (ms) => {
    expect(() => encodeTime(ms)).toThrow(RangeError);
  });

  test.each([
    ['a character too few', '01ARZ3NDEK0123456789ABCDE'],
    ['a letter that is no digit', '01ARZ3NDUK0123456789ABCDEF'],
    ['a time that is too large', '81ARZ3NDEK0123456789ABCDEF'],
  ])('does not have %s', (_, text) => {
    expect(() => decodeTime(text)).toThrow(RangeError);
  });

  test('has four digits of each random number', () => {
    const fractions = [0, 1 - 2 ** -32, 1 / 32, 1 / 2];
    expect(randomDigits(() => fractions.shift() ?? 0)).toBe('0000ZZZZ1000G000');
  });

  test('has the next digits in the same millisecond, until they are used up', () => {
    expect(digitsAfter('000000000000000H')).toBe('000000000000000J');
    expect(digitsAfter('00000000000009ZZ')).toBe('0000000000000A00');
    expect(() => digitsAfter('ZZZZZZZZZZZZZZZZ')).toThrow(RangeError);
  });
});
