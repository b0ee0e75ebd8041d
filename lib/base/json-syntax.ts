/** Says where a text is no JSON, for people who write it. The messages of JSON.parse differ, and not all of them have a place. */

import { inexactNumbers, valuesIn } from './json-numbers.ts';

/** White space, and then a text, a number, a word or a sign of JSON (RFC 8259). */
const token =
  /[\t\n\r ]*("(?:[^"\\\p{Cc}]|[\x7f-\x9f]|\\(?:["\\/bfnrt]|u[\da-fA-F]{4}))*"|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null|[[\]{},:])/uy;

const expected = {
  value: 'a value',
  item: 'a value or ]',
  name: 'a name in quotation marks',
  member: 'a name in quotation marks or }',
  colon: 'a colon',
  rest: 'a comma or the end',
} as const;
type State = keyof typeof expected;

/**
 * @returns the value
 * @throws Error that names the line, for a text that is no JSON, and for a number that would change
 */
export function readJson(text: string): unknown {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    const { at, state } = faultIn(text);
    throw new Error(`Line ${lineAt(text, at)}: ${expected[state]} is expected`, { cause });
  }
  const [inexact] = inexactNumbers(text);
  if (!inexact) return value;
  const line = lineOf(text, inexact.path);
  throw new Error(
    `Line ${line}: ${inexact.literal.slice(0, 40)} is not a number that a double holds exactly`,
  );
}

/** @returns the place of the first token that does not fit, and what would fit */
function faultIn(text: string): { at: number; state: State } {
  const open: string[] = [];
  let state: State = 'value';
  token.lastIndex = 0;
  for (;;) {
    const { lastIndex } = token;
    const [whole = '', sign = ''] = token.exec(text) ?? [];
    const next = nextState(state, sign, open);
    if (next === undefined) {
      const rest = text.slice(lastIndex);
      return { at: lastIndex + rest.length - rest.trimStart().length, state };
    }
    state = next;
    token.lastIndex = lastIndex + whole.length;
  }
}

/** @returns undefined if the token does not fit */
function nextState(state: State, sign: string, open: string[]): State | undefined {
  const end = open.at(-1) === '{' ? '}' : ']';
  if (
    sign === end &&
    (state === 'rest' || state === 'item' || state === 'member') &&
    open.pop() !== undefined
  )
    return 'rest';
  switch (state) {
    case 'value':
    case 'item':
      if (sign === '{' || sign === '[') {
        open.push(sign);
        return sign === '{' ? 'member' : 'item';
      }
      return sign === '' || ']},:'.includes(sign) ? undefined : 'rest';
    case 'name':
    case 'member':
      return sign.startsWith('"') ? 'colon' : undefined;
    case 'colon':
      return sign === ':' ? 'value' : undefined;
    case 'rest':
      if (sign !== ',' || open.length === 0) return undefined;
      return open.at(-1) === '{' ? 'name' : 'value';
  }
}

/**
 * @param text JSON
 * @param path the names and indexes that lead to a value
 * @returns the line of the value, or of the innermost value around it that exists
 */
export function lineOf(text: string, path: readonly string[]): number {
  let best = { depth: -1, start: 0 };
  for (const { path: other, start } of valuesIn(text)) {
    const isAround = other.length <= path.length && other.every((name, index) => path[index] === name);
    if (isAround && other.length > best.depth) best = { depth: other.length, start };
  }
  return lineAt(text, best.start);
}

const lineAt = (text: string, at: number): number => text.slice(0, at).split('\n').length;
