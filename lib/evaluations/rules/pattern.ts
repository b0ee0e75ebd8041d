/** Regular expressions of callers: RE2, which takes linear time. */

import { RE2JS } from 're2js';
import { maxPatternSteps } from './pattern-limits.ts';
import { estimateSteps } from './pattern-size.ts';

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
