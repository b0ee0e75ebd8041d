/** Reads the value of a score as people type or choose it. The API checks whether the value fits the evaluator. */

import type { ScoreOutput } from '../../../../clients/typescript/src/index.ts';

export type ReadValue = { value: unknown } | { problem: string };

/** @returns the value to send */
export function readValue({ type }: Pick<ScoreOutput, 'type'>, text: string): ReadValue {
  if (type === 'text' || type === 'category') return { value: text };
  if (type === 'boolean' && text === '') return { problem: 'must be chosen' };
  try {
    return { value: JSON.parse(text) as unknown };
  } catch (error) {
    return { problem: type === 'number' ? 'must be a number' : `is no JSON: ${(error as Error).message}` };
  }
}

/** @returns the numbers of messages in a text; undefined if the text has something else */
export function seqsIn(text: string): number[] | undefined {
  const words = text.split(/[\s,;]+/).map((word) => word.replace(/^#/, ''));
  const numbers = words.filter(Boolean).map(Number);
  return numbers.every((one) => Number.isInteger(one) && one > 0) ? [...new Set(numbers)] : undefined;
}
