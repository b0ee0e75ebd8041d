import { describe, expect, test } from 'vitest';
import '../../../lib/base/zod-config.ts';
import { scoreName } from '../../../lib/schema/names.ts';
import { output } from '../../../lib/scores/output.ts';

const faults = (value: unknown) =>
  output.safeParse(value).error?.issues.map(({ path, message }) => [path.join('.'), message]) ?? [];

const object = (schema: unknown) => ({ type: 'object', schema });
const field = (schema: unknown) => object({ type: 'object', properties: { a: schema } });

describe('an output', () => {
  test.each([
    [{ type: 'boolean' }],
    [{ type: 'number', min: -1.5, max: 1 }],
    [{ type: 'category', values: ['good', 'bad'] }],
    [{ type: 'text' }],
    [object({ type: 'object', properties: { a: { type: 'integer', minimum: 1.2, maximum: 2 } } })],
    [
      field({
        type: 'array',
        maxItems: 3,
        items: { type: 'object', properties: { b: { type: 'array', items: { type: 'boolean' } } } },
      }),
    ],
    [field({ type: 'string', enum: ['x', 'y'], maxLength: 1, description: 'A letter.' })],
  ])('%j', (value) => {
    expect(output.parse(value)).toEqual(value);
  });

  test.each([
    [{}, 'type', 'must be one of boolean, number, category, text, object'],
    [{ type: 'bool' }, 'type', 'must be one of boolean, number, category, text, object'],
    [{ type: 'boolean', min: 1 }, '', 'Unrecognized key: "min"'],
    [{ type: 'number', max: 1 }, 'min', 'is required'],
    [{ type: 'number', min: 1, max: 1 }, 'max', 'must be above min, by at least a millionth of the larger'],
    [{ type: 'number', min: 5, max: 1 }, 'max', 'must be above min, by at least a millionth of the larger'],
    [{ type: 'number', min: 0, max: 1e10 }, 'max', 'must be at most 1000000000'],
    [{ type: 'number', min: 0, max: Number.POSITIVE_INFINITY }, 'max', 'must be a number'],
    [{ type: 'category', values: ['a'] }, 'values', 'must have at least 2 values'],
    [{ type: 'category', values: ['a', 'a'] }, 'values', 'must not have a value twice'],
    [{ type: 'category', values: ['a', 'b\n'] }, 'values.1', 'must not contain control characters'],
    [{ type: 'category', values: ['a', 'x'.repeat(41)] }, 'values.1', 'must be at most 40 characters'],
    [
      { type: 'category', values: Array.from({ length: 21 }, (_, index) => `${index}`) },
      'values',
      'must have at most 20 values',
    ],
  ])('is not %j', (value, path, message) => {
    expect(faults(value)).toContainEqual([path, message]);
  });

  test.each([
    [object(null), 'schema', 'must be an object'],
    [object({ type: 'string' }), 'schema.type', 'must be object at the first level'],
    [object({ type: 'object' }), 'schema.properties', 'must have at least one field'],
    [field({ type: 'string', $ref: '#' }), 'schema.properties.a', 'Unrecognized key: "$ref"'],
    [field({ type: 'array' }), 'schema.properties.a.items', 'is required'],
    [
      field({ type: 'boolean', enum: ['x'] }),
      'schema.properties.a.enum',
      'does not belong to the type boolean',
    ],
    [
      object({ type: 'object', properties: { a: { type: 'text' } } }),
      'schema.properties.a.type',
      'must be one of object, array, string, number, integer, boolean',
    ],
    [
      object({ type: 'object', properties: { 'a b': { type: 'string' } } }),
      'schema.properties.a b',
      'has a name that must be 1 to 64 of the characters A-Z, a-z, 0-9, _ and -',
    ],
    [
      object({ type: 'object', properties: { a: { type: 'string' } }, required: ['a', 'a'] }),
      'schema.required',
      'must not have a field twice',
    ],
    [
      field({ type: 'string', enum: Array.from({ length: 40 }, (_, index) => 'x'.repeat(100) + index) }),
      'schema',
      'must be at most 4096 bytes as JSON',
    ],
  ])('has no schema such as %j', (value, path, message) => {
    expect(faults(value)).toContainEqual([path, message]);
  });

  test.each([
    [
      field({ type: 'number', minimum: 2, maximum: 1 }),
      'schema.properties.a.minimum',
      'must be at most maximum',
    ],
    [
      field({ type: 'integer', minimum: 1.2, maximum: 1.8 }),
      'schema.properties.a.minimum',
      'and maximum must have a whole number between them',
    ],
    [field({ type: 'string', enum: [] }), 'schema.properties.a.enum', 'must have at least one value'],
    [
      field({ type: 'string', enum: ['long'], maxLength: 3 }),
      'schema.properties.a.enum',
      'must not have a value that is longer than maxLength',
    ],
    [
      object({ type: 'object', properties: { a: { type: 'string' } }, required: ['b'] }),
      'schema.required',
      'must only name fields of properties',
    ],
    [
      object({ type: 'object', properties: { a: { type: 'string' } }, required: ['toString'] }),
      'schema.required',
      'must only name fields of properties',
    ],
  ])('has no schema that nothing matches: %j', (value, path, message) => {
    expect(faults(value)).toContainEqual([path, message]);
  });

  test('has no field __proto__', () => {
    const value = JSON.parse('{"type":"object","properties":{"__proto__":{"type":"string"}}}');
    expect(faults(object(value))).not.toEqual([]);
  });

  const nested = (levels: number) => {
    let schema: unknown = { type: 'string' };
    for (let level = 2; level < levels; level += 1) schema = { type: 'array', items: schema };
    return field(schema);
  };

  test('has a schema of at most 5 levels, however deep it is', () => {
    expect(faults(nested(5))).toEqual([]);
    for (const levels of [6, 100, 200_000])
      expect(faults(nested(levels))).toEqual([['schema', 'must have at most 5 levels']]);
  });

  test('has a schema of at most 50 nodes', () => {
    const wide = (fields: number) =>
      object({
        type: 'object',
        properties: Object.fromEntries(
          Array.from({ length: fields }, (_, index) => [`a${index}`, { type: 'boolean' }]),
        ),
      });
    expect(faults(wide(49))).toEqual([]);
    for (const fields of [50, 100_000])
      expect(faults(wide(fields))).toEqual([['schema', 'must have at most 50 nodes']]);
  });
});

test.each([
  ['csat', true],
  ['goal-reached_2', true],
  ['x'.repeat(40), true],
  ['x'.repeat(41), false],
  ['', false],
  ['CSAT', false],
  ['a#b', false],
  ['a\n', false],
])('a name: %j %s', (name, isValid) => {
  expect(scoreName.safeParse(name).success).toBe(isValid);
});
