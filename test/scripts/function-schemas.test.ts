/** The schemas in the bundles of functions, which scripts/bundle/zod/ makes, have the results and the issues of zod. */

import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { relative, resolve } from 'node:path';
import { inspect } from 'node:util';
import { build } from 'esbuild';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import * as zod from 'zod';
import { endpoints } from '../../functions/index.ts';
import { validationMessage } from '../../lib/base/validation-message.ts';
import { documentBeside } from '../../scripts/bundle/beside.ts';
import { buildOptions, leanPlugins } from '../../scripts/bundle/bundle.ts';
import { sourceOf } from '../../scripts/bundle/entries.ts';
import { withoutMetadata } from '../../scripts/bundle/without-metadata.ts';
import * as part from '../../scripts/bundle/zod/index.ts';
import { root } from '../../scripts/shared/root.ts';
import { cpuMsOf } from '../support/cpu-time.ts';
import { changed, type Draw, drawsFrom, strange, usual, valueFor } from '../support/schema-values.ts';

type Zod = typeof zod;
type Schemas = ReadonlyMap<string, zod.ZodType>;

/** The part has no types of its own for declarations: they are compiled with those of zod. */
const partOfZod: object = part;
const small = partOfZod as Zod;

/** @returns what a schema says of a value, with undefined members, prototypes and the order of all */
function outcome(schema: zod.ZodType, value: unknown): string {
  try {
    const { success, data, error } = schema.safeParse(value);
    return success ? `reads ${shown(data)}` : `refuses: ${shown(error.issues, true)}`;
  } catch (error) {
    return `throws ${(error as Error).name}`;
  }
}

/** @param sorted whether the order of members does not matter: nothing reads that of an issue */
const shown = (value: unknown, sorted = false): string =>
  inspect(value, { depth: null, maxArrayLength: null, maxStringLength: null, sorted });

/** Every module that makes schemas. */
const modules = globSync('{functions,lib,workers}/**/*.ts', { cwd: root })
  .filter((file) => /from 'zod'/.test(readFileSync(resolve(root, file), 'utf8')))
  .filter((file) => !file.startsWith('lib/mcp/'))
  .sort();

const isSchema = (value: unknown): value is zod.ZodType =>
  typeof value === 'object' && value !== null && '_zod' in value;

/** @returns the schemas that a module exports, and those of its endpoint */
function* schemasIn(path: string, value: unknown, depth = 0): Generator<[path: string, schema: zod.ZodType]> {
  if (isSchema(value)) yield [path, value];
  else if (typeof value === 'object' && value !== null && depth < 4)
    for (const [name, member] of Object.entries(value))
      yield* schemasIn(`${path} ${name}`, member, depth + 1);
}

const schemasOf = (loaded: Readonly<Record<string, unknown>>): Schemas =>
  new Map(Object.entries(loaded).flatMap(([file, module]) => [...schemasIn(file, { ...Object(module) })]));

type Content = { content?: Readonly<Record<string, { example?: unknown }>> };
type Operation = { requestBody?: Content; responses: Readonly<Record<string, Content>> };

/** @returns the bodies of the samples and their responses, which are the examples of the document, by the path of their schema */
function samplesOf(
  paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>,
): ReadonlyMap<string, readonly unknown[]> {
  const examplesIn = ({ content = {} }: Content) =>
    Object.values(content).flatMap(({ example }) => {
      if (example === undefined) return [];
      return [typeof example === 'object' && example && 'data' in example ? example.data : example];
    });
  return new Map<string, readonly unknown[]>(
    endpoints.flatMap((endpoint) => {
      const { requestBody = {}, responses = {} } =
        paths[endpoint.path]?.[endpoint.method.toLowerCase()] ?? {};
      const file = relative(root, sourceOf(endpoint));
      return [
        [`${file} default request body`, examplesIn(requestBody)] as const,
        ...Object.entries(responses).map(
          ([status, response]) => [`${file} default responses ${status}`, examplesIn(response)] as const,
        ),
      ];
    }),
  );
}

const examples = samplesOf(
  (
    JSON.parse(readFileSync(resolve(root, 'openapi.json'), 'utf8')) as {
      paths: Parameters<typeof samplesOf>[0];
    }
  ).paths,
);

let folder: string;
let real: Schemas;
let bundled: Schemas;

beforeAll(async () => {
  folder = mkdtempSync(resolve(root, 'dist/function-schemas-'));
  const outfile = resolve(folder, 'index.mjs');
  const contents = modules.map((file, index) => `export * as m${index} from './${file}';`);
  await build({
    ...buildOptions,
    stdin: { contents: [...contents, ''].join('\n'), resolveDir: root },
    absWorkingDir: root,
    outfile,
    minify: false,
    packages: 'external',
    plugins: [...leanPlugins, documentBeside, withoutMetadata],
  });
  const ours = (await import(outfile)) as Readonly<Record<string, unknown>>;
  bundled = schemasOf(Object.fromEntries(modules.map((file, index) => [file, ours[`m${index}`]])));
  const loaded = await Promise.all(modules.map((file) => import(resolve(root, file))));
  real = schemasOf(Object.fromEntries(modules.map((file, index) => [file, loaded[index]])));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));
afterEach(() => {
  zod.config({ customError: validationMessage });
  small.config({ customError: validationMessage });
});

describe('the schemas of all declarations', () => {
  test('are in the bundle', () => {
    expect(real.size).toBeGreaterThan(500);
    expect([...bundled.keys()].sort()).toEqual([...real.keys()].sort());
  });

  /** Compares the outcomes of values for each schema. @returns the schemas that have accepted a value */
  function compare(draw: Draw, rounds: number): Set<string> {
    const accepting = new Set<string>();
    for (const [path, schema] of real) {
      const other = bundled.get(path);
      if (!other) throw new Error(`${path} is not in the bundle`);
      for (let round = 0; round < rounds; round += 1) {
        const [example = valueFor(schema, usual)] = round % 2 === 0 ? (examples.get(path) ?? []) : [];
        const valid = round % 4 < 2 ? structuredClone(example) : valueFor(schema, draw);
        const value = round < 2 ? valid : round % 7 === 0 ? strange(draw) : changed(valid, draw);
        const expected = outcome(schema, value);
        if (expected.startsWith('reads')) accepting.add(path);
        const found = outcome(other, value);
        if (found !== expected)
          expect.fail(`${path} for ${shown(value)}\nzod ${expected}\nthe bundle ${found}`);
      }
    }
    return accepting;
  }

  test('read and refuse as with zod what is drawn from them', () => {
    const accepting = compare(drawsFrom(1), 36);
    // Otherwise the values would not reach what the schemas do with valid ones.
    expect(accepting.size / real.size).toBeGreaterThan(0.95);
  });

  test('do so for other draws', { tags: ['long'] }, () => {
    const seed = Date.now() % 2 ** 31;
    console.log(`seed ${seed}`);
    expect(compare(drawsFrom(seed), 400).size).toBeGreaterThan(0);
  });
});

/** @returns the names of what an object has and inherits, but not from Object */
const membersOf = (value: object | null): string[] =>
  value === null || value === Object.prototype
    ? []
    : [...Object.getOwnPropertyNames(value), ...membersOf(Object.getPrototypeOf(value))];

test('the part has every method that the code of functions calls on schemas', () => {
  const kinds = (z: Zod): object[] => [
    z.string(),
    z.number(),
    z.object({}),
    z.array(z.unknown()),
    z.enum(['a']),
    z.literal('a'),
    z.union([z.string(), z.number()]),
    z.string().optional(),
    z.string().transform(String),
    z.record(z.string(), z.string()),
  ];
  const methodsOf = (z: Zod) => new Set(kinds(z).flatMap(membersOf));
  const has = methodsOf(small);
  // Each of these has other meanings in the code. If a declaration calls one, the bundle above cannot be imported.
  const shared = new Set(
    [String, Array, Object, Map, Promise, Number, TextEncoder, TextDecoder, Response]
      .flatMap((maker) => [
        ...Object.getOwnPropertyNames(maker),
        ...Object.getOwnPropertyNames(maker.prototype),
      ])
      .concat(Object.keys(part), ['meta', 'pipe', 'datetime', 'extract', 'isFinite', 'url', 'value']),
  );
  const lacking = [...methodsOf(zod)].filter((name) => !has.has(name) && !shared.has(name));
  expect(lacking).toContain('safeParseAsync');
  const call = new RegExp(`\\.(${lacking.join('|')})\\(`);
  const files = globSync('{functions,lib,workers}/**/*.ts', { cwd: root });
  const calls = files.flatMap((file) => call.exec(readFileSync(resolve(root, file), 'utf8')) ?? []);
  expect(calls).toEqual([]);
});

describe('a build', () => {
  const bundleOf = (contents: string, file = 'lib/base/example.ts') =>
    build({
      ...buildOptions,
      stdin: { contents, resolveDir: resolve(root, 'lib/base'), sourcefile: resolve(root, file) },
      write: false,
      logLevel: 'silent',
      plugins: leanPlugins,
    });

  test('fails if a declaration uses a function that the part does not have', async () => {
    await expect(bundleOf("import * as z from 'zod'; console.log(z.email());")).rejects.toThrow(
      'Import "email" will always be undefined',
    );
    await expect(bundleOf("import * as z from 'zod'; console.log(z.string());")).resolves.toBeDefined();
  });

  test('fails if our code imports another module of zod', async () => {
    await expect(bundleOf("import 'zod/mini';")).rejects.toThrow('imports zod/mini');
  });

  test('leaves zod to the libraries, and to what sets it up for them', async () => {
    const code = "import * as z from 'zod'; console.log(z.string());";
    for (const file of ['lib/mcp/example.ts', 'node_modules/example/index.js'])
      expect((await bundleOf(code, file)).outputFiles[0]?.text.length).toBeGreaterThan(50_000);
    expect((await bundleOf(code)).outputFiles[0]?.text.length).toBeLessThan(20_000);
  });
});

type Case = [what: string, schema: (z: Zod) => zod.ZodType, ...values: unknown[]];

const ownProto = JSON.parse('{"__proto__": {"a": 1}, "a": 1}');
const inheriting: unknown = Object.create({ a: 'inherited', b: 'inherited' });
const counted = (limit: number) => (value: unknown) => Object.keys(Object(value)).length <= limit;

const cases: Case[] = [
  ['keys in the order of the shape', (z) => z.object({ b: z.string(), a: z.string() }), { a: 'a', b: 'b' }],
  ['unknown keys', (z) => z.object({ a: z.unknown() }), { a: 1, b: 2 }, ownProto, inheriting],
  [
    'refused unknown keys',
    (z) => z.strictObject({ a: z.int() }),
    { b: 2, a: 'x', c: 3 },
    ownProto,
    inheriting,
  ],
  [
    'kept unknown keys',
    (z) => z.looseObject({ a: z.unknown() }),
    { z: 2, a: 1, b: undefined },
    ownProto,
    inheriting,
  ],
  ['a declared __proto__', (z) => z.strictObject({ ['__proto__']: z.string() }), ownProto, {}],
  ['a key that objects inherit', (z) => z.strictObject({ toString: z.unknown() }), {}, { toString: 1 }],
  ['an object of a class', (z) => z.object({ a: z.unknown() }), new Date(0), new Map(), [], null, () => 1],
  [
    'absent, undefined and null',
    (z) => z.object({ a: z.string().optional() }),
    {},
    { a: undefined },
    { a: null },
  ],
  ['exactly optional', (z) => z.object({ a: z.string().exactOptional() }), {}, { a: undefined }, { a: 'a' }],
  [
    'an absent required key',
    (z) => z.object({ a: z.unknown(), b: z.string() }),
    {},
    { a: undefined, b: undefined },
  ],
  ['a default', (z) => z.object({ a: z.string().default('x') }), {}, { a: undefined }, { a: null }],
  ['an optional default', (z) => z.object({ a: z.string().default('x').optional() }), {}, { a: undefined }],
  [
    'a default of an optional',
    (z) => z.object({ a: z.string().optional().default('x') }),
    {},
    { a: undefined },
  ],
  [
    'an optional default that fails',
    (z) =>
      z.object({
        a: z
          .int()
          .default(0.5)
          .refine(() => false)
          .optional(),
      }),
    {},
  ],
  [
    'a checked optional default',
    (z) =>
      z.object({
        a: z
          .int()
          .default(1)
          .optional()
          .refine(() => false),
      }),
    {},
    { a: 2 },
  ],
  ['multiples that floats miss', (z) => z.number().multipleOf(0.07), 2.03, 2.04, 0.14, 4.9],
  ['a nullable default', (z) => z.object({ a: z.string().nullable().default(null) }), {}, { a: undefined }],
  [
    'transformed absent keys',
    (z) => z.object({ a: z.string().optional().transform(String) }),
    {},
    { a: 'a' },
  ],
  [
    'a preprocessed absent key',
    (z) => z.object({ a: z.preprocess((v) => v, z.string().optional()) }),
    {},
    { a: 1 },
  ],
  ['a custom absent key', (z) => z.object({ a: z.custom((v) => v === undefined) }), {}, { a: 1 }],
  [
    'an extended object',
    (z) => z.object({ a: z.int(), b: z.int() }).extend({ a: z.string(), c: z.int() }),
    { a: 'a', b: 1 },
  ],
  [
    'a picked object',
    (z) => z.strictObject({ a: z.int(), b: z.int() }).pick({ b: true }),
    { b: 1 },
    { a: 1 },
  ],
  [
    'a check of an object with issues',
    (z) => z.strictObject({ a: z.int() }).refine(() => false, 'refused'),
    { a: 1 },
    { a: 'x' },
    { a: 1, b: 2 },
    { a: 0.5 },
  ],
  [
    'a check with a condition',
    (z) =>
      z
        .strictObject({ a: z.int() })
        .refine(() => false, { error: 'refused', path: ['a'], when: ({ issues }) => issues.length < 2 }),
    { a: 'x' },
    { a: 'x', b: 1 },
    { a: 0.5 },
    {},
  ],
  [
    'the order of checks',
    (z) =>
      z
        .string()
        .min(3, 'short')
        .max(1, 'long')
        .regex(/x/, 'no x')
        .refine((v) => v === '', 'not empty'),
    'ab',
    '',
    'abxd',
    5,
    [],
  ],
  [
    'an overwritten value',
    (z) =>
      z
        .string()
        .overwrite((v) => v.trim())
        .min(1),
    ' a ',
    '  ',
    5,
  ],
  [
    'the length of what is no text',
    (z) => z.string().min(2).max(3),
    [],
    [1, 2, 3, 4],
    { length: 1 },
    { length: 'x' },
    { length: '3' },
    null,
  ],
  [
    'code points',
    (z) => z.string().min(2).max(3),
    '😀',
    '😀😀',
    '😀😀😀',
    '😀😀😀😀',
    '\ud83d\ud83d',
    '\ude00\ud83d',
    '\ud83d😀\ude00',
  ],
  ['no minimum', (z) => z.string().min(0).max(0), '', 'a', '😀', { length: Number.NaN }, { length: null }],
  [
    'a list that is too long',
    (z) =>
      z
        .array(z.int())
        .min(1)
        .max(2)
        .refine(() => false),
    ['a', 'b', 'c'],
    ['a'],
    [],
    [1, 2],
  ],
  [
    'a limit after another check',
    (z) =>
      z
        .array(z.int())
        .refine(() => true)
        .max(2),
    ['a', 'b', 'c'],
  ],
  ['two limits', (z) => z.array(z.int()).max(4, 'first').max(2, 'second'), [1, 2, 3], [1, 2, 3, 4, 5]],
  [
    'a list with holes',
    (z) => z.array(z.string().optional()),
    new Array(2),
    Object.assign(new Array(3), { 1: 'a' }),
    Object.assign([], { extra: 1 }),
  ],
  ['nested paths', (z) => z.array(z.object({ a: z.array(z.int()) })), [{ a: [1, 'x', null] }, { a: 5 }, 7]],
  ['numbers', (z) => z.number(), 1, -0, Number.NaN, Infinity, -Infinity, 1n, '1', new Number(1), null],
  [
    'whole numbers',
    (z) => z.int(),
    1,
    -0,
    1.5,
    2 ** 53,
    -(2 ** 53),
    2 ** 53 - 1,
    Number.NaN,
    Infinity,
    '1',
    1n,
  ],
  [
    'whole numbers with a message',
    (z) => z.int('whole').min(2).max(5, 'five'),
    1,
    6,
    1.5,
    'a',
    2 ** 60,
    -(2 ** 60),
  ],
  ['a whole number among numbers', (z) => z.number('number').int('whole').min(2), 1.5, 2 ** 60, 'a', -0.5],
  ['limits of numbers', (z) => z.number().positive().min(-1).max(5), 0, -0, -2, 5, 5.1, 1e-320],
  [
    'multiples',
    (z) => z.number().multipleOf(0.01),
    ...[0, -0, 0.01, 0.07, 2.03, 1.005, 0.015, 1e21, 1e-20, 99.99, 33.33, 12.345, -0.29],
  ],
  ['texts with a global pattern', (z) => z.string().regex(/a/g), 'a', 'a', 'ba', 'b'],
  [
    'enums',
    (z) => z.enum(['a', 'b', 'c']).exclude(['b']),
    'a',
    'b',
    'd',
    undefined,
    null,
    1,
    ['a'],
    new String('a'),
  ],
  ['literals', (z) => z.literal(0), 0, -0, '0', undefined, Number.NaN, null],
  ['a union', (z) => z.union([z.string().min(3), z.int()]), 'abc', 'a', 1, 1.5, true, undefined],
  [
    'a union of objects',
    (z) => z.union([z.strictObject({ a: z.int() }), z.strictObject({ a: z.string() })]),
    { a: 1, b: 1 },
    { a: 'a', b: 1 },
    { a: null },
    5,
  ],
  [
    'a union with a message',
    (z) => z.object({ a: z.union([z.string(), z.int()], 'text or number').optional() }),
    {},
    { a: null },
  ],
  [
    'unions of optionals',
    (z) =>
      z.object({
        a: z.union([z.string().optional(), z.int()]),
        b: z.union([z.int().default(1), z.string()]),
      }),
    {},
    { a: undefined },
  ],
  [
    'a discriminated union',
    (z) =>
      z.discriminatedUnion('t', [
        z.strictObject({ t: z.literal('a') }),
        z.object({ t: z.enum(['b', 'c']), x: z.int() }).refine(() => false),
      ]),
    ...[{ t: 'a' }, { t: 'b', x: 1 }, { t: 'c' }, { t: 'd' }, {}, { t: 'a', x: 1 }, [], null, inheriting],
  ],
  [
    'a record',
    (z) => z.record(z.string().min(2, 'short'), z.int()),
    { ab: 1, a: 2, cd: 'x' },
    ownProto,
    inheriting,
    [],
    new Date(0),
  ],
  [
    'a record of what classes make',
    (z) => z.record(z.string(), z.unknown()),
    new Map(),
    Object.create(null),
    { constructor: 1 },
    { constructor: Array },
    { constructor: { prototype: 1 } },
    { constructor: () => 1 },
  ],
  [
    'a record with other keys',
    (z) => z.record(z.string(), z.int()),
    { [Symbol('s')]: 1, 1: 1 },
    Object.defineProperty({}, 'hidden', { value: 'x' }),
    { 5: 'x' },
  ],
  [
    'a record with changed keys',
    (z) =>
      z.record(
        z.string().overwrite((k) => (k === 'p' ? '__proto__' : k.trim())),
        z.int(),
      ),
    { p: 1, ' a': 2, a: 3 },
  ],
  [
    'a record with limits',
    (z) => z.record(z.string().min(2), z.string()).refine(counted(1), 'many'),
    { a: 'a', bb: 'b', cc: 'c' },
    { bb: 'b', cc: 'c' },
  ],
  [
    'a pipe that stops',
    (z) =>
      z
        .string()
        .min(2)
        .transform((v) => v.length)
        .refine(() => false, 'later'),
    'a',
    'ab',
    5,
  ],
  [
    'a pipe with an unknown key',
    (z) =>
      z
        .strictObject({ a: z.int() })
        .transform(({ a }) => a)
        .refine((v) => v > 1),
    { a: 1, b: 1 },
    { a: 2 },
    { a: 2, b: 1 },
  ],
  [
    'issues of a transformation',
    (z) =>
      z
        .string()
        .transform((value, context) => {
          context.addIssue({ code: 'custom', message: value, path: ['x'] });
          context.addIssue('text');
          return z.NEVER;
        })
        .refine(() => false),
    'a',
  ],
  [
    'a preprocessed value',
    (z) =>
      z.preprocess((value, context) => {
        if (value !== 'x') return value;
        context.issues.push({ code: 'custom', message: 'x', input: value });
        return z.NEVER;
      }, z.int()),
    'x',
    1,
    'y',
    undefined,
  ],
  [
    'issues of a refinement',
    (z) =>
      z
        .string()
        .superRefine((value, context) => {
          context.addIssue({ code: 'custom', message: 'one', path: [value] });
          if (value === 'text') context.addIssue('two');
          if (value === 'end') context.addIssue({ code: 'custom', message: 'three', fatal: true });
        })
        .refine(() => false, 'last'),
    ...['a', 'text', 'end', 5],
  ],
  [
    'a check that reads and writes',
    (z) =>
      z
        .object({ a: z.int() })
        .check((payload) => {
          payload.issues.push({ code: 'custom', input: payload.value, path: ['a'] });
        })
        .refine(() => false),
    { a: 1 },
    { a: 'x' },
  ],
  [
    'messages by functions',
    (z) =>
      z.object({
        a: z.string({ error: ({ input }) => (input === undefined ? 'absent' : undefined) }).min(2),
      }),
    {},
    { a: 1 },
    { a: 'a' },
  ],
  [
    'the message of a schema for its checks',
    (z) =>
      z
        .string('schema')
        .min(2)
        .refine((v) => v !== 'ab')
        .refine((v) => v !== 'abc', 'own'),
    'a',
    'ab',
    'abc',
    5,
  ],
  ['custom values', (z) => z.custom((v) => v === 1, 'one').refine(() => false), 1, 2, undefined],
  [
    'lazy schemas',
    (z) => {
      const node: zod.ZodType = z.lazy(() => z.strictObject({ next: node.optional(), value: z.int() }));
      return node;
    },
    { value: 1, next: { value: 'x', next: { value: 2 } } },
    { value: 1, next: null },
  ],
  [
    'refinements of wrapped schemas',
    (z) =>
      z
        .string()
        .nullable()
        .refine((v) => v !== null, 'null')
        .optional(),
    null,
    undefined,
    'a',
    5,
  ],
  [
    'times',
    (z) => z.string().check(z.iso.datetime({ offset: true })),
    ...[
      '2024-02-29T00:00:00Z',
      '2023-02-29T00:00:00Z',
      '2000-02-29T00:00:00Z',
      '1900-02-29T00:00:00Z',
      '2026-04-31T00:00:00Z',
      '2026-01-01T00:00Z',
      '2026-01-01T24:00:00Z',
      '2026-01-01T00:00:00.1+23:59',
      '2026-01-01T00:00:00+24:00',
      '2026-01-01T00:00:00',
      '2026-01-01t00:00:00z',
      '2026-01-01T00:00:00Z\n',
    ],
  ],
];

describe.each([
  ['with the messages for callers', validationMessage],
  ['with the messages of zod', undefined],
])('%s', (_, customError) => {
  test.each(cases)('%s', (__, schema, ...values) => {
    zod.config({ customError });
    small.config({ customError });
    const [expected, found] = [schema(zod), schema(small)];
    const outcomes = values.map((value) => outcome(expected, value));
    expect(values.map((value) => outcome(found, value))).toEqual(outcomes);
    expect(outcomes.filter((one) => one.startsWith('throws'))).toEqual([]);
  });
});

test('a default is new in each result', () => {
  for (const z of [zod, small]) {
    const schema = z.array(z.unknown()).default([]);
    (schema.parse(undefined) as unknown[]).push(1);
    expect(schema.parse(undefined)).toEqual([]);
  }
});

test.each([
  ['a parameter', (z: Zod) => z.string().refine(() => true, { abort: true })],
  ['a time without offset', (z: Zod) => z.iso.datetime()],
  ['a record of listed keys', (z: Zod) => z.record(z.enum(['a']), z.int())],
  ['a computed default', (z: Zod) => z.int().default(() => 1)],
  [
    'a discriminator without values',
    (z: Zod) => z.discriminatedUnion('a', [z.object({ a: z.literal(1).optional() })]),
  ],
])('%s that the part does not have fails at once', (_, declare) => {
  expect(() => declare(zod)).not.toThrow();
  expect(() => declare(small)).toThrow();
});

test.each([
  ['a check', (z: Zod) => z.string().refine(async () => false)],
  ['a transformation', (z: Zod) => z.string().transform(async () => 1)],
])('%s that returns a promise fails', (_, schema) => {
  for (const z of [zod, small]) expect(() => schema(z).safeParse('a')).toThrow();
});

test('the error that parse throws says what zod says', () => {
  const errorOf = (z: Zod) => {
    try {
      z.object({ a: z.int() }).parse({ a: 'x' });
    } catch (error) {
      return error as Error;
    }
    throw new Error('it has not thrown');
  };
  const [expected, found] = [errorOf(zod), errorOf(small)];
  expect(found).toBeInstanceOf(Error);
  expect(found.name).toBe(expected.name);
  expect(JSON.parse(found.message)).toEqual(JSON.parse(expected.message));
  expect(found.stack).toContain('function-schemas.test.ts');
});

test.each<Case>([
  [
    'unknown keys',
    (z) => z.strictObject({}),
    Object.fromEntries(Array.from({ length: 100_000 }, (_, n) => [`k${n}`, n])),
  ],
  [
    'wrong keys',
    (z) => z.record(z.string().min(9), z.int()),
    Object.fromEntries(Array.from({ length: 50_000 }, (_, n) => [`k${n}`, n])),
  ],
  ['wrong items', (z) => z.array(z.strictObject({ a: z.int() })), Array.from({ length: 50_000 }, () => ({}))],
  ['too many items', (z) => z.array(z.int()).max(5), Array.from({ length: 500_000 }, () => 'x')],
  ['characters of two units', (z) => z.string().max(3), '😀'.repeat(500_000)],
])('a request with the most of %s takes no more CPU time than with zod, and a second', (_, schema, value) => {
  const timed = (z: Zod) => {
    let count: number | undefined;
    const ms = cpuMsOf(() => {
      count = schema(z).safeParse(value).error?.issues.length;
    });
    return { count, ms };
  };
  const [expected, found] = [timed(zod), timed(small)];
  expect(found.count).toBe(expected.count);
  expect(found.ms).toBeLessThan(expected.ms + 1000);
});
