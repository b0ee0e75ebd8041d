/** JSON: the parser for the JSON of callers, the canonical form, and the size in a response. */

/** No other value of the API is so deep. RFC 8259 section 9 lets a parser limit the depth. */
export const maxJsonDepth = 100;

/** A field that would change the prototype of an object which is made from it. A schema would drop it without an error. */
export class ForbiddenField extends Error {
  override message = 'must not have the fields __proto__ or constructor.prototype';
}

/** The names of the fields and the indexes of the items that lead to a value. */
export type JsonPath = (string | number)[];

/**
 * Parses the JSON of a caller, without a reviver, because a reviver makes JSON.parse several times slower.
 * @param path gets the path of the value that has too many levels, or of the object with a forbidden field
 * @throws SyntaxError if the text is not JSON, or its values have more levels
 * @throws ForbiddenField for `__proto__` and `constructor.prototype`
 */
export function parseJson(text: string, levels = maxJsonDepth, path: JsonPath = []): unknown {
  const value: unknown = JSON.parse(text);
  check(value, levels, path);
  return value;
}

function check(value: unknown, levels: number, path: JsonPath): void {
  if (!isObject(value)) return;
  if (levels === 0) throw new SyntaxError('too many levels');
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index += 1) checkMember(value[index], index, levels, path);
    return;
  }
  for (const name in value) {
    const member = value[name];
    if (
      name === '__proto__' ||
      (name === 'constructor' && isObject(member) && Object.hasOwn(member, 'prototype'))
    )
      throw new ForbiddenField();
    checkMember(member, name, levels, path);
  }
}

/** Most members are no objects, so they need no path. */
function checkMember(member: unknown, name: string | number, levels: number, path: JsonPath): void {
  if (!isObject(member)) return;
  path.push(name);
  check(member, levels - 1, path);
  path.pop();
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
  let members = '';
  // Without a comparison, sort() compares UTF-16 code units.
  for (const name of Object.keys(value).sort())
    members += `${members === '' ? '' : ','}${JSON.stringify(name)}:${canonicalJson(value[name])}`;
  return `{${members}}`;
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
