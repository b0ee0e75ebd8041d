/** The JSON of callers is parsed without a reviver, because a reviver makes JSON.parse several times slower. */

/** No value of the API is so deep. RFC 8259 section 9 lets a parser limit the depth. */
export const maxJsonDepth = 100;

/** A field that would change the prototype of an object which is made from it. A schema would drop it without an error. */
export class ForbiddenField extends Error {
  override message = 'must not have the fields __proto__ or constructor.prototype';
}

/**
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
