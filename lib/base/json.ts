/** JSON: the parser for the JSON of callers, the canonical form, and the size in a response. */

/** No other value of the API is so deep. RFC 8259 section 9 lets a parser limit the depth. */
export const maxJsonDepth = 100;

/** A field that would change the prototype of an object which is made from it. A schema would drop it without an error. */
export class ForbiddenField extends Error {
  override message = 'must not have the fields __proto__ or constructor.prototype';
  /** The names of the fields and the indexes of the items that lead to the object. */
  readonly path: string[] = [];
}

export class TooDeep extends SyntaxError {
  readonly path: string[] = [];
}

/**
 * Parses the JSON of a caller, without a reviver, because a reviver makes JSON.parse several times slower.
 * @throws SyntaxError if the text is not JSON; TooDeep if its values have more levels
 * @throws ForbiddenField for `__proto__` and `constructor.prototype`
 */
export function parseJson(text: string, levels = maxJsonDepth): unknown {
  const value: unknown = JSON.parse(text);
  const fault = faultIn(value, levels);
  if (fault) throw fault;
  return value;
}

function faultIn(value: unknown, levels: number): ForbiddenField | TooDeep | undefined {
  if (!isObject(value)) return undefined;
  if (levels === 0) return new TooDeep('The JSON has too many levels.');
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index += 1) {
      const fault = faultIn(value[index], levels - 1);
      if (fault) return below(fault, String(index));
    }
    return undefined;
  }
  for (const name in value) {
    const member = value[name];
    if (
      name === '__proto__' ||
      (name === 'constructor' && isObject(member) && Object.hasOwn(member, 'prototype'))
    )
      return new ForbiddenField();
    const fault = faultIn(member, levels - 1);
    if (fault) return below(fault, name);
  }
  return undefined;
}

function below<Fault extends ForbiddenField | TooDeep>(fault: Fault, name: string): Fault {
  fault.path.unshift(name);
  return fault;
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
