import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  prepareRule,
  type RuleMessage,
  type RuleResult,
} from '../../../../lib/evaluations/rules/evaluate.ts';
import { Matches, read } from '../../../../lib/evaluations/rules/facts.ts';
import { compilePattern } from '../../../../lib/evaluations/rules/pattern.ts';
import { type Rule, rule } from '../../../../lib/evaluations/rules/schema.ts';

type Sent = [role: RuleMessage['role'], text: string, atSeconds?: number, citations?: readonly unknown[]];

const messages = (sent: readonly Sent[]): RuleMessage[] =>
  sent.map(([role, text, atSeconds, citations = []], index) => ({
    seq: index + 1,
    role,
    text,
    at: new Date((atSeconds ?? index) * 1000).toISOString(),
    citations,
  }));

function evaluate(one: Rule, sent: readonly RuleMessage[], pageSize = 200): RuleResult {
  const state = prepareRule(rule.parse(one))();
  for (let from = 0; from < sent.length; from += pageSize) state.add(sent.slice(from, from + pageSize));
  return state.end({ durationSeconds: 42 });
}

const talk = messages([
  ['system', 'Be kind.', 0],
  ['user', 'Where is my ORDER 123456?', 10],
  ['tool', 'order: late', 12],
  ['avatar', 'I am Sorry, it is late.', 15, [{}]],
  ['user', 'When does it come?', 100],
  ['avatar', 'I am sorry,  it is late.', 103],
  ['user', 'Hello?', 110],
]);

describe('conditions', () => {
  test.each<[Rule, boolean, string, number[]]>([
    [{ contains: 'sorry' }, true, 'a message contains "sorry"', [4, 6]],
    [{ contains: 'ＳＯＲＲＹ' }, true, 'a message contains "ＳＯＲＲＹ"', [4, 6]],
    [{ contains: 'thanks' }, false, 'a message does not contain "thanks"', []],
    [{ contains: { text: 'order', role: 'user' } }, true, 'a message of role user contains "order"', [2]],
    [
      { contains: { text: 'sorry', role: 'user' } },
      false,
      'a message of role user does not contain "sorry"',
      [],
    ],
    [{ matches: 'ORDER [0-9]{6}\\?$' }, true, 'a message matches "ORDER [0-9]{6}\\\\?$"', [2]],
    [{ matches: 'order [0-9]{6}' }, false, 'a message does not match "order [0-9]{6}"', []],
    [
      { matches: { pattern: '(?i)order', role: 'tool' } },
      true,
      'a message of role tool matches "(?i)order"',
      [3],
    ],
    [{ messages: { lte: 4 } }, false, 'messages is 7, not lte 4', []],
    [{ messages: { gte: 7, lt: 8 } }, true, 'messages is 7, gte 7 and lt 8', []],
    [{ messages: { gt: 7, lt: 8, ne: 7 } }, false, 'messages is 7, not ne 7 and gt 7', []],
    [{ messages: { eq: 3, role: 'user' } }, true, 'messages of role user is 3, eq 3', []],
    [{ durationSeconds: { gt: 42 } }, false, 'durationSeconds is 42, not gt 42', []],
    [{ firstAnswerSeconds: { lte: 5 } }, true, 'firstAnswerSeconds is 5, lte 5', [2, 4]],
    [{ longestGapSeconds: { gt: 60 } }, true, 'longestGapSeconds is 85, gt 60', [4, 5]],
    [{ unansweredQuestion: true }, true, 'unansweredQuestion is true', [7]],
    [{ unansweredQuestion: false }, false, 'unansweredQuestion is true', [7]],
    [{ citations: true }, true, 'citations is true', [4]],
    [{ citations: false }, false, 'citations is true', [4]],
    [{ repeatedAnswer: true }, true, 'repeatedAnswer is true', [4, 6]],
    [{ language: 'en' }, true, 'language is en', []],
    [{ language: 'de' }, false, 'language is en, not de', []],
  ])('%j is %s: %s', (one, value, rationale, evidence) => {
    expect(evaluate(one, talk)).toEqual({ value, reason: null, rationale, evidence });
  });

  test.each<[Rule, Sent[], boolean]>([
    [{ messages: { eq: 0 } }, [], true],
    [{ firstAnswerSeconds: { lte: 100 } }, [], false],
    [
      { firstAnswerSeconds: { lte: 100 } },
      [
        ['avatar', 'Hello!'],
        ['user', 'Hi'],
      ],
      false,
    ],
    [
      { firstAnswerSeconds: { eq: 3 } },
      [
        ['avatar', 'Hello!', 0],
        ['user', 'a', 5],
        ['user', 'b', 7],
        ['avatar', 'c', 8],
      ],
      true,
    ],
    [{ longestGapSeconds: { eq: 0 } }, [['user', 'a']], true],
    // Imported messages can be out of order.
    [
      { longestGapSeconds: { eq: 0 } },
      [
        ['user', 'a', 10],
        ['avatar', 'b', 5],
      ],
      true,
    ],
    [{ unansweredQuestion: true }, [], false],
    [
      { unansweredQuestion: true },
      [
        ['user', 'a'],
        ['tool', 'b'],
      ],
      true,
    ],
    [
      { unansweredQuestion: true },
      [
        ['user', 'a'],
        ['avatar', 'b'],
      ],
      false,
    ],
    [{ citations: true }, [['tool', 'a', 0, [{}]]], false],
    [
      { repeatedAnswer: true },
      [
        ['user', 'a'],
        ['user', 'a'],
        ['avatar', 'a'],
      ],
      false,
    ],
    [
      { repeatedAnswer: true },
      [
        ['avatar', 'Straße '],
        ['avatar', 'STRASSE'],
      ],
      true,
    ],
    [
      { repeatedAnswer: true },
      [
        ['avatar', ' '],
        ['avatar', '\n'],
      ],
      false,
    ],
    [{ contains: 'strasse' }, [['user', 'Große Straße 1']], true],
    [{ contains: 'e\u0301t\u00e9' }, [['user', '\u00c9TE\u0301']], true],
    [{ language: 'en' }, [['avatar', 'Where is my order?']], false],
  ])('%j of %j is %s', (one, sent, value) => {
    expect(evaluate(one, messages(sent)).value).toBe(value);
  });
});

describe('combinations', () => {
  const holds: Rule = { contains: 'sorry' };
  const fails: Rule = { messages: { lte: 4 } };
  test.each<[Rule, boolean, string, number[]]>([
    [{ all: [holds, fails] }, false, 'messages is 7, not lte 4', []],
    [{ all: [holds, { citations: true }] }, true, 'a message contains "sorry"; citations is true', [4, 6]],
    [{ any: [holds, fails] }, true, 'a message contains "sorry"', [4, 6]],
    [{ any: [fails, { language: 'de' }] }, false, 'messages is 7, not lte 4; language is en, not de', []],
    [{ not: holds }, false, 'a message contains "sorry"', [4, 6]],
    [
      { not: { all: [holds, { not: fails }] } },
      false,
      'a message contains "sorry"; messages is 7, not lte 4',
      [4, 6],
    ],
    [{ not: { not: holds } }, true, 'a message contains "sorry"', [4, 6]],
    [{ all: [holds, holds] }, true, 'a message contains "sorry"', [4, 6]],
    [
      { any: Array.from({ length: 7 }, (_, index) => ({ messages: { eq: index + 10 } })) },
      false,
      'messages is 7, not eq 10; messages is 7, not eq 11; messages is 7, not eq 12; messages is 7, not eq 13; ' +
        'messages is 7, not eq 14; and 2 more',
      [],
    ],
  ])('%j is %s', (one, value, rationale, evidence) => {
    expect(evaluate(one, talk)).toEqual({ value, reason: null, rationale, evidence });
  });

  const leaf = fc.constantFrom<Rule>(
    { contains: 'a' },
    { contains: { text: 'b', role: 'avatar' } },
    { matches: '^a+$' },
    { messages: { gte: 3 } },
    { messages: { lte: 2, role: 'user' } },
    { firstAnswerSeconds: { gt: 2 } },
    { longestGapSeconds: { gte: 3 } },
    { unansweredQuestion: true },
    { citations: false },
    { repeatedAnswer: true },
    { language: 'en' },
  );
  const { node: rules } = fc.letrec<{ node: Rule }>((tie) => ({
    node: fc.oneof(
      { maxDepth: 3, depthSize: 'small' },
      leaf,
      fc.array(tie('node'), { minLength: 1, maxLength: 3 }).map((all) => ({ all })),
      fc.array(tie('node'), { minLength: 1, maxLength: 3 }).map((any) => ({ any })),
      tie('node').map((not) => ({ not })),
    ),
  }));
  const conversations = fc
    .array(
      fc.tuple(
        fc.constantFrom('user' as const, 'avatar' as const, 'tool' as const),
        fc.constantFrom('a', 'b', 'aaa', 'Where is my order?'),
        fc.nat(10),
        fc.constantFrom([], [{}]),
      ),
      { maxLength: 30 },
    )
    .map(messages);

  test('pages of any size give what all messages at once give', () => {
    fc.assert(
      fc.property(rules, conversations, fc.integer({ min: 1, max: 7 }), (one, sent, pageSize) => {
        expect(evaluate(one, sent, pageSize)).toEqual(evaluate(one, sent));
      }),
    );
  });

  test('combinations are as in logic, and the evidence exists', () => {
    const value = (one: Rule, sent: readonly RuleMessage[]): boolean => {
      if (one.all) return one.all.every((child) => value(child, sent));
      if (one.any) return one.any.some((child) => value(child, sent));
      if (one.not) return !value(one.not, sent);
      return evaluate(one, sent).value === true;
    };
    fc.assert(
      fc.property(rules, conversations, (one, sent) => {
        const result = evaluate(one, sent);
        expect(result.value).toBe(value(one, sent));
        expect(result.rationale).not.toBe('');
        expect(result.rationale?.length).toBeLessThanOrEqual(2000);
        expect(result.evidence.length).toBeLessThanOrEqual(20);
        expect(result.evidence).toEqual([...new Set(result.evidence)].sort((a, b) => a - b));
        expect(result.evidence.every((seq) => seq >= 1 && seq <= sent.length)).toBe(true);
      }),
      { numRuns: 50 },
    );
  });
});

test('a prepared rule keeps nothing of a conversation for the next', () => {
  const start = prepareRule({ any: [{ contains: 'a' }, { repeatedAnswer: true }] });
  const [first, second] = [start(), start()];
  first.add(
    messages([
      ['avatar', 'a'],
      ['avatar', 'a'],
    ]),
  );
  second.add(messages([['avatar', 'b']]));
  expect(first.end({ durationSeconds: 0 }).value).toBe(true);
  expect(second.end({ durationSeconds: 0 }).value).toBe(false);
});

test('a fact keeps 20 messages of those that it finds', () => {
  const found = new Matches(() => true);
  for (const message of messages(Array.from({ length: 100 }, () => ['user', 'a']))) found.add(read(message));
  expect(found.seqs).toHaveLength(20);
});

describe('worst input', () => {
  const large = (text: string) => text.repeat(Math.ceil(16_384 / text.length)).slice(0, 16_384);

  test.each([
    ['(a+)+$', 'a'.repeat(16_383).concat('!')],
    ['(a|a)*b', large('a')],
    ['(?:a?){15}a{15}c', large('a')],
    ['[ab]*a[ab]{44}[xy]', large('abbabaab')],
    ['(?:\\w{0,3}\\W){0,5}[QZ]', large('ab ')],
  ])('%j', (pattern, text) => {
    expect(evaluate({ matches: pattern }, messages([['user', text]])).value).toBe(false);
  });

  /** The last of so many characters is `x`. */
  const sent = (characters: number): RuleMessage[] =>
    messages([
      ...Array.from({ length: Math.floor((characters - 1) / 16_384) }, (): Sent => ['user', large('ab')]),
      ['user', 'b'.repeat((characters - 1) % 16_384)],
      ['avatar', 'x'],
    ]);
  const unknown = { value: null, reason: 'transcript_too_long', rationale: null, evidence: [] };

  test.each([
    ['[wx]z?', 5, 1_000_000],
    ['[wx]|d{6}', 10, 500_000],
    ['[wx]|d{46}', 50, 100_000],
  ])(
    '%j of %i steps reads %i characters of a conversation. If it has more, the result is unknown',
    (matches, steps, characters) => {
      const compiled = compilePattern(matches);
      expect(typeof compiled === 'string' ? compiled : compiled.programSize()).toBe(steps);
      expect(evaluate({ matches }, sent(characters)).value).toBe(true);
      expect(evaluate({ matches }, sent(characters + 1))).toEqual(unknown);
      expect(evaluate({ any: [{ contains: 'x' }, { not: { matches } }] }, sent(characters + 1))).toEqual(
        unknown,
      );
    },
  );

  test('the expressions of a rule share the work, and a rule without expressions reads everything', () => {
    const both = { all: [{ matches: '[wx]z?' }, { matches: '[xw]z?' }] };
    expect(evaluate(both, sent(500_000)).value).toBe(true);
    expect(evaluate(both, sent(500_001))).toEqual(unknown);
    expect(evaluate({ contains: 'x' }, sent(2_000_000)).value).toBe(true);
    // With 20 messages as evidence, it reads no further.
    expect(evaluate({ matches: 'a' }, sent(2_000_000)).value).toBe(true);
    expect(evaluate({ all: [{ matches: 'a' }, { matches: '[wx]z?' }] }, sent(800_000)).value).toBe(true);
  });

  test('evidence is the first 20 messages', () => {
    const sent = messages(Array.from({ length: 100 }, () => ['avatar', 'sorry']));
    const first = Array.from({ length: 20 }, (_, index) => index + 1);
    for (const one of [{ contains: 'sorry' }, { matches: 'sorry' }, { repeatedAnswer: true }])
      expect(evaluate(one, sent).evidence).toEqual(first);
    const both = { all: [{ contains: 'sorry' }, { repeatedAnswer: true }, { longestGapSeconds: { gt: 0 } }] };
    expect(evaluate(both, sent).evidence).toEqual(first);
  });

  test('of many different answers, the last 10 000 are compared', () => {
    const sent = messages(
      Array.from({ length: 20_002 }, (_, index): Sent => ['avatar', `answer ${index % 20_001}`, 0]),
    );
    expect(evaluate({ repeatedAnswer: true }, sent).value).toBe(false);
    expect(
      evaluate({ repeatedAnswer: true }, sent.slice(10_001, 20_001).concat(sent.slice(10_001, 10_002))).value,
    ).toBe(true);
  });

  test('a text of 3 MB in one language after a user has written 4 KB in another does not count', () => {
    const german = 'Wo ist meine Bestellung? '.repeat(200);
    const sent = messages([
      ['user', german],
      ...Array.from({ length: 200 }, (): Sent => ['user', large('Where is my order? ')]),
    ]);
    expect(evaluate({ language: 'de' }, sent).value).toBe(true);
  });

  test('a text that becomes 18 times as long, and a letter with thousands of accents', () => {
    expect(evaluate({ contains: 'x' }, messages([['user', '\ufdfa'.repeat(5461)]])).value).toBe(false);
    expect(evaluate({ contains: 'x' }, messages([['user', `a${'\u0301\u0323'.repeat(4000)}`]])).value).toBe(
      false,
    );
  });
});
