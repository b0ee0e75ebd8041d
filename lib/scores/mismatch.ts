/** Whether a value matches the schema of the objects of scores. Pure. */

import { refuseHidden } from '../schema/text.ts';

export const types = ['object', 'array', 'string', 'number', 'integer', 'boolean'] as const;

/** One level of a schema. */
export type ObjectSchema = {
  type: (typeof types)[number];
  description?: string;
  properties?: Record<string, ObjectSchema>;
  required?: string[];
  items?: ObjectSchema;
  enum?: string[];
  minimum?: number;
  maximum?: number;
  maxLength?: number;
  maxItems?: number;
};

/** @returns characters (code points), as JSON Schema counts them */
export const lengthOf = (value: string): number => (value.length === 0 ? 0 : [...value].length);

const below = (path: string, name: string | number) => (path === '' ? String(name) : `${path}.${name}`);
const at = (path: string, reason: string) => (path === '' ? reason : `${path} ${reason}`);

/** @returns why the value does not match, such as `items.0 must be text`; undefined if it does. The work is bounded by the size of the value */
export function mismatch(schema: ObjectSchema, value: unknown, path = ''): string | undefined {
  switch (schema.type) {
    case 'object':
      return mismatchOfObject(schema, value, path);
    case 'array': {
      if (!Array.isArray(value)) return at(path, 'must be a list');
      const { items, maxItems } = schema;
      if (maxItems !== undefined && value.length > maxItems)
        return at(path, `must have at most ${maxItems} items`);
      return items && firstOf(value, (item, index) => mismatch(items, item, below(path, index)));
    }
    case 'string':
      return mismatchOfText(schema, value, path);
    case 'boolean':
      return typeof value === 'boolean' ? undefined : at(path, 'must be true or false');
    default:
      return mismatchOfNumber(schema, value, path);
  }
}

function mismatchOfObject(schema: ObjectSchema, value: unknown, path: string): string | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return at(path, 'must be an object');
  const { properties = {}, required = [] } = schema;
  const missing = required.find((name) => !Object.hasOwn(value, name));
  if (missing !== undefined) return at(below(path, missing), 'is required');
  return firstOf(Object.entries(value), ([name, member]) => {
    const property = Object.hasOwn(properties, name) ? properties[name] : undefined;
    return property
      ? mismatch(property, member, below(path, name))
      : at(path, `must not have the field ${JSON.stringify(name.slice(0, 64))}`);
  });
}

function mismatchOfText(schema: ObjectSchema, value: unknown, path: string): string | undefined {
  if (typeof value !== 'string') return at(path, 'must be text');
  if (!value.isWellFormed()) return at(path, 'must be well-formed Unicode');
  if (schema.enum)
    return schema.enum.includes(value) ? undefined : at(path, `must be one of ${schema.enum.join(', ')}`);
  const { maxLength } = schema;
  if (maxLength !== undefined && lengthOf(value) > maxLength)
    return at(path, `must be at most ${maxLength} characters`);
  const reason = refuseHidden(value);
  return reason && at(path, reason);
}

function mismatchOfNumber(schema: ObjectSchema, value: unknown, path: string): string | undefined {
  if (typeof value !== 'number' || !Number.isFinite(value)) return at(path, 'must be a number');
  if (schema.type === 'integer' && !Number.isInteger(value)) return at(path, 'must be a whole number');
  if (schema.minimum !== undefined && value < schema.minimum)
    return at(path, `must be at least ${schema.minimum}`);
  if (schema.maximum !== undefined && value > schema.maximum)
    return at(path, `must be at most ${schema.maximum}`);
  return undefined;
}

function firstOf<Item>(
  items: readonly Item[],
  reasonOf: (item: Item, index: number) => string | undefined,
): string | undefined {
  for (const [index, item] of items.entries()) {
    const reason = reasonOf(item, index);
    if (reason !== undefined) return reason;
  }
  return undefined;
}
