/** Values of an argument, from its schema: each type, choice and limit, and what the document shows as an example. */

import type { Json } from '../../samples/api.ts';
import { type OpenApi, resolveRef, type Schema } from '../../scripts/openapi/client/document.ts';

/** What the generators of clients do not read. */
type Whole = Schema & { examples?: unknown[]; minimum?: number; maximum?: number };

/** So many values of an argument are tried. A persona has many fields. */
const maxValues = 10;
/** A rule contains rules. */
const maxDepth = 4;

/** @returns different values that the schema allows, and null where it does */
export function candidatesOf(document: OpenApi, schema: Schema): unknown[] {
  const texts = new Set(valuesOf(document, schema, 0).map((value) => JSON.stringify(value)));
  return [...texts].slice(0, maxValues).map((text) => JSON.parse(text) as unknown);
}

function valuesOf(document: OpenApi, given: Schema, depth: number): unknown[] {
  const schema: Whole = resolveRef(document, given);
  if (depth > maxDepth) return schema.examples ?? [];
  const alternatives = [...(schema.anyOf ?? []), ...(schema.oneOf ?? [])];
  const types = [schema.type ?? []].flat();
  return [
    ...(schema.examples ?? []),
    ...(schema.const === undefined ? [] : [schema.const]),
    ...(schema.enum ?? []),
    ...alternatives.flatMap((one) => valuesOf(document, one, depth)),
    ...types.flatMap((type) => valuesOfType(document, schema, type, depth)),
  ];
}

function valuesOfType(document: OpenApi, schema: Whole, type: string, depth: number): unknown[] {
  switch (type) {
    case 'null':
      return [null];
    case 'boolean':
      return [true, false];
    case 'integer':
    case 'number':
      return [schema.minimum ?? 1, schema.maximum ?? 2];
    case 'array':
      return [[], ...(schema.items ? valuesOf(document, schema.items, depth + 1).map((one) => [one]) : [])];
    case 'object':
      return objectsOf(document, schema, depth);
    default:
      return schema.examples || schema.enum || schema.const !== undefined ? [] : ['common'];
  }
}

/** With each value of each property, beside the first value of what is required. */
function objectsOf(document: OpenApi, { properties = {}, required = [] }: Schema, depth: number): Json[] {
  const values = Object.entries(properties).map(
    ([name, one]) => [name, valuesOf(document, one, depth + 1)] as const,
  );
  const least = Object.fromEntries(
    values.filter(([name]) => required.includes(name)).map(([name, [first]]) => [name, first]),
  );
  return [least, ...values.flatMap(([name, all]) => all.map((one) => ({ ...least, [name]: one })))];
}
