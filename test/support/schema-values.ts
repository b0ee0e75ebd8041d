/** Values for a schema of zod: valid ones, as far as the schema shows what is valid, and others that differ from a valid one in a place. */

import * as z from 'zod';

/** @returns a whole number from 0 and below the limit */
export type Draw = (limit: number) => number;

/** @returns draws that are the same for the same seed (mulberry32) */
export function drawsFrom(seed: number): Draw {
  let state = seed;
  return (limit) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return (((mixed ^ (mixed >>> 14)) >>> 0) % limit) | 0;
  };
}

/** It always draws the last choice: examples, all members, and usual values. */
export const usual: Draw = (limit) => limit - 1;

const oneOf = <Value>(draw: Draw, values: readonly Value[]): Value => values[draw(values.length)] as Value;

type Def = {
  type: string;
  innerType?: z.ZodType;
  element?: z.ZodType;
  in?: z.ZodType;
  out?: z.ZodType;
  keyType?: z.ZodType;
  valueType?: z.ZodType;
  getter?: () => z.ZodType;
  options?: readonly z.ZodType[];
  shape?: Readonly<Record<string, z.ZodType>>;
  entries?: Readonly<Record<string, unknown>>;
  values?: readonly unknown[];
  checks?: readonly {
    _zod: { def: { maximum?: number; minimum?: number; value?: number; length?: number } };
  }[];
};

const defOf = (schema: z.ZodType): Def => schema._zod.def as Def;

/** Lists that are too long for a test of many values. */
const longest = 300;

/** @returns the limits in the checks of a schema */
const limitsOf = ({ checks = [] }: Def): number[] =>
  checks.flatMap(({ _zod: { def } }) =>
    [def.maximum, def.minimum, def.value, def.length].filter((limit) => typeof limit === 'number'),
  );

/** @returns a value that the schema accepts, or that is near its limits */
export function valueFor(schema: z.ZodType, draw: Draw, depth = 0): unknown {
  const meta = z.globalRegistry.get(schema) as { example?: unknown } | undefined;
  if (meta && 'example' in meta && draw(3) > 0) return structuredClone(meta.example);
  const def = defOf(schema);
  switch (def.type) {
    case 'object':
      return memberValues(def.shape ?? {}, draw, depth);
    case 'array':
      return listFor(def, draw, depth);
    case 'record':
      return Object.fromEntries(
        times(draw(3), () => [
          String(nextValue(def.keyType, draw, depth)),
          nextValue(def.valueType, draw, depth),
        ]),
      );
    case 'string':
      return textFor(def, draw);
    case 'number':
      return numberFor(def, draw);
    case 'boolean':
      return draw(2) === 0;
    case 'enum':
      return oneOf(draw, Object.values(def.entries ?? {}));
    case 'literal':
      return oneOf(draw, def.values ?? []);
    case 'union':
      return nextValue(oneOf(draw, def.options ?? []), draw, depth);
    case 'lazy':
      return depth > 6 ? { type: 'string' } : nextValue(def.getter?.(), draw, depth);
    case 'nullable':
      return draw(4) === 0 ? null : nextValue(def.innerType, draw, depth);
    case 'optional':
    case 'default':
      return draw(4) === 0 ? undefined : nextValue(def.innerType, draw, depth);
    case 'pipe':
      return nextValue(def.in && defOf(def.in).type === 'transform' ? def.out : def.in, draw, depth);
    default:
      return strange(draw);
  }
}

const nextValue = (schema: z.ZodType | undefined, draw: Draw, depth: number): unknown =>
  schema ? valueFor(schema, draw, depth + 1) : undefined;

const times = <Value>(count: number, make: (index: number) => Value): Value[] =>
  Array.from({ length: count }, (_, index) => make(index));

function memberValues(shape: Readonly<Record<string, z.ZodType>>, draw: Draw, depth: number) {
  const members = Object.entries(shape).flatMap(([name, schema]) => {
    const isOptional = schema._zod.optin !== undefined;
    if (isOptional && draw(depth > 2 ? 2 : 4) === 0) return [];
    return [[name, nextValue(schema, draw, depth)] as const];
  });
  return Object.fromEntries(members);
}

function listFor(def: Def, draw: Draw, depth: number): unknown[] {
  const limits = limitsOf(def).filter((limit) => limit < longest);
  const least = Math.max(1, ...limits.filter((limit) => limit < 3));
  if (draw(12) > 0 || limits.length === 0 || depth > 3) {
    return times(least + 1 - draw(2), () => nextValue(def.element, draw, depth));
  }
  // The items of a list at its limit need not differ.
  const item = nextValue(def.element, draw, depth);
  return times(Math.max(0, oneOf(draw, limits) + draw(3) - 1), () => item);
}

const characters = ['a', '😀', '\ud800', '\udc00', ' ', '\u0000', 'é'];

function textFor(def: Def, draw: Draw): string {
  const limits = limitsOf(def).filter((limit) => limit < 3000);
  if (draw(3) > 0 || limits.length === 0) {
    return oneOf(draw, ['', 'a', '5', '2026-03-01T09:30:00Z', 'https://example.com/a', 'A b.', 'text']);
  }
  const length = Math.max(0, oneOf(draw, limits) + draw(3) - 1);
  return oneOf(draw, characters).repeat(length) + oneOf(draw, ['', '', '😀']);
}

function numberFor(def: Def, draw: Draw): number {
  const near = limitsOf(def).flatMap((limit) => [limit, limit - 1, limit + 1, limit + 0.5]);
  return oneOf(draw, [...near, 100, 12, 0.1, 0.07, 2.03, 99.99, 1]);
}

class Instance {
  field = 1;
}

const strangeValues: readonly (() => unknown)[] = [
  () => undefined,
  () => null,
  () => true,
  () => 0,
  () => -0,
  () => 1.5,
  () => Number.NaN,
  () => Number.POSITIVE_INFINITY,
  () => Number.NEGATIVE_INFINITY,
  () => 2 ** 53,
  () => -(2 ** 53),
  () => 1n,
  () => '',
  () => 'x'.repeat(2001),
  () => '😀'.repeat(40),
  () => '\ud800',
  () => '2024-02-29T23:59:59.123+05:30',
  () => '2023-02-29T00:00:00Z',
  () => '2026-03-01T09:30:00+0200',
  () => [],
  () => [null],
  () => new Array(3),
  () => ({}),
  () => ({ length: 3 }),
  () => ({ length: 'x' }),
  () => JSON.parse('{"__proto__": {"a": 1}, "constructor": 1, "toString": 2}'),
  () => Object.create({ inherited: 1, name: 'a', type: 'number' }),
  () => Object.assign(Object.create(null), { name: 'a' }),
  () => ({ [Symbol('key')]: 1, 'not a name': 2 }),
  () => ({ constructor: { prototype: {} } }),
  () => new Instance(),
  () => new Date(0),
  () => new Map([['a', 1]]),
  () => Symbol('value'),
  () => strange,
  () => ({ a: { b: { c: [{ d: 1 }] } } }),
];

/** @returns a value of a kind that a schema may handle in its own way */
export const strange = (draw: Draw): unknown => oneOf(draw, strangeValues)();

type Parent = Record<PropertyKey, unknown>;

/** @returns the objects and lists in a value, itself included */
function parentsIn(value: unknown): Parent[] {
  if (typeof value !== 'object' || value === null) return [];
  return [value as Parent, ...Object.values(value).slice(0, 20).flatMap(parentsIn)];
}

/** @returns the value after a change in one place, which its own objects may have */
export function changed(value: unknown, draw: Draw): unknown {
  const parents = parentsIn(value);
  if (parents.length === 0 || draw(8) === 0) return strange(draw);
  const parent = oneOf(draw, parents);
  const keys = Object.keys(parent);
  const key = oneOf(draw, keys.length === 0 ? ['name'] : keys);
  switch (draw(5)) {
    case 0:
      delete parent[key];
      return value;
    case 1:
      Object.defineProperty(parent, oneOf(draw, ['unknown', '__proto__', 'constructor', 'toString', '0']), {
        value: strange(draw),
        ...{ enumerable: true, configurable: true, writable: true },
      });
      return value;
    case 2:
      parent[key] = oneOf(draw, Object.values(parent));
      return value;
    default:
      if (!Object.isFrozen(parent)) parent[key] = strange(draw);
      return value;
  }
}
