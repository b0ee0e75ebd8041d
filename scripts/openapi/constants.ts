/** The names of constants that generators of clients make from the values of an enum. */

import type { Json } from './schemas.ts';

/**
 * @returns the schema, with a name for each value of an enum of texts: `JobStatusFailed` for `failed` of `JobStatus`. In Go, all
 *   constants of a client share one namespace, and many enums have a value such as `failed`
 */
export function withConstants(schemaName: string, schema: Json): Json {
  const values = schema.enum;
  if (!Array.isArray(values) || !values.every((value) => typeof value === 'string')) return schema;
  return { ...schema, 'x-enum-varnames': values.map((value) => `${schemaName}${inPascalCase(value)}`) };
}

/** @returns `ApiKeysRead` for `api-keys:read` */
const inPascalCase = (value: string): string =>
  value.replace(/(?:^|[^A-Za-z0-9]+)([A-Za-z0-9]?)/g, (_, letter: string) => letter.toUpperCase());
