/**
 * Descriptions of fields, from the schemas that they contain: a field of the document has a description even if its own
 * description is missing.
 */

import type { Json } from './schemas.ts';

/** @returns the schema, in which each property has a description */
export function describeFields(schema: Json, schemas: Readonly<Record<string, Json>>): Json {
  if (!schema.properties) return withValues(schema);
  const properties = Object.entries(schema.properties as Record<string, Json>).map(([name, field]) => [
    name,
    described(field, schemas),
  ]);
  return withValues({ ...schema, properties: Object.fromEntries(properties) });
}

/**
 * @param schema of a field or parameter
 * @returns the schema with a description: its own, or else the description of the schema that it contains or refers to. If no
 *   description gives null a meaning, null means that there is no value
 */
export function described(schema: Json, schemas: Readonly<Record<string, Json>>): Json {
  const nullable = nonNull(schema);
  if (!nullable) {
    const { description } = schema.description === undefined ? referred(schema, schemas) : schema;
    return description === undefined ? schema : withValues({ ...schema, description });
  }
  const { description: own, ...bare } = nullable;
  // With a description inside too, openapi-generator takes every field with the same name and the same schema for nullable.
  if (schema.description !== undefined) return withValues({ ...schema, anyOf: [bare, { type: 'null' }] });
  const description = own ?? referred(nullable, schemas).description;
  if (description === undefined) return schema;
  return withValues({
    description: /\bnull\b/i.test(String(description)) ? description : `${description} Null if not set.`,
    ...schema,
    anyOf: [bare, { type: 'null' }],
  });
}

/** @returns the schema of the values of a nullable schema that are not null; undefined for other schemas */
function nonNull({ anyOf }: Json): Json | undefined {
  const [first, second, ...more] = (anyOf ?? []) as Json[];
  return second?.type === 'null' && more.length === 0 ? first : undefined;
}

const referred = ({ $ref }: Json, schemas: Readonly<Record<string, Json>>): Json =>
  schemas[String($ref).split('/').at(-1) ?? ''] ?? {};

/**
 * @returns the schema, first its description, which lists the values of an open list: tools that do not know the extension
 *   show them
 */
function withValues(schema: Json): Json {
  const { description, ...rest } = schema;
  if (description === undefined) return schema;
  const values = (nonNull(schema) ?? schema)['x-extensible-enum'] as string[] | undefined;
  if (!values) return { description, ...rest };
  const list = values.map((value) => `\`${value}\``).join(', ');
  return { description: `${description} Values: ${list}. More may be added.`, ...rest };
}
