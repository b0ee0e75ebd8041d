/** Bodies with a field whose JSON belongs to the caller: it is stored as it was sent, or refused at the place of the fault. */

import { invalidField } from './errors.ts';
import { ForbiddenField, type JsonPath, maxJsonDepth, parseJson } from './json.ts';
import { inexactNumbers } from './json-numbers.ts';

/**
 * @param place the names that lead to the field
 * @returns a parser for the whole body. The field may have as many levels as any other body. A fault in it is a validation error
 *   with its path; other faults are thrown as by `parseJson`
 */
export const parserWithOwnJson =
  (place: readonly string[]) =>
  (json: string): unknown => {
    const isInside = (path: Readonly<JsonPath>) => place.every((name, index) => path[index] === name);
    const value = parsed(json, maxJsonDepth + place.length, isInside);
    for (const { path, literal } of inexactNumbers(json)) {
      if (!isInside(path)) continue;
      throw invalidField(
        path.join('.'),
        `must be a number that a double holds exactly: ${shortened(literal)}`,
      );
    }
    return value;
  };

function parsed(json: string, levels: number, isInside: (path: Readonly<JsonPath>) => boolean): unknown {
  const path: JsonPath = [];
  try {
    return parseJson(json, levels, path);
  } catch (error) {
    // A text that is no JSON has no path.
    if (!isInside(path)) throw error;
    if (error instanceof ForbiddenField) throw invalidField(path.join('.'), error.message);
    throw invalidField(shortPath(path), `must have at most ${maxJsonDepth} levels`);
  }
}

/** The path of a value that is too deep has a hundred names. Its start is enough to find it. */
const shortPath = (path: Readonly<JsonPath>): string => path.slice(0, 10).join('.');

const shortened = (literal: string): string => (literal.length > 40 ? `${literal.slice(0, 40)}…` : literal);
