import { RE2JS } from 're2js';
import { describe, expect, test, vi } from 'vitest';
import '../../../../lib/base/zod-config.ts';
import { faultsOf } from '../../../../lib/evaluations/rules/pattern.ts';
import { patternsOf, type Rule, rule } from '../../../../lib/evaluations/rules/schema.ts';

/** What is wrong with a rule, and with its regular expressions. */
function faults(value: unknown) {
  const { data, error } = rule.safeParse(value);
  const found = data ? faultsOf(patternsOf(data)) : (error?.issues ?? []);
  return found.map(({ path, message }) => [path.join('.'), message]);
}

test.each<Rule>([
  { all: [{ messages: { lte: 4 } }, { not: { contains: 'sorry' } }] },
  { any: [{ contains: { text: 'Refund', role: 'user' } }, { matches: '(?i)order [0-9]{6}' }] },
  { matches: { pattern: '^\\p{Lu}', role: 'avatar' } },
  { messages: { gte: 1, lt: 9, ne: 4, role: 'user' } },
  { durationSeconds: { eq: 1.5 } },
  { firstAnswerSeconds: { gt: 10 } },
  { longestGapSeconds: { gt: 60 } },
  { unansweredQuestion: true },
  { citations: false },
  { repeatedAnswer: true },
  { language: 'de' },
])('a rule: %j', (value) => {
  expect(rule.parse(value)).toEqual(value);
});

const one =
  'must have exactly one of all, any, not, contains, matches, messages, durationSeconds, firstAnswerSeconds, ' +
  'longestGapSeconds, unansweredQuestion, citations, repeatedAnswer, language';

test.each([
  [null, '', 'must be an object'],
  ['messages', '', 'must be an object'],
  [[], '', 'must be an object'],
  [{}, '', one],
  [{ citations: true, language: 'de' }, '', one],
  [{ sentiment: 'bad' }, '', 'Unrecognized key: "sentiment"'],
  [{ all: [] }, 'all', 'must have at least one condition'],
  [{ any: {} }, 'any', 'must be a list'],
  [{ any: [{ all: [{ not: [] }] }] }, 'any.0.all.0.not', 'must be an object'],
  [{ contains: '' }, 'contains', 'must not be empty'],
  [{ contains: 'x'.repeat(201) }, 'contains', 'must be at most 200 characters'],
  [{ contains: '\ufdfa'.repeat(30) }, 'contains', 'must be at most 400 characters in its compatibility form'],
  [{ contains: '\ud83d' }, 'contains', 'must be well-formed Unicode'],
  [{ contains: 5 }, 'contains', 'must be a text, or an object with text and role'],
  [{ contains: { text: '' } }, 'contains.text', 'must not be empty'],
  [{ contains: { text: 'x', rol: 'user' } }, 'contains', 'Unrecognized key: "rol"'],
  [
    { matches: { pattern: 'x', role: 'boss' } },
    'matches',
    'must be a text, or an object with pattern and role',
  ],
  [{ messages: {} }, 'messages', 'must have one of eq, ne, gt, gte, lt, lte'],
  [{ messages: { role: 'user' } }, 'messages', 'must have one of eq, ne, gt, gte, lt, lte'],
  [{ messages: { lte: '4' } }, 'messages.lte', 'must be a number'],
  [{ durationSeconds: { lte: 4, role: 'user' } }, 'durationSeconds', 'Unrecognized key: "role"'],
  [{ citations: 1 }, 'citations', 'must be true or false'],
  [{ language: 'xx' }, 'language', expect.stringMatching(/^must be one of am, ar, .*, zh$/)],
])('no rule: %j', (value, path, message) => {
  expect(faults(value)).toContainEqual([path, message]);
});

describe('nesting', () => {
  const nested = (levels: number, wrap: (rule: unknown) => unknown) => {
    let value: unknown = { citations: true };
    for (let level = 1; level < levels; level += 1) value = wrap(value);
    return value;
  };
  test.each<[string, (rule: unknown) => unknown]>([
    ['not', (inner) => ({ not: inner })],
    ['all', (inner) => ({ all: [inner] })],
    ['any', (inner) => ({ any: [inner] })],
  ])('has at most 10 levels of %s, however deep it is', (_, wrap) => {
    expect(faults(nested(10, wrap))).toEqual([]);
    for (const levels of [11, 100_000])
      expect(faults(nested(levels, wrap))).toEqual([['', 'must have at most 10 levels']]);
  });

  test.each(['contains', 'messages', 'language', 'sentiment'])('%s is not nested', (field) => {
    const value = JSON.parse(`{"${field}":${'['.repeat(100_000)}${']'.repeat(100_000)}}`);
    expect(faults(value)).not.toEqual([]);
  });

  test('has at most 50 nodes', () => {
    const wide = (nodes: number) => ({ all: Array.from({ length: nodes }, () => ({ citations: true })) });
    expect(faults(wide(49))).toEqual([]);
    for (const nodes of [50, 100_000])
      expect(faults(wide(nodes))).toEqual([['', 'must have at most 50 nodes']]);
  });
});

describe('regular expressions', () => {
  const tooLarge = 'must be simpler: it has more than 50 steps, mostly because of counted repetitions';

  test.each([
    ['', 'must not be empty'],
    ['(a', 'is not valid: missing closing )'],
    ['[z-a]', 'is not valid: invalid character class range'],
    ['a**', 'is not valid: invalid nested repetition operator'],
    ['(?=a)b', 'is not valid: invalid or unsupported Perl syntax'],
    ['(a)\\1', 'is not valid: invalid escape sequence'],
    ['a{120}', tooLarge],
    ['(a{15}){15}', tooLarge],
    ['(?:a?){1000}'.repeat(40), tooLarge],
    ['(x{0,1000}|y{0,1000}){1}'.repeat(20), tooLarge],
    [`([)]${'a'.repeat(400)}){300}`, tooLarge],
    [`(\\Q)\\E${'a'.repeat(400)}){300}`, tooLarge],
    ['a'.repeat(501), 'must be at most 500 characters'],
    ['a'.repeat(1_000_000), 'must be at most 500 characters'],
  ])('not %j', (pattern, message) => {
    expect(faults({ matches: pattern })).toContainEqual(['matches', message]);
    expect(faults({ any: [{ not: { matches: { pattern } } }] })).toContainEqual([
      'any.0.not.matches.pattern',
      message,
    ]);
  });

  test('that are much too large are not compiled, because that takes seconds', () => {
    const compile = vi.spyOn(RE2JS, 'compile');
    try {
      expect(faults({ matches: '(?:a?){1000}'.repeat(40) })).toEqual([['matches', tooLarge]]);
      expect(compile).not.toHaveBeenCalled();
      expect(faults({ matches: 'a{120}' })).toEqual([['matches', tooLarge]]);
      expect(compile).toHaveBeenCalled();
    } finally {
      compile.mockRestore();
    }
  });

  test('that would backtrack are allowed, because they do not', () => {
    for (const pattern of ['(a+)+$', '(a|a)*b', '(x+x+)+y']) expect(faults({ matches: pattern })).toEqual([]);
  });

  test('of a rule are at most 10, with at most 50 steps together', () => {
    const several = (count: number, pattern: string) => ({
      any: Array.from({ length: count }, () => ({ matches: pattern })),
    });
    expect(faults(several(10, 'a{3}'))).toEqual([]);
    expect(faults(several(11, 'a'))).toEqual([['', 'must have at most 10 regular expressions']]);
    expect(faults(several(10, 'a{9}'))).toEqual([
      ['', 'must have simpler regular expressions: together they have more than 50 steps'],
    ]);
  });
});
