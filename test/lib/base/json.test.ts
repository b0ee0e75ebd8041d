/** JSON that callers send. */

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ForbiddenField, parseJson } from '../../../lib/base/json.ts';

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

test.each(['', '{', '{"a":1,}', "{'a':1}", '[1', 'NaN', '1 2'])('%j is no JSON', (text) => {
  expect(() => parseJson(text)).toThrow(SyntaxError);
});
