/** Rules: conditions that a conversation meets or not. */

import * as z from 'zod';
import { messageRole } from '../../conversations/schema/values.ts';
import { text } from '../../schema/text.ts';
import { withinLimits } from '../../scores/nesting.ts';
import { foldText, type Language, languages, maxPatternLength, maxPatterns } from './texts.ts';

export const maxRuleLevels = 10;
export const maxRuleNodes = 50;
export const maxContainedLength = 200;

export const comparisons = ['eq', 'ne', 'gt', 'gte', 'lt', 'lte'] as const;

const bound = (words: string, example: number) =>
  z
    .number()
    .exactOptional()
    .meta({ description: `It is ${words} this.`, example });

const comparison = {
  eq: bound('equal to', 4),
  ne: bound('not equal to', 4),
  gt: bound('greater than', 4),
  gte: bound('at least', 4),
  lt: bound('less than', 4),
  lte: bound('at most', 4),
};

const hasComparison = (value: Partial<Record<(typeof comparisons)[number], number>>) =>
  comparisons.some((one) => value[one] !== undefined);
const noComparison = `must have one of ${comparisons.join(', ')}`;

const Comparison = z
  .strictObject(comparison)
  .refine(hasComparison, noComparison)
  .meta({
    id: 'RuleComparison',
    description: 'Which numbers meet it: at least one comparison. All must hold.',
    example: { lte: 4 },
  });

const role = messageRole.exactOptional().meta({
  description: 'Only messages of this role. Default: all messages.',
  example: 'avatar',
});

const CountedMessages = z
  .strictObject({ ...comparison, role })
  .refine(hasComparison, noComparison)
  .meta({
    id: 'RuleMessages',
    description: 'Which numbers of messages meet it: at least one comparison. All must hold.',
    example: { lte: 4, role: 'user' },
  });

/** The check of the length refuses such a text, so this check must not take long. */
const isLong = (value: string) => value.length > 2 * maxPatternLength;

const containedText = text(maxContainedLength)
  .min(1, 'must not be empty')
  .refine(
    // A single character may become 18.
    (value) => isLong(value) || foldText(value).length <= 2 * maxContainedLength,
    `must be at most ${2 * maxContainedLength} characters in its compatibility form`,
  )
  .meta({ description: 'The text.', example: 'sorry' });

const Contains = z
  .union(
    [
      containedText,
      z
        .strictObject({ text: containedText, role })
        .meta({ id: 'RuleTextOfRole', description: 'A text that messages of a role contain.' }),
    ],
    { error: textOr('text') },
  )
  .meta({
    id: 'RuleContains',
    description: 'A text, or a text and a role.',
    example: { text: 'sorry', role: 'avatar' },
  });

const pattern = text(maxPatternLength)
  .min(1, 'must not be empty')
  .meta({ description: 'The regular expression.', example: '(?i)order [0-9]{6}' });

const Matches = z
  .union(
    [
      pattern,
      z
        .strictObject({ pattern, role })
        .meta({ id: 'RulePatternOfRole', description: 'An expression that messages of a role match.' }),
    ],
    { error: textOr('pattern') },
  )
  .meta({
    id: 'RuleMatches',
    description: 'A regular expression, or an expression and a role.',
    example: { pattern: '(?i)order [0-9]{6}', role: 'user' },
  });

function textOr(field: string) {
  return () => `must be a text, or an object with ${field} and role`;
}

export type Comparison = z.infer<typeof Comparison>;

/** A rule has exactly one of these fields, of which `all`, `any` and `not` have further rules. */
export type Rule = {
  all?: Rule[];
  any?: Rule[];
  not?: Rule;
  contains?: z.infer<typeof Contains>;
  matches?: z.infer<typeof Matches>;
  messages?: z.infer<typeof CountedMessages>;
  durationSeconds?: Comparison;
  firstAnswerSeconds?: Comparison;
  longestGapSeconds?: Comparison;
  unansweredQuestion?: boolean;
  citations?: boolean;
  repeatedAnswer?: boolean;
  language?: Language;
};

/** Its cost is bounded because `rule` first checks the nesting. */
const node: z.ZodType<Rule> = z.lazy(() => condition);

const nodes = () =>
  z
    .array(node)
    .min(1, 'must have at least one condition')
    .max(maxRuleNodes, `must have at most ${maxRuleNodes} conditions`);

const conditions = {
  all: nodes().exactOptional().meta({ description: 'All of these hold.' }),
  any: nodes().exactOptional().meta({ description: 'At least one of these holds.' }),
  not: node.exactOptional().meta({ description: 'This does not hold.' }),
  contains: Contains.exactOptional().meta({
    description: 'A message contains this text, in any case (`sorry`, `Sorry`).',
  }),
  matches: Matches.exactOptional().meta({
    description:
      'The text of a message matches this regular expression, in the [syntax of RE2](https://github.com/google/re2/wiki/Syntax).',
  }),
  messages: CountedMessages.exactOptional().meta({ description: 'The number of messages.' }),
  durationSeconds: Comparison.exactOptional().meta({
    description: 'The seconds from the start to the end, or to the last message.',
  }),
  firstAnswerSeconds: Comparison.exactOptional().meta({
    description:
      'The seconds from the first message of the user to the first answer of the avatar. Without an answer it does not hold.',
  }),
  longestGapSeconds: Comparison.exactOptional().meta({
    description: 'The seconds of the longest pause between a message and the next. 0 if there is none.',
  }),
  unansweredQuestion: z.boolean().exactOptional().meta({
    description: 'Whether no message of the avatar follows the last message of the user.',
    example: true,
  }),
  citations: z
    .boolean()
    .exactOptional()
    .meta({ description: 'Whether an answer of the avatar cites a document.', example: true }),
  repeatedAnswer: z
    .boolean()
    .exactOptional()
    .meta({ description: 'Whether the avatar gave the same answer twice.', example: true }),
  language: z
    .enum(languages)
    .meta({ id: 'DetectedLanguage', description: 'A language (ISO 639-1).', example: 'de' })
    .exactOptional()
    .meta({
      description:
        'The user writes in this language. It does not hold if their messages are too short to tell.',
    }),
};

const condition = z
  .strictObject(conditions)
  .refine((value) => Object.keys(value).length === 1, {
    error: `must have exactly one of ${Object.keys(conditions).join(', ')}`,
  })
  .meta({
    id: 'EvaluatorRule',
    description: 'A condition, or a combination of conditions: exactly one field.',
    example: { all: [{ messages: { lte: 4 } }, { not: { contains: 'sorry' } }] },
    minProperties: 1,
    maxProperties: 1,
  });

const isList = (value: unknown): value is unknown[] => Array.isArray(value);

export const rule = withinLimits(condition, {
  levels: maxRuleLevels,
  nodes: maxRuleNodes,
  childrenOf: ({ all, any, not }) => [
    ...(isList(all) ? all.slice(0, maxRuleNodes + 1) : []),
    ...(isList(any) ? any.slice(0, maxRuleNodes + 1) : []),
    ...(not === undefined ? [] : [not]),
  ],
  refuse: (nodes) =>
    nodes.filter((one) => Object.hasOwn(one, 'matches')).length > maxPatterns
      ? `must have at most ${maxPatterns} regular expressions`
      : undefined,
}).meta({ description: 'At most 10 levels, 50 nodes, and 10 regular expressions.' });

type Path = (string | number)[];
export type SentPattern = { path: Path; source: string };

/** @returns the regular expressions of a rule. `faultsOf` checks them: only few functions have the library. */
export const patternsOf = ({ all = [], any = [], not, matches }: Rule, path: Path = []): SentPattern[] => [
  ...all.flatMap((child, index) => patternsOf(child, [...path, 'all', index])),
  ...any.flatMap((child, index) => patternsOf(child, [...path, 'any', index])),
  ...(not ? patternsOf(not, [...path, 'not']) : []),
  ...(typeof matches === 'string' ? [{ path: [...path, 'matches'], source: matches }] : []),
  ...(typeof matches === 'object'
    ? [{ path: [...path, 'matches', 'pattern'], source: matches.pattern }]
    : []),
];
