/** Whether a conversation meets a rule. A state takes its messages in pages, and keeps a bounded amount of them. Pure. */

import { maxEvidence } from '../../scores/score.ts';
import {
  Counts,
  FirstAnswer,
  LongestGap,
  Matches,
  type PatternMatch,
  PatternMatches,
  type ReadMessage,
  RepeatedAnswers,
  read,
  UnansweredQuestion,
  UserLanguage,
} from './facts.ts';
import { compilePattern } from './pattern.ts';
import { type Comparison, comparisons, type Rule } from './schema.ts';
import { foldText, type RuleMessage } from './texts.ts';

export type { RuleMessage } from './texts.ts';

/** What messages do not say. */
export type RuleContext = { readonly durationSeconds: number };

export type RuleResult =
  | {
      value: boolean;
      reason: null;
      /** The conditions that decided, such as `messages is 6, not lte 4`. */
      rationale: string;
      /** The `seq` of the messages that show it: at most 20, in order. */
      evidence: number[];
    }
  /** The work of the expressions would be more than `maxPatternWork`. */
  | { value: null; reason: 'transcript_too_long'; rationale: null; evidence: never[] };

const tooLong: RuleResult = { value: null, reason: 'transcript_too_long', rationale: null, evidence: [] };

export type RuleState = {
  /** Takes the next messages, in order. */
  add(messages: readonly RuleMessage[]): void;
  /** Whether the result is `transcript_too_long`, whatever follows. */
  isTooLong(): boolean;
  /** Ends the conversation, after its last message. */
  end(context: RuleContext): RuleResult;
};

/** Compiles the expressions of a rule once for many conversations. */
export function prepareRule(rule: Rule): () => RuleState {
  const { tests, patterns, fields } = needsOf(rule);
  return () => {
    const facts = new Facts(tests, patterns, fields);
    return {
      add(messages) {
        for (const message of messages) facts.add(read(message));
      },
      isTooLong: () => facts.patternMatches.isTooLong,
      end(context) {
        if (facts.patternMatches.isTooLong) return tooLong;
        const { value, reasons, seqs } = judge(rule, facts, context);
        const evidence = [...new Set(seqs)].sort((a, b) => a - b).slice(0, maxEvidence);
        return { value, reason: null, rationale: rationaleOf(reasons), evidence };
      },
    };
  };
}

type Test = (message: ReadMessage) => boolean;
type PatternTest = { steps: number; test: Test };

/** The same condition in several places of a rule is tested once. */
const keyOf = (condition: Rule): string => JSON.stringify(condition);

type Needs = {
  /** The tests of texts, by condition. */
  tests: Map<string, Test>;
  /** The tests that match regular expressions, which take long. */
  patterns: Map<string, PatternTest>;
  /** The fields of all conditions. */
  fields: Set<string>;
};

function needsOf(rule: Rule): Needs {
  const tests = new Map<string, Test>();
  const patterns = new Map<string, PatternTest>();
  const fields = new Set<string>();
  const visit = (condition: Rule): void => {
    const { all = [], any = [], not } = condition;
    for (const child of [...all, ...any, ...(not ? [not] : [])]) visit(child);
    for (const field of Object.keys(condition)) fields.add(field);
    if (condition.contains !== undefined) tests.set(keyOf(condition), containsTest(condition.contains));
    if (condition.matches !== undefined) patterns.set(keyOf(condition), patternTest(condition.matches));
  };
  visit(rule);
  return { tests, patterns, fields };
}

function containsTest(contains: NonNullable<Rule['contains']>): Test {
  const { text, role } = typeof contains === 'string' ? { text: contains } : contains;
  const foldedText = foldText(text);
  return (message) => isOf(role, message) && message.folded().includes(foldedText);
}

function patternTest(matches: NonNullable<Rule['matches']>): PatternTest {
  const { pattern, role } = typeof matches === 'string' ? { pattern: matches } : matches;
  const compiled = compilePattern(pattern);
  if (typeof compiled === 'string') throw new Error(`The expression of a stored rule ${compiled}.`);
  // `test` builds an automaton, which takes ten times as long as `find` for the slowest expressions.
  const test: Test = (message) => isOf(role, message) && compiled.matcher(message.message.text).find();
  return { steps: compiled.programSize(), test };
}

const isOf = (role: RuleMessage['role'] | undefined, { message }: ReadMessage): boolean =>
  role === undefined || message.role === role;

class Facts {
  readonly counts = new Counts();
  readonly firstAnswer = new FirstAnswer();
  readonly longestGap = new LongestGap();
  readonly unanswered = new UnansweredQuestion();
  readonly citations = new Matches(
    ({ message }) => message.role === 'avatar' && message.citations.length > 0,
  );
  readonly repeatedAnswers = new RepeatedAnswers();
  readonly userLanguage = new UserLanguage();
  readonly patternMatches: PatternMatches;
  readonly #matchesByCondition: ReadonlyMap<string, Matches>;
  readonly #facts: readonly { add(message: ReadMessage): void }[];

  constructor(
    tests: ReadonlyMap<string, Test>,
    patterns: ReadonlyMap<string, PatternTest>,
    fields: ReadonlySet<string>,
  ) {
    const textMatches = [...tests].map(([key, test]) => [key, new Matches(test)] as const);
    const patternMatches = [...patterns].map(([key, { steps, test }]): [string, PatternMatch] => [
      key,
      { steps, matches: new Matches(test) },
    ]);
    this.patternMatches = new PatternMatches(patternMatches.map(([, found]) => found));
    this.#matchesByCondition = new Map([
      ...textMatches,
      ...patternMatches.map(([key, { matches }]) => [key, matches] as const),
    ]);
    this.#facts = [
      this.counts,
      this.firstAnswer,
      this.longestGap,
      this.unanswered,
      this.citations,
      ...(fields.has('repeatedAnswer') ? [this.repeatedAnswers] : []),
      ...(fields.has('language') ? [this.userLanguage] : []),
      ...textMatches.map(([, found]) => found),
      this.patternMatches,
    ];
  }

  add(message: ReadMessage): void {
    for (const fact of this.#facts) fact.add(message);
  }

  seqsOf(condition: Rule): readonly number[] {
    return this.#matchesByCondition.get(keyOf(condition))?.seqs ?? [];
  }
}

/** `reasons` and `seqs` are of the conditions that decided. */
type Verdict = { value: boolean; reasons: readonly string[]; seqs: readonly number[] };

function judge(rule: Rule, facts: Facts, context: RuleContext): Verdict {
  if (rule.all) return join(false, rule.all, facts, context);
  if (rule.any) return join(true, rule.any, facts, context);
  if (rule.not) {
    const { value, ...rest } = judge(rule.not, facts, context);
    return { value: !value, ...rest };
  }
  return judgeCondition(rule, facts, context);
}

/** One condition with the value `decisive` decides; without one, all do. */
function join(decisive: boolean, rules: readonly Rule[], facts: Facts, context: RuleContext): Verdict {
  const verdicts = rules.map((rule) => judge(rule, facts, context));
  const deciding = verdicts.filter(({ value }) => value === decisive);
  const value = deciding.length > 0 ? decisive : !decisive;
  const reasonsFor = deciding.length > 0 ? deciding : verdicts;
  return {
    value,
    reasons: reasonsFor.flatMap(({ reasons }) => reasons),
    seqs: reasonsFor.flatMap(({ seqs }) => seqs),
  };
}

function judgeCondition(rule: Rule, facts: Facts, context: RuleContext): Verdict {
  const { contains, matches, messages, firstAnswerSeconds, longestGapSeconds, language } = rule;
  if (contains !== undefined) {
    const { text, role } = typeof contains === 'string' ? { text: contains } : contains;
    const seqs = facts.seqsOf(rule);
    const verb = seqs.length > 0 ? 'contains' : 'does not contain';
    return verdict(seqs.length > 0, `${subject(role)} ${verb} ${quote(text)}`, seqs);
  }
  if (matches !== undefined) {
    const { pattern, role } = typeof matches === 'string' ? { pattern: matches } : matches;
    const seqs = facts.seqsOf(rule);
    const verb = seqs.length > 0 ? 'matches' : 'does not match';
    return verdict(seqs.length > 0, `${subject(role)} ${verb} ${quote(pattern)}`, seqs);
  }
  if (messages) {
    const { role, ...comparison } = messages;
    const count = role ? (facts.counts.byRole.get(role) ?? 0) : facts.counts.all;
    return compare(role ? `messages of role ${role}` : 'messages', count, comparison);
  }
  if (rule.durationSeconds) return compare('durationSeconds', context.durationSeconds, rule.durationSeconds);
  if (firstAnswerSeconds) {
    const { seconds, seqs } = facts.firstAnswer;
    return compare('firstAnswerSeconds', seconds, firstAnswerSeconds, seqs);
  }
  if (longestGapSeconds) {
    const { seconds, seqs } = facts.longestGap;
    return compare('longestGapSeconds', seconds, longestGapSeconds, seqs);
  }
  if (language !== undefined) {
    const actual = facts.userLanguage.language;
    const isWanted = actual === language;
    return verdict(isWanted, `language is ${actual ?? 'unknown'}${isWanted ? '' : `, not ${language}`}`);
  }
  return judgeFact(rule, facts);
}

function judgeFact({ unansweredQuestion, citations, repeatedAnswer }: Rule, facts: Facts): Verdict {
  const verdictOn = (expected: boolean, name: string, seqs: readonly number[]) =>
    verdict(seqs.length > 0 === expected, `${name} is ${seqs.length > 0}`, seqs);
  if (unansweredQuestion !== undefined)
    return verdictOn(unansweredQuestion, 'unansweredQuestion', facts.unanswered.seqs);
  if (citations !== undefined) return verdictOn(citations, 'citations', facts.citations.seqs);
  if (repeatedAnswer !== undefined)
    return verdictOn(repeatedAnswer, 'repeatedAnswer', facts.repeatedAnswers.seqs);
  throw new Error('A condition of a rule is unknown.');
}

const verdict = (value: boolean, reason: string, seqs: readonly number[] = []): Verdict => ({
  value,
  reasons: [reason],
  seqs,
});

const tests: Readonly<Record<keyof Comparison, (value: number, wanted: number) => boolean>> = {
  eq: (value, wanted) => value === wanted,
  ne: (value, wanted) => value !== wanted,
  gt: (value, wanted) => value > wanted,
  gte: (value, wanted) => value >= wanted,
  lt: (value, wanted) => value < wanted,
  lte: (value, wanted) => value <= wanted,
};

/** @param value undefined if it is unknown: then no comparison holds */
function compare(
  name: string,
  value: number | undefined,
  comparison: Comparison,
  seqs: readonly number[] = [],
): Verdict {
  if (value === undefined) return verdict(false, `${name} is unknown`);
  const results = comparisons.flatMap((one) => {
    const bound = comparison[one];
    return bound === undefined ? [] : [{ words: `${one} ${bound}`, holds: tests[one](value, bound) }];
  });
  const failures = results.filter(({ holds }) => !holds);
  const shown = failures.length > 0 ? failures : results;
  const words = shown.map(({ words }) => words).join(' and ');
  return verdict(
    failures.length === 0,
    `${name} is ${value}, ${failures.length > 0 ? 'not ' : ''}${words}`,
    seqs,
  );
}

const maxQuoteLength = 60;
const quote = (text: string): string =>
  JSON.stringify(text.length > maxQuoteLength ? `${text.slice(0, maxQuoteLength).toWellFormed()}…` : text);

/** @returns the words for the messages that a condition is about */
const subject = (role: RuleMessage['role'] | undefined): string =>
  role ? `a message of role ${role}` : 'a message';

const maxReasons = 5;

function rationaleOf(reasons: readonly string[]): string {
  const all = [...new Set(reasons)];
  const more = all.length - maxReasons;
  return `${all.slice(0, maxReasons).join('; ')}${more > 0 ? `; and ${more} more` : ''}`;
}
