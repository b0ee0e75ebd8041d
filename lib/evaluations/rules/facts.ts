/** What rules ask about a conversation. Each fact takes the messages in order and keeps a bounded amount. Pure. */

import { hash } from 'node:crypto';
import { maxEvidence } from '../../scores/score.ts';
import { languageOf, maxLanguageText } from './language.ts';
import { foldText, maxPatternWork, type RuleMessage } from './texts.ts';

/** A message whose folded text is made once, if anything needs it. */
export type ReadMessage = { message: RuleMessage; folded(): string };

export function read(message: RuleMessage): ReadMessage {
  let text: string | undefined;
  return {
    message,
    folded() {
      text ??= foldText(message.text);
      return text;
    },
  };
}

/** The first messages for which a test is true. */
export class Matches {
  readonly seqs: number[] = [];
  readonly #test: (message: ReadMessage) => boolean;

  constructor(test: (message: ReadMessage) => boolean) {
    this.#test = test;
  }

  get isComplete(): boolean {
    return this.seqs.length >= maxEvidence;
  }

  add(message: ReadMessage): void {
    if (!this.isComplete && this.#test(message)) this.seqs.push(message.message.seq);
  }
}

/** The messages that match a regular expression, which has so many steps. */
export type PatternMatch = { steps: number; matches: Matches };

/** The messages that match the regular expressions of a rule, which do a bounded work because they are slow. */
export class PatternMatches {
  #workLeft = maxPatternWork;
  readonly #patterns: readonly PatternMatch[];

  constructor(patterns: readonly PatternMatch[]) {
    this.#patterns = patterns;
  }

  get isTooLong(): boolean {
    return this.#workLeft < 0;
  }

  add(message: ReadMessage): void {
    const patterns = this.#patterns.filter(({ matches }) => !matches.isComplete);
    const steps = patterns.reduce((sum, pattern) => sum + pattern.steps, 0);
    if (steps === 0 || this.isTooLong) return;
    this.#workLeft -= steps * message.message.text.length;
    if (this.isTooLong) return;
    for (const { matches } of patterns) matches.add(message);
  }
}

export class Counts {
  all = 0;
  readonly byRole = new Map<RuleMessage['role'], number>();

  add({ message: { role } }: ReadMessage): void {
    this.all += 1;
    this.byRole.set(role, (this.byRole.get(role) ?? 0) + 1);
  }
}

const secondsBetween = (from: string, to: string): number =>
  Math.max(0, (Date.parse(to) - Date.parse(from)) / 1000);

export class FirstAnswer {
  #question: RuleMessage | undefined;
  seconds: number | undefined;
  seqs: number[] = [];

  add({ message }: ReadMessage): void {
    if (this.seconds !== undefined) return;
    if (message.role === 'user') this.#question ??= onlyTime(message);
    if (message.role !== 'avatar' || !this.#question) return;
    this.seconds = secondsBetween(this.#question.at, message.at);
    this.seqs = [this.#question.seq, message.seq];
  }
}

export class LongestGap {
  #previous: RuleMessage | undefined;
  seconds = 0;
  seqs: number[] = [];

  add({ message }: ReadMessage): void {
    const seconds = this.#previous ? secondsBetween(this.#previous.at, message.at) : 0;
    if (this.#previous && seconds > this.seconds) {
      this.seconds = seconds;
      this.seqs = [this.#previous.seq, message.seq];
    }
    this.#previous = onlyTime(message);
  }
}

/** @returns the message without its text, which may be long */
const onlyTime = ({ seq, role, at }: RuleMessage): RuleMessage => ({
  seq,
  role,
  at,
  text: '',
  citations: [],
});

export class UnansweredQuestion {
  /** The last message of the user, if no answer follows it. */
  seqs: number[] = [];

  add({ message: { role, seq } }: ReadMessage): void {
    if (role === 'user') this.seqs = [seq];
    if (role === 'avatar') this.seqs = [];
  }
}

/** Answers that are further apart than twice this number are not compared. */
const maxAnswers = 10_000;

export class RepeatedAnswers {
  #recent = new Map<string, number>();
  #older: ReadonlyMap<string, number> = new Map();
  readonly #seqs = new Set<number>();

  /** Both answers of each repetition. */
  get seqs(): number[] {
    return [...this.#seqs];
  }

  add({ message: { role, seq }, folded }: ReadMessage): void {
    if (role !== 'avatar' || this.#seqs.size >= maxEvidence) return;
    const text = folded().replace(/\s+/g, ' ').trim();
    if (text === '') return;
    const key = hash('sha256', text, 'base64');
    const first = this.#recent.get(key) ?? this.#older.get(key);
    if (first !== undefined) this.#seqs.add(first).add(seq);
    if (this.#recent.size >= maxAnswers) {
      this.#older = this.#recent;
      this.#recent = new Map();
    }
    this.#recent.set(key, first ?? seq);
  }
}

export class UserLanguage {
  #text = '';

  /** Undefined if the user has written too little. */
  get language(): string | undefined {
    return languageOf(this.#text);
  }

  add({ message: { role, text } }: ReadMessage): void {
    const freeLength = maxLanguageText - this.#text.length;
    if (role === 'user' && freeLength > 0) this.#text += `${text.slice(0, freeLength)}\n`;
  }
}
