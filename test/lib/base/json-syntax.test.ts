/** The lines of faults in JSON that a person writes. */

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { lineOf, readJson } from '../../../lib/base/json-syntax.ts';

test.each([
  ['', 'Line 1: a value is expected'],
  ['{"a": }', 'Line 1: a value is expected'],
  ['{\n  "a": 1\n  "b": 2\n}', 'Line 3: a comma or the end is expected'],
  ['{\n  "a": 1,\n}', 'Line 3: a name in quotation marks is expected'],
  ['{\n  a: 1\n}', 'Line 2: a name in quotation marks or } is expected'],
  ['{\n  "a" 1\n}', 'Line 2: a colon is expected'],
  ['[\n  1,\n\n', 'Line 4: a value is expected'],
  ['[\n  tru\n]', 'Line 2: a value or ] is expected'],
  ['[1]\n]', 'Line 2: a comma or the end is expected'],
  ['{\n"a": "open\n}', 'Line 2: a value is expected'],
  [String.raw`["\x"]`, 'Line 1: a value or ] is expected'],
  ['[01]', 'Line 1: a comma or the end is expected'],
  [
    '{\n  "n": [\n    1,\n    9007199254740993\n  ]\n}',
    'Line 4: 9007199254740993 is not a number that a double holds exactly',
  ],
])('%j: %s', (text, message) => {
  expect(() => readJson(text)).toThrow(new Error(message));
});

test('JSON is read as by JSON.parse, and a cut text has a line', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.nat(), (value, cut) => {
      const text = JSON.stringify(value, null, 2);
      const lines = text.split('\n').length;
      expect(readJson(text)).toEqual(JSON.parse(text));
      const part = text.slice(0, cut % text.length);
      try {
        readJson(part);
      } catch (error) {
        const [, line] = /^Line (\d+): /.exec((error as Error).message) ?? [];
        expect(Number(line)).toBeGreaterThan(0);
        expect(Number(line)).toBeLessThanOrEqual(lines);
      }
    }),
  );
});

test('a path leads to the line of its value, or of the value around it', () => {
  const text =
    '{\n  "model": "m",\n  "tools": [\n    { "name": "a" },\n    {\n      "name": "b"\n    }\n  ]\n}';
  expect(lineOf(text, ['tools', '1', 'name'])).toBe(6);
  expect(lineOf(text, ['tools', '1', 'gone'])).toBe(5);
  expect(lineOf(text, ['other'])).toBe(1);
  expect(lineOf(text, [])).toBe(1);
});
