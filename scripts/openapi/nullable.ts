/** References that can be null, in the form that generators of clients read. */

import type { Json } from './schemas.ts';

type Schemas = Readonly<Record<string, Json>>;

/**
 * @param document which is not changed
 * @returns the document, in which every reference that can be null to a text or to an object with free names is in `allOf`.
 *   openapi-generator replaces a direct reference by its schema, and loses that the value can be null
 */
export function withReadableNull(document: Json): Json {
  const { schemas } = document.components as { schemas: Schemas };
  return rewritten(document, schemas) as Json;
}

function rewritten(value: unknown, schemas: Schemas): unknown {
  if (Array.isArray(value)) return value.map((item) => rewritten(item, schemas));
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, rewritten(member, schemas)]),
  );
  const [first, second, ...more] = Array.isArray(members.anyOf) ? (members.anyOf as Json[]) : [];
  if (!first || second?.type !== 'null' || more.length > 0 || !isReplaced(first, schemas)) return members;
  const { $ref, ...others } = first;
  return { ...members, anyOf: [{ ...others, allOf: [{ $ref }] }, second] };
}

/** @returns whether openapi-generator replaces the reference: it has no type for the schema */
function isReplaced({ $ref }: Json, schemas: Schemas): boolean {
  const target = schemas[String($ref).split('/').at(-1) ?? ''];
  return (
    target !== undefined && !['properties', 'enum', 'anyOf', 'oneOf'].some((keyword) => keyword in target)
  );
}
