/** The numbers of JSON that a double changes, and the places of all values in a text. */

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { inexactNumbers, valuesIn } from '../../../lib/base/json-numbers.ts';

const faultsIn = (json: string) =>
  [...inexactNumbers(json)].map(({ path, literal }) => [path.join('.'), literal]);

describe('a number', () => {
  test.each([
    '0',
    '-0',
    '-0.000e5',
    '0e999',
    '1',
    '0.1',
    '1e20',
    '1E+2',
    '100000000000000000000',
    '1e23',
    '9007199254740992',
    '9007199254740994',
    '-9007199254740991',
    '123456789012345.5',
    '0.10000000000000001',
    '3.14159265358979323846264338327950288',
    '1.7976931348623157e308',
    '2.2250738585072014e-308',
    '5e-324',
  ])('%s stays the same', (literal) => expect(faultsIn(`{"a":[${literal}]}`)).toEqual([]));

  test.each([
    '1e999',
    '-1e999',
    '1e309',
    '9007199254740993',
    '-9007199254740993',
    '9007199254740993.0',
    '9007199254740993.5',
    '900719925474099300e-2',
    '123456789012345678901234567890',
    '1e-400',
    '-1e-99999999999999999999',
    '1.23456789e-320',
    `1${'0'.repeat(400)}`,
  ])('%s changes', (literal) => expect(faultsIn(`{"a":[0,${literal}]}`)).toEqual([['a.1', literal]]));
});

test('texts and names that look like numbers are none', () => {
  expect(
    faultsIn(String.raw`{"9007199254740993":"1e999","a\"b":["\\",9007199254740993,{"c":1e999}]}`),
  ).toEqual([
    ['a"b.1', '9007199254740993'],
    ['a"b.2.c', '1e999'],
  ]);
});

test('every value of any JSON has its path and its place', () => {
  const at = (value: unknown, path: readonly string[]): unknown =>
    path.reduce((inner, name) => (inner as Record<string, unknown>)[name], value);
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 6 }), fc.constantFrom(undefined, 2), (value, indent) => {
      const json = JSON.stringify(value, null, indent);
      let count = 0;
      for (const { path, start } of valuesIn(json)) {
        count += 1;
        const text = JSON.stringify(at(JSON.parse(json), path), null, indent);
        expect(json.slice(start).replace(/\s/g, '').startsWith(text.replace(/\s/g, ''))).toBe(true);
      }
      expect(count).toBe(countOf(JSON.parse(json)));
    }),
  );
});

const countOf = (value: unknown): number =>
  typeof value === 'object' && value !== null
    ? Object.values(value).reduce((sum: number, member) => sum + countOf(member), 1)
    : 1;

test.each([
  ['brackets', '['.repeat(100_000) + ']'.repeat(100_000)],
  ['digits', `[${'9'.repeat(250_000)}]`],
  ['backslashes', `["${'\\\\'.repeat(120_000)}",1e999]`],
  ['exponents', `[${Array.from({ length: 40_000 }, () => '1e9').join()}]`],
])('the largest body of %s is read once', (_, json) => {
  let steps = 0;
  for (const _value of valuesIn(json)) steps += 1;
  expect(steps).toBeLessThanOrEqual(100_000);
  expect([...inexactNumbers(json)].length).toBeLessThanOrEqual(1);
});
