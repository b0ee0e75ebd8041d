/**
 * Regular expressions of callers: RE2, which takes linear time. Endpoints load this file on demand, because the library of RE2 is
 * larger than the rest of an endpoint.
 */

import { RE2JS } from 're2js';
import type { SentPattern } from './schema.ts';
import { maxPatternSteps } from './texts.ts';

export const tooManySteps = `must be simpler: it has more than ${maxPatternSteps} steps, mostly because of counted repetitions`;

/** An expression with more parts takes too long to compile. A part can have several steps. */
const maxEstimate = 4 * maxPatternSteps;

/** @returns the expression; a text that says why there is none */
export function compilePattern(pattern: string): RE2JS | string {
  if (estimateSteps(pattern) > maxEstimate) return tooManySteps;
  try {
    const compiled = RE2JS.compile(pattern);
    return compiled.programSize() <= maxPatternSteps ? compiled : tooManySteps;
  } catch (error) {
    return error instanceof Error ? `is not valid: ${reasonIn(error.message)}` : 'is not valid';
  }
}

/** @returns `missing closing )` for "error parsing regexp: missing closing ): `(a`" */
const reasonIn = (message: string): string =>
  message.replace(/^error parsing regexp: /, '').replace(/: `.*$/s, '');

const repetitionPattern = /\{(\d+)(?:,(\d*))?\}/y;

/**
 * How large an expression becomes, before it is compiled: `(a{9}){9}` has 81 steps.
 * @returns about its number of characters and classes, with each repetition written out; any number if it is not valid
 */
export function estimateSteps(pattern: string): number {
  /** The sizes before each open group, outermost first. */
  const outerSizes: number[] = [];
  let size = 0;
  let lastSize = 0;
  for (let at = 0; at < pattern.length; ) {
    repetitionPattern.lastIndex = at;
    const [repetition, least, most] = repetitionPattern.exec(pattern) ?? [];
    if (repetition !== undefined) {
      const times = Math.max(1, Number(least), Number(most ?? 0));
      size += lastSize * (times - 1);
      lastSize *= times;
      at += repetition.length;
      continue;
    }
    const end = endOfAtom(pattern, at);
    if (pattern[at] === '(') {
      outerSizes.push(size);
      size = 0;
    } else if (pattern[at] === ')') {
      lastSize = size + 1;
      size = (outerSizes.pop() ?? 0) + lastSize;
    } else {
      // A class is one step, but a quoted text (\Q…\E) is one for each character.
      lastSize = pattern.startsWith('\\Q', at) ? end - at : 1;
      size += lastSize;
    }
    at = end;
  }
  return outerSizes.reduce((sum, one) => sum + one, size);
}

function endOfAtom(pattern: string, at: number): number {
  if (pattern.startsWith('\\Q', at)) return after('\\E', pattern, at);
  if (/^\\[pPx]\{/.test(pattern.slice(at, at + 3))) return after('}', pattern, at);
  if (pattern[at] === '\\') return at + 2;
  return pattern[at] === '[' ? endOfClass(pattern, at) : at + 1;
}

/** @param start the start of a class such as `[^]a-z\][:digit:]]`, in which a bracket at the start is a character */
function endOfClass(pattern: string, start: number): number {
  let at = start + (pattern[start + 1] === '^' ? 2 : 1);
  if (pattern[at] === ']') at += 1;
  while (at < pattern.length && pattern[at] !== ']') {
    if (pattern.startsWith('[:', at) && pattern.includes(':]', at)) at = after(':]', pattern, at);
    else at += pattern[at] === '\\' ? 2 : 1;
  }
  return at + 1;
}

const after = (end: string, pattern: string, at: number): number => {
  const index = pattern.indexOf(end, at + 1);
  return index === -1 ? pattern.length : index + end.length;
};

/** @returns what is wrong with the expressions of a rule. Each is compiled once, because that is slow */
export function faultsOf(patterns: readonly SentPattern[]): { path: SentPattern['path']; message: string }[] {
  let steps = 0;
  const faults = patterns.flatMap(({ path, source }) => {
    const compiled = compilePattern(source);
    if (typeof compiled === 'string') return [{ path, message: compiled }];
    steps += compiled.programSize();
    return [];
  });
  const message = `must have simpler regular expressions: together they have more than ${maxPatternSteps} steps`;
  return steps > maxPatternSteps ? [...faults, { path: [], message }] : faults;
}
