/** Values of scores: whether they fit the output of the evaluator, and which slot of statistics they count in. Pure. */

import { isVisible, refuseHidden } from '../schema/text.ts';
import { mismatch } from './mismatch.ts';
import type { Output } from './output.ts';
import { maxTextValue } from './score.ts';

/** The limit of a value as JSON. */
export const maxValueBytes = 16 * 1024;

/** @returns why it is not a value of the output, such as `must be at most 5`; undefined if it is one */
export function checkValue(output: Output, value: unknown): string | undefined {
  switch (output.type) {
    case 'boolean':
      return typeof value === 'boolean' ? undefined : 'must be true or false';
    case 'number':
      if (typeof value !== 'number' || !Number.isFinite(value)) return 'must be a number';
      if (value < output.min) return `must be at least ${output.min}`;
      return value > output.max ? `must be at most ${output.max}` : undefined;
    case 'category':
      return typeof value === 'string' && output.values.includes(value)
        ? undefined
        : `must be one of ${output.values.join(', ')}`;
    case 'text':
      return checkText(value);
    case 'object':
      return mismatch(output.schema, value) ?? checkSize(value);
  }
}

function checkText(value: unknown): string | undefined {
  if (typeof value !== 'string') return 'must be text';
  if (!value.isWellFormed()) return 'must be well-formed Unicode';
  if (value.length > 2 * maxTextValue || [...value].length > maxTextValue)
    return `must be at most ${maxTextValue} characters`;
  if (!isVisible(value)) return value === '' ? 'must not be empty' : 'must not be blank';
  return refuseHidden(value);
}

/** The value must match its schema, which limits how deep it is nested. */
const checkSize = (value: unknown): string | undefined =>
  Buffer.byteLength(JSON.stringify(value)) > maxValueBytes
    ? `must be at most ${maxValueBytes} bytes as JSON`
    : undefined;

const ranges = 10;

/** Whether statistics count each whole number. Between 0 and 1 there would be too few. */
const hasSlotPerInteger = (min: number, max: number): boolean =>
  Number.isInteger(min) && Number.isInteger(max) && max - min >= 2 && max - min <= ranges;

/**
 * @param value a value of the output
 * @returns the number of its slot, 0 to 19. A number counts for the nearest whole number, if these have slots, or else for one of
 *   ten ranges: a bound belongs to the range above it, except the highest
 */
export function slotOf(output: Output, value: unknown): number {
  switch (output.type) {
    case 'boolean':
      return value === true ? 1 : 0;
    case 'number':
      return typeof value === 'number' ? slotOfNumber(output, value) : 0;
    case 'category':
      return typeof value === 'string' ? Math.max(0, output.values.indexOf(value)) : 0;
    default:
      return 0;
  }
}

function slotOfNumber({ min, max }: { min: number; max: number }, value: number): number {
  if (hasSlotPerInteger(min, max)) return within(Math.round(value) - min, max - min);
  const bounds = boundsOf(min, max);
  const above = bounds.findIndex((bound) => value < bound);
  return within(above === -1 ? ranges - 1 : above - 1, ranges - 1);
}

const within = (slot: number, last: number): number => Math.min(last, Math.max(0, slot));

/** @returns the eleven bounds of the ten ranges, as statistics show them */
const boundsOf = (min: number, max: number): number[] =>
  Array.from({ length: ranges + 1 }, (_, index) =>
    Number((min + ((max - min) * index) / ranges).toPrecision(12)),
  );

/** @returns what the slots are called in statistics, each once: `true`, a category, a whole number, or a range such as `0-10` */
export function slotKeys(output: Output): string[] {
  switch (output.type) {
    case 'boolean':
      return ['false', 'true'];
    case 'category':
      return [...output.values];
    case 'number': {
      const { min, max } = output;
      if (hasSlotPerInteger(min, max))
        return Array.from({ length: max - min + 1 }, (_, index) => String(min + index));
      const bounds = boundsOf(min, max);
      return bounds.slice(1).map((bound, index) => `${bounds[index]}-${bound}`);
    }
    default:
      return ['any'];
  }
}
