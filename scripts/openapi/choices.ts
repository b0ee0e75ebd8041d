/** Choices between named objects. */

import type { Json } from './schemas.ts';

/**
 * @returns a choice (`oneOf`), with the field whose constant value decides: generated clients read it instead of trying one schema after
 *   another. Other schemas stay the same
 * @throws Error if no field decides
 */
export function withDiscriminator(name: string, schema: Json, schemas: Readonly<Record<string, Json>>): Json {
  if (!schema.oneOf || schema.discriminator) return schema;
  const choices = (schema.oneOf as Json[]).map(({ $ref }) => {
    const ref = String($ref);
    return { ref, constants: constantsOf(schemas[ref.split('/').at(-1) ?? '']) };
  });
  const [first] = choices;
  const propertyName = [...(first?.constants.keys() ?? [])].find((field) => {
    const values = choices.map(({ constants }) => constants.get(field));
    return !values.includes(undefined) && new Set(values).size === values.length;
  });
  if (!propertyName) throw new Error(`No field decides between the schemas of ${name}.`);
  const mapping = choices.map(({ ref, constants }) => [constants.get(propertyName), ref]);
  return { ...schema, discriminator: { propertyName, mapping: Object.fromEntries(mapping) } };
}

/** @returns the constant texts of a schema, by the names of their fields */
function constantsOf({ properties = {} }: Json = {}): Map<string, string> {
  return new Map(
    Object.entries(properties as Record<string, Json>).flatMap(([name, { const: value }]) =>
      typeof value === 'string' ? [[name, value]] : [],
    ),
  );
}
