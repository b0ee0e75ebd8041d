/** The checks of texts, lists and numbers, and those that a function decides. */

import { Check, type Params, type Payload, refusePromise, rulesOf, withAddIssue } from './core.ts';
import type { Issue } from './issue.ts';

type Message = string | Params;

/** Adds an issue after which further checks run. */
function refuse(check: Check, payload: Payload, issue: Issue): void {
  payload.issues.push({ ...issue, input: payload.value, inst: check, continue: true });
}

const lengthIn = (value: unknown): unknown => (value as { length?: unknown } | null | undefined)?.length;

const hasLength = ({ value }: Payload): boolean => lengthIn(value) !== undefined;

/** No minimum. */
const none = Number.NEGATIVE_INFINITY;

/** A limit of a length. It also checks a value of another type that has a length, as zod does. */
export class LengthCheck extends Check {
  readonly minimum: number;
  readonly maximum: number;

  constructor(minimum: number, maximum: number, params?: Message) {
    super({ when: hasLength, ...rulesOf(params) });
    this.minimum = minimum;
    this.maximum = maximum;
  }

  check(payload: Payload): void {
    const { minimum, maximum } = this;
    const { value } = payload;
    const length = lengthOf(value, minimum, maximum);
    if (length >= minimum && length <= maximum) return;
    const origin = Array.isArray(value) ? 'array' : typeof value === 'string' ? 'string' : 'unknown';
    const isLong = minimum === none;
    const limit = isLong ? { code: 'too_big', maximum } : { code: 'too_small', minimum };
    refuse(this, payload, { origin, ...limit, inclusive: true });
  }
}

/** A text is measured in code points: one or two units each, so they are only counted where that may decide. */
function lengthOf(value: unknown, minimum: number, maximum: number): number {
  const units = lengthIn(value) as number;
  if (typeof value !== 'string') return units;
  return units > maximum || (units >= minimum && units < minimum * 2) ? codePoints(value) : units;
}

const highSurrogate = /[\uD800-\uDBFF]/;

function codePoints(text: string): number {
  let count = text.length;
  if (!highSurrogate.test(text)) return count;
  for (let index = 0; index < text.length - 1; index += 1) {
    if (isSurrogate(text, index, 0xd800) && isSurrogate(text, index + 1, 0xdc00)) {
      count -= 1;
      index += 1;
    }
  }
  return count;
}

const isSurrogate = (text: string, index: number, kind: 0xd800 | 0xdc00): boolean =>
  (text.charCodeAt(index) & 0xfc00) === kind;

export const minLength = (minimum: number, params?: Message) =>
  new LengthCheck(minimum, Number.POSITIVE_INFINITY, params);
export const maxLength = (maximum: number, params?: Message) => new LengthCheck(none, maximum, params);

/** A text must match. */
export class PatternCheck extends Check {
  readonly format: string;
  readonly pattern: RegExp;

  constructor(format: string, pattern: RegExp, params?: Message) {
    super(rulesOf(params));
    this.format = format;
    this.pattern = pattern;
  }

  check(payload: Payload): void {
    const { format, pattern } = this;
    // Otherwise a global pattern would go on where it last matched.
    pattern.lastIndex = 0;
    if (pattern.test(payload.value as string)) return;
    refuse(this, payload, { origin: 'string', code: 'invalid_format', format, pattern: String(pattern) });
  }
}

/** A number has a limit. */
class LimitCheck extends Check {
  readonly limit: number;
  readonly kind: 'gt' | 'gte' | 'lte';

  constructor(kind: 'gt' | 'gte' | 'lte', limit: number, params?: Message) {
    super(rulesOf(params));
    this.kind = kind;
    this.limit = limit;
  }

  check(payload: Payload): void {
    const { kind, limit } = this;
    const value = payload.value as number;
    if (kind === 'lte' ? value <= limit : kind === 'gt' ? value > limit : value >= limit) return;
    const bound =
      kind === 'lte' ? { code: 'too_big', maximum: limit } : { code: 'too_small', minimum: limit };
    refuse(this, payload, { origin: 'number', ...bound, inclusive: kind !== 'gt' });
  }
}

export const gt = (limit: number, params?: Message) => new LimitCheck('gt', limit, params);
export const gte = (limit: number, params?: Message) => new LimitCheck('gte', limit, params);
export const lte = (limit: number, params?: Message) => new LimitCheck('lte', limit, params);

/** A number is whole, and each whole number near it is another one. */
export class WholeCheck extends Check {
  constructor(params?: Message) {
    super(rulesOf(params));
  }

  check(payload: Payload): void {
    const value = payload.value as number;
    if (Number.isSafeInteger(value)) return;
    if (!Number.isInteger(value)) {
      const issue = { code: 'invalid_type', expected: 'int', format: 'safeint', continue: false };
      payload.issues.push({ ...issue, input: value, inst: this });
      return;
    }
    const limit =
      value > 0
        ? { code: 'too_big', maximum: Number.MAX_SAFE_INTEGER }
        : { code: 'too_small', minimum: Number.MIN_SAFE_INTEGER };
    const note = 'Integers must be within the safe integer range.';
    refuse(this, payload, { ...limit, note, origin: 'int', inclusive: true });
  }
}

/** A number is a multiple, within what floating point numbers can tell. */
export class MultipleCheck extends Check {
  readonly divisor: number;

  constructor(divisor: number, params?: Message) {
    super(rulesOf(params));
    this.divisor = divisor;
  }

  check(payload: Payload): void {
    const { divisor } = this;
    const ratio = (payload.value as number) / divisor;
    const distance = Math.abs(ratio - Math.round(ratio));
    if (distance < 4 * Number.EPSILON * Math.max(Math.abs(ratio), 1)) return;
    refuse(this, payload, { origin: 'number', code: 'not_multiple_of', divisor });
  }
}

type Test = (value: never) => unknown;

/** A function decides. */
export class TestCheck extends Check {
  readonly test: Test;
  readonly path: readonly PropertyKey[];
  readonly ends: boolean;

  /** @param ends whether no further check runs if the function refuses a value */
  constructor(test: Test, params?: Message, ends = false) {
    const rules = rulesOf(params);
    super(rules);
    this.test = test;
    this.path = rules.path ?? [];
    this.ends = ends;
  }

  check(payload: Payload): void {
    const { value } = payload;
    const isValid = this.test(value as never);
    refusePromise(isValid);
    if (isValid) return;
    const issue = { code: 'custom', path: [...this.path], continue: !this.ends };
    payload.issues.push({ ...issue, input: value, inst: this });
  }
}

export const refine = (test: Test, params?: Message) => new TestCheck(test, params);

type Refinement = (value: never, context: Payload) => unknown;

/** A function adds issues. */
export class RefinementCheck extends Check {
  readonly refinement: Refinement;

  constructor(refinement: Refinement) {
    super({});
    this.refinement = refinement;
  }

  check(payload: Payload): unknown {
    const context = withAddIssue(payload, { inst: this, continue: true });
    return this.refinement(payload.value as never, context);
  }
}

/** A function replaces the value. */
export class OverwriteCheck extends Check {
  readonly overwrite: (value: never) => unknown;

  constructor(overwrite: (value: never) => unknown) {
    super({});
    this.overwrite = overwrite;
  }

  check(payload: Payload): void {
    payload.value = this.overwrite(payload.value as never);
  }
}
