/** JSON that callers send, and canonical JSON for any value. */

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  canonicalJson,
  ForbiddenField,
  type JsonPath,
  parseJson,
  responseBytes,
} from '../../../lib/base/json.ts';

test('any JSON is parsed as by JSON.parse', () => {
  fc.assert(
    fc.property(fc.json({ maxDepth: 20 }), (text) => {
      fc.pre(!/__proto__|constructor/.test(text));
      expect(parseJson(text)).toEqual(JSON.parse(text));
    }),
  );
});

describe.each([
  ['the value itself', (field: string) => `{${field}}`],
  ['a member', (field: string) => `{"a":[1,{"b":{"c":2,${field}}}]}`],
  ['an item of a list', (field: string) => `[1,{${field}}]`],
])('in %s', (_, textWith) => {
  test.each([
    '"__proto__":1',
    '"__proto__":{"admin":true}',
    String.raw`"\u005f_proto\u005F_":null`,
    '"constructor":{"prototype":null}',
    String.raw`"const\u0072uctor":{"name":1,"prototype":{}}`,
  ])('%s is forbidden', (field) => {
    expect(() => parseJson(textWith(field))).toThrow(ForbiddenField);
  });

  test.each(['"constructor":{"name":"x"}', '"constructor":"prototype"', '"prototype":{}', '"a":"__proto__"'])(
    '%s is allowed',
    (field) => {
      const text = textWith(field);
      expect(parseJson(text)).toEqual(JSON.parse(text));
    },
  );
});

describe('levels', () => {
  const lists = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);
  const objects = (depth: number) => `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`;

  test.each([lists, objects])('100 are parsed, 101 are not', (nested) => {
    expect(parseJson(nested(100))).toEqual(JSON.parse(nested(100)));
    expect(() => parseJson(nested(101))).toThrow(SyntaxError);
  });

  test('as many as a body can have are refused without an overflow of the stack', () => {
    expect(() => parseJson(lists(128 * 1024))).toThrow(SyntaxError);
  });
});

test.each([
  ['{"a":{"b":1},"c":[0,{"d":[],"e":{"__proto__":1}}]}', ['c', 1, 'e']],
  ['{"a":{"b":1},"c":[0,{"d":[],"e":{"f":{"g":1}}}]}', ['c', 1, 'e', 'f']],
  ['{"a":{"b":1},"c":[0', []],
])('the fault of %s has its path', (text, expected) => {
  const path: JsonPath = [];
  expect(() => parseJson(text, 4, path)).toThrow();
  expect(path).toEqual(expected);
});

test.each(['', '{', '{"a":1,}', "{'a':1}", '[1', 'NaN', '1 2'])('%j is no JSON', (text) => {
  expect(() => parseJson(text)).toThrow(SyntaxError);
});

describe('canonical JSON', () => {
  /** The same value with the members of every object in another order. */
  const shuffled = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(shuffled);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(
      Object.entries(value)
        .reverse()
        .map(([key, member]) => [key, shuffled(member)]),
    );
  };

  test('does not depend on the order of fields', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(canonicalJson(shuffled(value))).toBe(canonicalJson(value));
      }),
    );
  });

  test('is JSON of the same value', () => {
    fc.assert(
      fc.property(fc.json(), (json) => {
        const value = JSON.parse(json);
        expect(JSON.parse(canonicalJson(value))).toEqual(JSON.parse(JSON.stringify(value)));
      }),
    );
  });
});

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
