/** The patterns of the OpenAPI document compile in every language of its readers, and mean the same there. */

import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { portablePattern } from '../../scripts/openapi/patterns.ts';
import { Components } from '../../scripts/openapi/schemas.ts';
import { root } from '../../scripts/shared/root.ts';
import { commandFor, languages, matchesIn } from '../support/pattern-programs.ts';

/** @returns each pattern in the document, with the texts that it is to be tried with */
function patternsIn(value: unknown, found = new Map<string, Set<string>>()): Map<string, Set<string>> {
  if (typeof value !== 'object' || value === null) return found;
  if ('pattern' in value && typeof value.pattern === 'string') {
    const texts = found.get(value.pattern) ?? new Set(tried);
    const examples = 'examples' in value && Array.isArray(value.examples) ? value.examples : [];
    for (const example of examples) if (typeof example === 'string') texts.add(example);
    found.set(value.pattern, texts);
  }
  for (const [name, member] of Object.entries(value)) {
    // The example of a rule has a pattern of RE2.
    if (name !== 'example' && name !== 'examples') patternsIn(member, found);
  }
  return found;
}

/** In some languages, `\d`, `\s`, `\w` and `.` are about all of Unicode. */
const tried = [
  '',
  'a',
  'ä',
  '日本',
  '😀',
  ' ',
  '\u00a0',
  '\u0085',
  '\u200b',
  '12h',
  '١٢h',
  '٢٠٢٦-٠٣-٠١',
  'a b',
];

const document = JSON.parse(readFileSync(resolve(root, 'openapi.json'), 'utf8')) as unknown;
const pairs = [...patternsIn(document)].flatMap(([pattern, texts]) =>
  [...texts].map((text) => [pattern, text] as const),
);
const inEcmaScript = pairs.map(([pattern, text]) => new RegExp(pattern, 'u').test(text));

test('the patterns are found, and texts that they match', () => {
  expect(new Set(pairs.map(([pattern]) => pattern)).size).toBeGreaterThan(20);
  expect(inEcmaScript.filter(Boolean).length).toBeGreaterThan(20);
});

// CI has Python and Java, and most machines have no Go. Java and Go compile their programs for some seconds.
test('Python matches as ECMAScript does', () => expectAlike('Python'));
test('Java matches as ECMAScript does', { tags: ['long'] }, () => expectAlike('Java'));
test('Go matches as ECMAScript does', { tags: ['long'] }, ({ skip }) => {
  if (!commandFor(languages.Go)) skip('Go is not installed');
  expectAlike('Go');
});

function expectAlike(name: keyof typeof languages): void {
  const matches = matchesIn(languages[name], commandFor(languages[name]) ?? [], pairs);
  const other = pairs.filter((_, index) => matches[index] !== inEcmaScript[index]);
  expect(matches).toHaveLength(pairs.length);
  expect(other).toEqual([]);
}

describe('a pattern is published', () => {
  test.each([
    ['^\\d{4}$', '^[0-9]{4}$'],
    ['[\\d.]', '[0-9.]'],
    ['\\[\\d', '\\[[0-9]'],
    ['[^\\s\\u0000-\\u001f]', '[^\\x09-\\x0d \\x00-\\x1f]'],
    ['\\\\d', '\\\\d'],
    ['^\\w+$', '^[A-Za-z0-9_]+$'],
  ])('%s as %s', (source, published) => expect(portablePattern(source)).toBe(published));

  test.each([
    '\\p{L}',
    '\\P{Cc}',
    '(?=a)',
    '(?!a)',
    '(?<=a)b',
    '(?<name>a)',
    '(a)\\1',
    '\\u200b',
    '\\u{1f600}',
  ])('%s as words only', (source) => expect(portablePattern(source)).toBeUndefined());

  test('as words, or not at all', () => {
    const letters = z.string().regex(/^\p{L}+$/u);
    const published = (schema: z.ZodType) => new Components().of(schema, 'input');
    expect(() => published(letters)).toThrow('add .meta({ rule })');
    expect(published(letters.meta({ description: 'A word.', rule: 'Only letters.' }))).toEqual({
      type: 'string',
      description: 'A word. Only letters.',
    });
  });
});
