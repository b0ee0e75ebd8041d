/** The names that generators of clients make from the document do not collide, so that every client compiles. No generator runs here. */

import { describe, expect, test } from 'vitest';
import { openApiDocument } from '../../scripts/openapi/document.ts';
import { withReadableNull } from '../../scripts/openapi/nullable.ts';
import type { Json } from '../../scripts/openapi/schemas.ts';

type Operation = { operationId: string };
const document = withReadableNull(JSON.parse(JSON.stringify(openApiDocument())) as Json) as {
  paths: Record<string, Record<string, Operation>>;
  webhooks: Record<string, Json>;
  components: Record<string, Record<string, Json>>;
};
const { schemas = {} } = document.components;
const names = Object.keys(schemas);

/** @returns `ApiKeysCreate` for `api-keys.create` */
const inPascalCase = (id: string) =>
  id.replace(/(?:^|[^A-Za-z0-9]+)([a-z])/g, (_, letter: string) => letter.toUpperCase());
const operations = Object.values(document.paths)
  .flatMap((methods) => Object.values(methods))
  .map(({ operationId }) => inPascalCase(operationId));

/** @returns every object in a value, with its place */
function objectsIn(value: unknown, place = ''): [place: string, object: Json][] {
  if (typeof value !== 'object' || value === null) return [];
  const inside = Object.entries(value).flatMap(([key, member]) =>
    key === 'example' || key === 'examples' ? [] : objectsIn(member, `${place}/${key}`),
  );
  return Array.isArray(value) ? inside : [[place, value as Json], ...inside];
}
const objects = objectsIn(document);

describe('a component', () => {
  test('does not have the name of a type that oapi-codegen makes for an operation', () => {
    const endings = ['Response', 'Params', 'JSONBody', 'JSONRequestBody'];
    const made = operations.flatMap((operation) => endings.map((ending) => operation + ending));
    expect(made.length).toBeGreaterThan(names.length);
    expect(names.filter((name) => made.includes(name))).toEqual([]);
  });

  test('does not have the name of a function that makes another component in Go', () => {
    const functions = names.flatMap((name) => [`New${name}`, `New${name}WithDefaults`, `Nullable${name}`]);
    expect(names.filter((name) => functions.includes(name))).toEqual([]);
  });

  test('of a request, a response, a header or a parameter has a name of its own in Go', () => {
    const { responses = {}, parameters = {} } = document.components;
    const all = [...names, ...Object.keys(responses), ...Object.keys(parameters)];
    expect(all.filter((name, index) => all.indexOf(name) !== index)).toEqual([]);
  });

  test('differs from every other component in more than the case of letters: it has a file of its own', () => {
    const lower = names.map((name) => name.toLowerCase());
    expect(names.filter((_, index) => lower.indexOf(lower[index] ?? '') !== index)).toEqual([]);
  });
});

test('every value of an enum has a constant that no other enum and no type has', () => {
  const enums = Object.entries(schemas).filter(([, schema]) => Array.isArray(schema.enum));
  expect(enums.length).toBeGreaterThan(20);
  const constants = enums.flatMap(([name, schema]) => {
    const varnames = schema['x-enum-varnames'] as string[];
    expect(varnames, name).toHaveLength((schema.enum as unknown[]).length);
    return varnames;
  });
  expect(schemas.JobStatus?.['x-enum-varnames']).toContain('JobStatusFailed');
  expect(schemas.Scope?.['x-enum-varnames']).toContain('ScopeApiKeysRead');
  for (const constant of constants) expect(constant).toMatch(/^[A-Z][A-Za-z0-9]*$/);
  const all = [...constants, ...names];
  expect(all.filter((name, index) => all.indexOf(name) !== index)).toEqual([]);
});

describe('no schema has', () => {
  const placesOf = (isFound: (schema: Json) => boolean) =>
    objects.filter(([, schema]) => isFound(schema)).map(([place]) => place);

  test('several types: oapi-codegen knows a type and null', () => {
    expect(
      placesOf(({ type }) => Array.isArray(type) && type.filter((name) => name !== 'null').length > 1),
    ).toEqual([]);
    expect(schemas.ConversationScore?.properties).toMatchObject({
      value: { anyOf: ['boolean', 'number', 'string', 'null'].map((type) => ({ type })) },
    });
  });

  test('a pattern and the format of a time: openapi-generator matches the pattern with a datetime of Python', () => {
    expect(placesOf(({ format, pattern }) => format === 'date-time' && pattern !== undefined)).toEqual([]);
  });

  test('a constant or an enum of Boolean values: openapi-generator compares them with text', () => {
    const isBoolean = ({ const: value, enum: values }: Json) =>
      typeof value === 'boolean' || (Array.isArray(values) && values.some((one) => typeof one === 'boolean'));
    expect(placesOf(isBoolean)).toEqual([]);
  });

  test('a choice without the field that decides', () => {
    expect(
      placesOf(({ oneOf, discriminator }) => oneOf !== undefined && discriminator === undefined),
    ).toEqual([]);
  });

  test('a description inside a field that can be null: openapi-generator takes fields that are equal for nullable', () => {
    const isDescribedInside = ({ anyOf }: Json) =>
      Array.isArray(anyOf) &&
      anyOf.length === 2 &&
      anyOf[1].type === 'null' &&
      anyOf[0].description !== undefined;
    const fields = Object.values(schemas).flatMap(({ properties = {} }) => Object.values(properties as Json));
    expect(fields.filter((field) => isDescribedInside(field as Json))).toEqual([]);
  });

  test('a reference to a text that can be null, outside `allOf`: openapi-generator loses that it can be null', () => {
    expect(schemas.Evaluator?.properties).toMatchObject({
      pausedReason: {
        anyOf: [{ allOf: [{ $ref: '#/components/schemas/EvaluatorPausedReason' }] }, { type: 'null' }],
      },
      model: { anyOf: [{ $ref: '#/components/schemas/EvaluatorModel' }, { type: 'null' }] },
    });
  });
});

test('webhooks are references: openapi-generator would put them into the class of the operations of Events', () => {
  expect(Object.keys(document.webhooks)).toEqual(Object.keys(document.components.pathItems ?? {}));
  for (const [type, item] of Object.entries(document.webhooks))
    expect(item).toEqual({ $ref: `#/components/pathItems/${type}` });
});
