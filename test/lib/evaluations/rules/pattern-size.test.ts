import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { RE2JS } from 're2js';
import { expect, test } from 'vitest';
import { compilePattern, estimateSteps } from '../../../../lib/evaluations/rules/pattern.ts';
import { maxPatternWork } from '../../../../lib/evaluations/rules/texts.ts';

test.each([
  ['', 0],
  ['abc', 3],
  ['a{9}', 9],
  ['a{2,9}', 9],
  ['a{9,}', 9],
  ['ab{9}c', 11],
  ['(a{9}){9}', 90],
  ['(ab(c){2}){3}', 21],
  ['[a-z]{5}', 5],
  ['[]){9}]{5}', 5],
  ['[[:alpha:]]{5}', 5],
  ['\\p{Greek}{5}', 5],
  ['\\{5}', 3],
  ['(\\)a){5}', 15],
  ['\\Qab(\\E', 7],
])('%j has about %i steps', (pattern, steps) => {
  expect(estimateSteps(pattern)).toBe(steps);
});

const parts =
  'a ( ) (?: [a] []a] [^]a] \\Q \\E \\p{L} \\pL \\x{61} {3} {0,4} {2,} * ? | \\) \\( [()] [[:alpha:](] \\\\ ab é { } [ ] 😀 ^ \\b';

test('a compiled expression has at most twice the steps', () => {
  let compiled = 0;
  const patterns = fc
    .array(fc.constantFrom(...parts.split(' ')), { maxLength: 14 })
    .map((some) => some.join(''));
  fc.assert(
    fc.property(patterns, (pattern) => {
      const estimate = estimateSteps(pattern);
      if (estimate > 2000) return;
      let steps: number;
      try {
        steps = RE2JS.compile(pattern).programSize();
      } catch {
        return;
      }
      compiled += 1;
      expect(steps).toBeLessThanOrEqual(2 * (estimate + 3));
    }),
    { numRuns: 2000 },
  );
  expect(compiled).toBeGreaterThan(100);
});

test('quality.md says how many steps ordinary expressions have, and how many characters they read', () => {
  const rows = readFileSync('docs/quality.md', 'utf8').matchAll(
    /^\| [^|]+: `(.+)` \| (\d+) \| ([\d ]+) \|$/gm,
  );
  const shown = [...rows].map(([, pattern = '', steps, characters = '']) => ({
    pattern: pattern.replaceAll('\\|', '|'),
    steps: Number(steps),
    characters: Number(characters.replaceAll(' ', '')),
  }));
  expect(shown.length).toBeGreaterThan(5);
  for (const { pattern, ...row } of shown) {
    const compiled = compilePattern(pattern);
    const steps = typeof compiled === 'string' ? Number.NaN : compiled.programSize();
    expect([pattern, row]).toEqual([pattern, { steps, characters: Math.floor(maxPatternWork / steps) }]);
  }
});
