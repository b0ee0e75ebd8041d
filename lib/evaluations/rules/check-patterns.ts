/** Checks the regular expressions of a rule. This file is loaded on demand, because the library of RE2 is larger than the rest of an endpoint. */

import { compilePattern } from './pattern.ts';
import { maxPatternSteps } from './pattern-limits.ts';
import type { SentPattern } from './schema.ts';

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
