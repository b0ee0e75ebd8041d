/** Whether a result of a map is a conversation that the service imports. The service reads a line with the same function. Pure. */

import { fileLimits } from '../../../../lib/bulk/imports/lines.ts';
import { LineProblem, readLine } from '../../../../lib/bulk/imports/read-line.ts';
import { checkValue } from '../../../../lib/scores/value.ts';
import { type ScoreValue, scoreTypeFits } from '../score-values.ts';
import type { Conversation, MapOptions, Shortened } from './converted.ts';
import { shorten } from './shorten.ts';

/** Stands for the avatar, whose id is looked up later. */
const someAvatar = 'avtr_00000000000000000000000000';

type FitOptions = Pick<MapOptions, 'shorten' | 'hasAvatar'>;

/** @returns the conversation, or why it does not fit */
export function conversationFrom(
  value: unknown,
  options: FitOptions,
): (Conversation & { shortened: Shortened }) | string {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return 'The result must be an object: a conversation.';
  const { avatarId, ...fields }: Record<string, unknown> = { ...value };
  if (!options.hasAvatar && (typeof avatarId !== 'string' || avatarId.trim() === ''))
    return 'avatarId: is required. --avatar gives all conversations an avatar.';
  try {
    const shortened = options.shorten ? shorten(fields) : {};
    const bytes = Buffer.from(JSON.stringify({ avatarId: someAvatar, ...fields }));
    const { externalId } = readLine(
      bytes.length > fileLimits.maxLineBytes ? undefined : bytes,
      fileLimits.maxLineBytes,
    );
    const avatar = options.hasAvatar ? undefined : String(avatarId);
    return { text: JSON.stringify(fields), avatar, externalId, shortened };
  } catch (error) {
    if (error instanceof LineProblem) return error.message;
    // JSON.stringify has a limit, too.
    if (error instanceof RangeError) return 'The result has too many levels.';
    throw error;
  }
}

/** @returns the scores of a record, without those that have no value, or why a value is none */
export function scoresFrom(
  values: Readonly<Record<string, readonly unknown[]>>,
  outputs: MapOptions['outputs'],
): Record<string, ScoreValue> | string {
  const scores: Record<string, ScoreValue> = {};
  for (const [name, [value, ...others]] of Object.entries(values)) {
    if (value === undefined || value === null) continue;
    if (others.length > 0) return `--score ${name}: must be one value.`;
    if (typeof value !== 'boolean' && typeof value !== 'number' && typeof value !== 'string')
      return `--score ${name}: must be true or false, a number, or a text.`;
    const output = outputs[name];
    // A value of another type is a mistake in the command, and no mistake of the record.
    const canFit = output && output.type !== 'object' && scoreTypeFits(output.type, value);
    const problem = canFit ? checkValue(output, value) : undefined;
    if (problem !== undefined) return `--score ${name}: ${problem}.`;
    scores[name] = value;
  }
  return scores;
}
