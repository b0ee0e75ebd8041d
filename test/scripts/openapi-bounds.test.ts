/** Every text, list and whole number of a request has a bound (OWASP API4:2023), in the document. */

import { expect, test } from 'vitest';
import { openApiDocument } from '../../scripts/openapi/document.ts';
import type { Json } from '../../scripts/openapi/schemas.ts';

const document = JSON.parse(JSON.stringify(openApiDocument())) as {
  paths: Record<string, Record<string, { parameters?: Json[]; requestBody?: Json }>>;
  components: { schemas: Record<string, Json> };
};

/** A quantifier without an end, outside a class of characters. */
const hasNoEnd = (pattern: string) => /[*+]|\{\d+,\}/.test(pattern.replace(/\\.|\[(?:\\.|[^\]])*\]/g, 'c'));

const isBounded = (schema: Json): boolean => {
  if (schema.type === 'array') return schema.maxItems !== undefined;
  if (schema.type === 'integer')
    return (
      typeof schema.minimum === 'number' && (typeof schema.maximum === 'number' || schema.const !== undefined)
    );
  if (schema.type !== 'string') return true;
  if (['maxLength', 'const', 'enum'].some((keyword) => keyword in schema)) return true;
  return schema.format === 'date-time' || (typeof schema.pattern === 'string' && !hasNoEnd(schema.pattern));
};

const seen = new Set<string>();
/** @returns the places of the schemas without a bound */
function unboundedIn(value: unknown, place: string): string[] {
  if (typeof value !== 'object' || value === null) return [];
  const schema = value as Json;
  const name = `${schema.$ref ?? ''}`.split('/').at(-1) ?? '';
  const target = document.components.schemas[name];
  if (target && seen.has(name)) return [];
  if (target) seen.add(name);
  const inside = Object.entries(schema).flatMap(([key, member]) =>
    ['example', 'examples', 'discriminator', 'default'].includes(key)
      ? []
      : unboundedIn(member, `${place}/${key}`),
  );
  return [
    ...(Array.isArray(value) || isBounded(schema) ? [] : [place]),
    ...(target ? unboundedIn(target, name) : []),
    ...inside,
  ];
}

test('every text, list and whole number of a body has a bound', () => {
  const bodies = Object.values(document.paths)
    .flatMap((methods) => Object.values(methods))
    .map(({ requestBody }) => requestBody);
  expect(bodies.flatMap((body) => unboundedIn(body, ''))).toEqual([]);
  expect(seen.size).toBeGreaterThan(80);
});
