/** Finds the numbers in JSON that JSON.parse would change. */

/** JSON without such a part has no number that changes: a double holds every number of 15 digits. */
const suspicious = /\d[\d.]{15}|\d[eE]/;
/** A number of JSON (RFC 8259 section 6). */
const literal = /-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
/** Between these, a double holds every integer, and a fraction loses only digits that no double has. */
const [minNormal, maxExact] = [2 ** -1022, 2 ** 53];

export type NumberAt = { path: string[]; literal: string };

/**
 * @param json a text that JSON.parse accepts
 * @returns the numbers beyond the range of doubles, and the integers that a double rounds
 */
export function* inexactNumbers(json: string): Generator<NumberAt> {
  if (suspicious.test(json)) {
    for (const { path, start } of valuesIn(json)) {
      literal.lastIndex = start;
      const [text] = literal.exec(json) ?? [];
      if (text !== undefined && !isKept(text)) yield { path: [...path], literal: text };
    }
  }
}

export type ValueAt = {
  /** The names and indexes that lead to the value. The list changes with the next value. */
  path: readonly string[];
  /** Where the value begins in the text. */
  start: number;
};

/**
 * @param json a text that JSON.parse accepts
 * @returns all values in the text, each before the values in it
 */
export function* valuesIn(json: string): Generator<ValueAt> {
  const path: string[] = [];
  /** For each open list the index of its next item, for each open object undefined. */
  const open: (number | undefined)[] = [];
  let isName = false;
  for (let at = 0; at < json.length; at += 1) {
    const char = json[at] ?? '';
    if (isName && char === '"') {
      const end = endOfString(json, at);
      path.push(JSON.parse(json.slice(at, end)) as string);
      at = end - 1;
      isName = false;
    } else if (char === '}' || char === ']') {
      open.pop();
      isName = false;
      endValue(path, open);
    } else if (!' \t\n\r,:'.includes(char)) {
      const index = open.at(-1);
      if (index !== undefined) path.push(String(index));
      yield { path, start: at };
      if (char === '{' || char === '[') {
        open.push(char === '[' ? 0 : undefined);
        isName = char === '{';
      } else {
        at = (char === '"' ? endOfString(json, at) : endOfWord(json, at)) - 1;
        endValue(path, open);
      }
    } else if (char === ',') isName = open.at(-1) === undefined;
  }
}

/** The value has ended: the next value of the same list has the next index. */
function endValue(path: string[], open: (number | undefined)[]): void {
  path.pop();
  const index = open.at(-1);
  if (index !== undefined) open[open.length - 1] = index + 1;
}

/** @param start the place of its first quotation mark @returns the place behind its last one */
function endOfString(json: string, start: number): number {
  let at = start + 1;
  while (at < json.length && json[at] !== '"') at += json[at] === '\\' ? 2 : 1;
  return at + 1;
}

/** @returns the place behind a number, `true`, `false` or `null` */
function endOfWord(json: string, start: number): number {
  let at = start;
  while (at < json.length && !' \t\n\r,]}'.includes(json[at] ?? '')) at += 1;
  return at;
}

/** @returns whether the number stays the same when it is read and written */
function isKept(text: string): boolean {
  const value = Number(text);
  const size = Math.abs(value);
  if (size >= minNormal && size < maxExact) return true;
  return Number.isFinite(value) && decimalOf(text) === decimalOf(String(value));
}

/** @returns the digits without zeros at both ends, and the power of ten of the last one */
function decimalOf(text: string): string {
  const [mantissa = '', power = '0'] = text.replace(/^-/, '').split(/[eE]/);
  const [whole = '', fraction = ''] = mantissa.split('.');
  const digits = whole + fraction;
  let first = 0;
  let end = digits.length;
  while (digits[first] === '0') first += 1;
  while (end > first && digits[end - 1] === '0') end -= 1;
  if (first === end) return '0';
  return `${digits.slice(first, end)}e${Number(power) - fraction.length + digits.length - end}`;
}
