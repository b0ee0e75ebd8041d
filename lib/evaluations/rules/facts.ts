/** What rules ask about a conversation. Each fact takes the messages in order and keeps a bounded amount. Pure. */

import { hash } from 'node:crypto';
import { maxEvidence } from '../../scores/score.ts';
import { folded } from './fold.ts';
import { languageOf, maxLanguageText } from './language.ts';
import type { RuleMessage } from './message.ts';

/** A message whose folded text is made once, if anything needs it. */
export type ReadMessage = { message: RuleMessage; folded(): string };

export function read(message: RuleMessage): ReadMessage {
  let text: string | undefined;
  return {
    message,
    folded() {
      text ??= folded(message.text);
      return text;
    },
  };
}

/** The messages that a test is true for: the first of them. */
export class Found {
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

/** What the regular expressions of a rule read of a conversation, in UTF-16 code units. */
export const maxPatternText = 1_000_000;

/** The messages that match regular expressions. They are slow, so they read a bounded text. */
export class Matched {
  #left = maxPatternText;
  readonly #patterns: readonly Found[];

  constructor(patterns: readonly Found[]) {
    this.#patterns = patterns;
  }

  get isTooLong(): boolean {
    return this.#left < 0;
  }

  add(message: ReadMessage): void {
    const open = this.#patterns.filter(({ isComplete }) => !isComplete);
    if (open.length === 0 || this.isTooLong) return;
    this.#left -= message.message.text.length;
    if (this.isTooLong) return;
    for (const pattern of open) pattern.add(message);
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
  #asked: RuleMessage | undefined;
  seconds: number | undefined;
  seqs: number[] = [];

  add({ message }: ReadMessage): void {
    if (this.seconds !== undefined) return;
    if (message.role === 'user') this.#asked ??= onlyTime(message);
    if (message.role !== 'avatar' || !this.#asked) return;
    this.seconds = secondsBetween(this.#asked.at, message.at);
    this.seqs = [this.#asked.seq, message.seq];
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

/** Without its text, which may be long. */
const onlyTime = ({ seq, role, at }: RuleMessage): RuleMessage => ({
  seq,
  role,
  at,
  text: '',
  citations: [],
});

export class Unanswered {
  /** The last message of the user, if no answer follows it. */
  seqs: number[] = [];

  add({ message: { role, seq } }: ReadMessage): void {
    if (role === 'user') this.seqs = [seq];
    if (role === 'avatar') this.seqs = [];
  }
}

/** Answers that are further apart than twice this number are not compared. */
const maxAnswers = 10_000;

export class Repeated {
  #recent = new Map<string, number>();
  #older: ReadonlyMap<string, number> = new Map();
  readonly #found = new Set<number>();

  /** Both answers of each repetition. */
  get seqs(): number[] {
    return [...this.#found];
  }

  add({ message: { role, seq }, folded }: ReadMessage): void {
    if (role !== 'avatar' || this.#found.size >= maxEvidence) return;
    const text = folded().replace(/\s+/g, ' ').trim();
    if (text === '') return;
    const key = hash('sha256', text, 'base64');
    const first = this.#recent.get(key) ?? this.#older.get(key);
    if (first !== undefined) this.#found.add(first).add(seq);
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
    const free = maxLanguageText - this.#text.length;
    if (role === 'user' && free > 0) this.#text += `${text.slice(0, free)}\n`;
  }
}
