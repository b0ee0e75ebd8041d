/** JSON: the parser for the JSON of callers, the canonical form, and the size in a response. */

/** No value of the API is so deep. RFC 8259 section 9 lets a parser limit the depth. */
export const maxJsonDepth = 100;

/** A field that would change the prototype of an object which is made from it. A schema would drop it without an error. */
export class ForbiddenField extends Error {
  override message = 'must not have the fields __proto__ or constructor.prototype';
}

/**
 * Parses the JSON of a caller, without a reviver, because a reviver makes JSON.parse several times slower.
 * @throws SyntaxError if the text is not JSON, or its values are more than 100 levels deep
 * @throws ForbiddenField for `__proto__` and `constructor.prototype`
 */
export function parseJson(text: string): unknown {
  const value: unknown = JSON.parse(text);
  check(value, 0);
  return value;
}

function check(value: unknown, depth: number): void {
  if (!isObject(value)) return;
  if (depth >= maxJsonDepth) throw new SyntaxError(`The JSON is more than ${maxJsonDepth} levels deep.`);
  if (Array.isArray(value)) {
    for (const member of value) check(member, depth + 1);
    return;
  }
  for (const name in value) {
    const member = value[name];
    if (
      name === '__proto__' ||
      (name === 'constructor' && isObject(member) && Object.hasOwn(member, 'prototype'))
    )
      throw new ForbiddenField();
    check(member, depth + 1);
  }
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;

/**
 * JSON with the fields of every object sorted by UTF-16 code units, as in RFC 8785.
 * @param value a result of JSON.parse, no deeper than the endpoint's schema allows
 */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (!isObject(value)) return JSON.stringify(value);
  // Without a comparison, sort() compares UTF-16 code units.
  const members = Object.keys(value)
    .sort()
    .map((name) => `${JSON.stringify(name)}:${canonicalJson(value[name])}`);
  return `{${members.join(',')}}`;
}

/**
 * The maximum data of a response. The response of a function is at most 6 MB, as Lambda counts it ("Lambda quotas"). The rest
 * is for the envelope and headers.
 */
export const maxResponseBytes = 4 * 1024 * 1024;

/**
 * @returns the size of the value in the response of a function. The `body` of that response is JSON as text in JSON: a
 *   quotation mark in the value takes four bytes, a control character seven
 */
export const responseBytes = (value: unknown): number =>
  Buffer.byteLength(JSON.stringify(JSON.stringify(value)));
