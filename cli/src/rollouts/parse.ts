/** The options of a rollout that have several parts: steps such as `10:60m`, and guards such as `solved:higher:0.05`. */

import type { RolloutGuardInput, RolloutStep } from '../../../clients/typescript/src/index.ts';
import { usageError } from '../errors.ts';

/** @returns a percent with at most two decimals; undefined if the text is no such number */
function percentOf(text: string): number | undefined {
  if (!/^\d{1,2}(\.\d{1,2})?$/.test(text)) return undefined;
  const percent = Number(text);
  return percent > 0 ? percent : undefined;
}

/** Parses `--percent`. @throws CliError if it is no percent */
export function percentFrom(text: string): number {
  const percent = percentOf(text);
  if (percent !== undefined) return percent;
  throw usageError('--percent must be a number from 0.01 to 99.99, with at most two decimals.');
}

const minutesIn = { m: 1, min: 1, h: 60, d: 24 * 60 };

const holdPattern = /^(\d{1,6})(m|min|h|d)$/;

/**
 * @param text a percent, and how long it is held: `10:60m`, `25:2h`, `50:1d` or `50:pause`
 * @throws CliError if the text has another form
 */
export function stepFrom(text: string): RolloutStep {
  const [percentText = '', hold = '', ...more] = text.split(':');
  const percent = percentOf(percentText);
  const [, count, unit] = holdPattern.exec(hold) ?? [];
  if (percent !== undefined && more.length === 0) {
    if (hold === 'pause') return { percent, pause: true };
    if (unit === 'm' || unit === 'min' || unit === 'h' || unit === 'd')
      return { percent, holdMinutes: Number(count) * minutesIn[unit] };
  }
  throw usageError(
    `--step must be a percent, and how long it is held, or pause, such as 10:60m, 25:1h, 50:2d or 50:pause: ${text}`,
  );
}

/** A number of a guard. The API checks its bounds. */
const numberPattern = /^\d{1,10}(\.\d{1,12})?$/;

/** The further parts of a guard that are numbers, and their fields. */
const guardNumbers: Readonly<Record<string, 'minimum' | 'maxUnknown'>> = {
  minimum: 'minimum',
  'max-unknown': 'maxUnknown',
};

/**
 * @param text the score, which values are better, and the harm that is allowed: `solved:higher:0.05`. Then `minimum=100`,
 * `max-unknown=0.1` and `value=positive`. `value` comes last, because a category may have a colon
 * @throws CliError if the text has another form
 */
export function guardFrom(text: string): RolloutGuardInput {
  const refuse = (problem: string) =>
    usageError(
      `--guard ${problem}: ${text}`,
      'A guard is NAME:higher|lower:MAX_HARM, such as solved:higher:0.05. Then, if needed: :minimum=100, :max-unknown=0.1, :value=CATEGORY.',
    );
  const [, score, better, harm, rest = ''] = /^([^:]+):([^:]+):([^:]+)(:.*)?$/s.exec(text) ?? [];
  if (score === undefined || harm === undefined) throw refuse('needs three parts');
  if (better !== 'higher' && better !== 'lower') throw refuse('says with higher or lower what is better');
  if (!numberPattern.test(harm)) throw refuse('needs a number, such as 0.05, as its third part');
  const guard: RolloutGuardInput = { score, better, maxHarm: Number(harm) };
  const [, others = '', value] = /^(.*?)(?::value=(.*))?$/s.exec(rest) ?? [];
  if (value !== undefined) guard.value = value;
  for (const part of others.split(':').slice(1)) {
    const [name = '', number = ''] = part.split('=');
    const field = Object.hasOwn(guardNumbers, name) ? guardNumbers[name] : undefined;
    if (field === undefined) throw refuse(`has no part ${JSON.stringify(name)}`);
    if (!numberPattern.test(number)) throw refuse(`needs a number for ${name}`);
    guard[field] = Number(number);
  }
  return guard;
}
