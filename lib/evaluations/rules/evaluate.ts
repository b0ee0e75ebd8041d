/** Whether a conversation meets a rule. Takes its messages in pages, and keeps a bounded amount of them. Pure. */

import { maxEvidence } from '../../scores/score.ts';
import {
  Counts,
  FirstAnswer,
  Found,
  LongestGap,
  Matched,
  type ReadMessage,
  Repeated,
  read,
  Unanswered,
  UserLanguage,
} from './facts.ts';
import { folded } from './fold.ts';
import type { RuleMessage } from './message.ts';
import { compilePattern } from './pattern.ts';
import { type Comparison, comparisons, type Rule } from './schema.ts';

export type { RuleMessage } from './message.ts';

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
  /** Its expressions would have to read more than `maxPatternText`. */
  | { value: null; reason: 'transcript_too_long'; rationale: null; evidence: never[] };

const tooLong: RuleResult = { value: null, reason: 'transcript_too_long', rationale: null, evidence: [] };

export type RuleState = {
  /** Takes the next messages, in order. */
  add(messages: readonly RuleMessage[]): void;
  /** After the last message. */
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
      end(context) {
        if (facts.matched.isTooLong) return tooLong;
        const { value, reasons, seqs } = judge(rule, facts, context);
        const evidence = [...new Set(seqs)].sort((a, b) => a - b).slice(0, maxEvidence);
        return { value, reason: null, rationale: rationaleOf(reasons), evidence };
      },
    };
  };
}

type Test = (message: ReadMessage) => boolean;

/** The same condition in several places of a rule is tested once. */
const keyOf = (condition: Rule): string => JSON.stringify(condition);

type Needs = {
  /** Of texts, by condition. */
  tests: Map<string, Test>;
  /** Those that match regular expressions, which take long. */
  patterns: Map<string, Test>;
  /** Of all conditions. */
  fields: Set<string>;
};

function needsOf(rule: Rule): Needs {
  const tests = new Map<string, Test>();
  const patterns = new Map<string, Test>();
  const fields = new Set<string>();
  const visit = (condition: Rule): void => {
    const { all = [], any = [], not } = condition;
    for (const child of [...all, ...any, ...(not ? [not] : [])]) visit(child);
    for (const field of Object.keys(condition)) fields.add(field);
    const test = testOf(condition);
    if (test) (condition.matches === undefined ? tests : patterns).set(keyOf(condition), test);
  };
  visit(rule);
  return { tests, patterns, fields };
}

function testOf({ contains, matches }: Rule): Test | undefined {
  if (contains !== undefined) {
    const { text, role } = typeof contains === 'string' ? { text: contains } : contains;
    const wanted = folded(text);
    return (message) => isOf(role, message) && message.folded().includes(wanted);
  }
  if (matches !== undefined) {
    const { pattern, role } = typeof matches === 'string' ? { pattern: matches } : matches;
    const compiled = compilePattern(pattern);
    if (typeof compiled === 'string') throw new Error(`The expression of a stored rule ${compiled}.`);
    return (message) => isOf(role, message) && compiled.test(message.message.text);
  }
  return undefined;
}

const isOf = (role: RuleMessage['role'] | undefined, { message }: ReadMessage): boolean =>
  role === undefined || message.role === role;

class Facts {
  readonly counts = new Counts();
  readonly firstAnswer = new FirstAnswer();
  readonly longestGap = new LongestGap();
  readonly unanswered = new Unanswered();
  readonly citations = new Found(({ message }) => message.role === 'avatar' && message.citations.length > 0);
  readonly repeated = new Repeated();
  readonly userLanguage = new UserLanguage();
  readonly matched: Matched;
  readonly #found: ReadonlyMap<string, Found>;
  readonly #all: readonly { add(message: ReadMessage): void }[];

  constructor(
    tests: ReadonlyMap<string, Test>,
    patterns: ReadonlyMap<string, Test>,
    fields: ReadonlySet<string>,
  ) {
    const foundBy = (some: ReadonlyMap<string, Test>) =>
      [...some].map(([key, test]) => [key, new Found(test)] as const);
    const [contained, matched] = [foundBy(tests), foundBy(patterns)];
    this.matched = new Matched(matched.map(([, found]) => found));
    this.#found = new Map([...contained, ...matched]);
    this.#all = [
      this.counts,
      this.firstAnswer,
      this.longestGap,
      this.unanswered,
      this.citations,
      ...(fields.has('repeatedAnswer') ? [this.repeated] : []),
      ...(fields.has('language') ? [this.userLanguage] : []),
      ...contained.map(([, found]) => found),
      this.matched,
    ];
  }

  add(message: ReadMessage): void {
    for (const fact of this.#all) fact.add(message);
  }

  found(condition: Rule): readonly number[] {
    return this.#found.get(keyOf(condition))?.seqs ?? [];
  }
}

/** `reasons` and `seqs` are of the conditions that decided. */
type Verdict = { value: boolean; reasons: readonly string[]; seqs: readonly number[] };

function judge(rule: Rule, facts: Facts, context: RuleContext): Verdict {
  if (rule.all) return joined(false, rule.all, facts, context);
  if (rule.any) return joined(true, rule.any, facts, context);
  if (rule.not) {
    const { value, ...rest } = judge(rule.not, facts, context);
    return { value: !value, ...rest };
  }
  return judgeCondition(rule, facts, context);
}

/** One condition with the value `decisive` decides; without one, all do. */
function joined(decisive: boolean, rules: readonly Rule[], facts: Facts, context: RuleContext): Verdict {
  const verdicts = rules.map((rule) => judge(rule, facts, context));
  const deciding = verdicts.filter(({ value }) => value === decisive);
  const value = deciding.length > 0 ? decisive : !decisive;
  const shown = deciding.length > 0 ? deciding : verdicts;
  return {
    value,
    reasons: shown.flatMap(({ reasons }) => reasons),
    seqs: shown.flatMap(({ seqs }) => seqs),
  };
}

function judgeCondition(rule: Rule, facts: Facts, context: RuleContext): Verdict {
  const { contains, matches, messages, firstAnswerSeconds, longestGapSeconds, language } = rule;
  if (contains !== undefined) {
    const { text, role } = typeof contains === 'string' ? { text: contains } : contains;
    const seqs = facts.found(rule);
    const verb = seqs.length > 0 ? 'contains' : 'does not contain';
    return verdict(seqs.length > 0, `${subject(role)} ${verb} ${quoted(text)}`, seqs);
  }
  if (matches !== undefined) {
    const { pattern, role } = typeof matches === 'string' ? { pattern: matches } : matches;
    const seqs = facts.found(rule);
    const verb = seqs.length > 0 ? 'matches' : 'does not match';
    return verdict(seqs.length > 0, `${subject(role)} ${verb} ${quoted(pattern)}`, seqs);
  }
  if (messages) {
    const { role, ...comparison } = messages;
    const count = role ? (facts.counts.byRole.get(role) ?? 0) : facts.counts.all;
    return compared(role ? `messages of role ${role}` : 'messages', count, comparison);
  }
  if (rule.durationSeconds) return compared('durationSeconds', context.durationSeconds, rule.durationSeconds);
  if (firstAnswerSeconds) {
    const { seconds, seqs } = facts.firstAnswer;
    return compared('firstAnswerSeconds', seconds, firstAnswerSeconds, seqs);
  }
  if (longestGapSeconds) {
    const { seconds, seqs } = facts.longestGap;
    return compared('longestGapSeconds', seconds, longestGapSeconds, seqs);
  }
  if (language !== undefined) {
    const found = facts.userLanguage.language;
    const isWanted = found === language;
    return verdict(isWanted, `language is ${found ?? 'unknown'}${isWanted ? '' : `, not ${language}`}`);
  }
  return judgeFact(rule, facts);
}

function judgeFact({ unansweredQuestion, citations, repeatedAnswer }: Rule, facts: Facts): Verdict {
  const is = (wanted: boolean, name: string, seqs: readonly number[]) =>
    verdict(seqs.length > 0 === wanted, `${name} is ${seqs.length > 0}`, seqs);
  if (unansweredQuestion !== undefined)
    return is(unansweredQuestion, 'unansweredQuestion', facts.unanswered.seqs);
  if (citations !== undefined) return is(citations, 'citations', facts.citations.seqs);
  if (repeatedAnswer !== undefined) return is(repeatedAnswer, 'repeatedAnswer', facts.repeated.seqs);
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

/** @param value undefined if there is none: then nothing holds */
function compared(
  name: string,
  value: number | undefined,
  comparison: Comparison,
  seqs: readonly number[] = [],
): Verdict {
  if (value === undefined) return verdict(false, `${name} is unknown`);
  const results = comparisons.flatMap((one) => {
    const wanted = comparison[one];
    return wanted === undefined ? [] : [{ words: `${one} ${wanted}`, holds: tests[one](value, wanted) }];
  });
  const failed = results.filter(({ holds }) => !holds);
  const shown = failed.length > 0 ? failed : results;
  const words = shown.map(({ words }) => words).join(' and ');
  return verdict(
    failed.length === 0,
    `${name} is ${value}, ${failed.length > 0 ? 'not ' : ''}${words}`,
    seqs,
  );
}

const maxQuoted = 60;
const quoted = (text: string): string =>
  JSON.stringify(text.length > maxQuoted ? `${text.slice(0, maxQuoted).toWellFormed()}…` : text);

/** Messages of which a condition speaks. */
const subject = (role: RuleMessage['role'] | undefined): string =>
  role ? `a message of role ${role}` : 'a message';

const maxReasons = 5;

/** @returns the first reasons, each once */
function rationaleOf(reasons: readonly string[]): string {
  const all = [...new Set(reasons)];
  const more = all.length - maxReasons;
  return `${all.slice(0, maxReasons).join('; ')}${more > 0 ? `; and ${more} more` : ''}`;
}
