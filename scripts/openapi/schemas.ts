/** Converts zod schemas to JSON Schema 2020-12, which OpenAPI 3.1 uses. Schemas with an id become components. */

import { isDeepStrictEqual } from 'node:util';
import * as z from 'zod';
import { portablePattern } from './patterns.ts';

export type Json = Record<string, unknown>;

/** Collects the components that converted schemas reference. */
export class Components {
  readonly schemas: Record<string, Json> = {};

  /** @param io whether the schema describes a request (`input`) or a response (`output`) */
  of(schema: z.ZodType, io: 'input' | 'output'): Json {
    const { $schema: _, $defs, ...json } = z.toJSONSchema(schema, { io, override: adapt(io) });
    for (const [name, definition] of Object.entries($defs ?? {})) {
      const schema = finished(definition) as Json;
      const known = this.schemas[name] ?? schema;
      if (!isDeepStrictEqual(anyFields(known), anyFields(schema))) {
        throw new Error(`Two different schemas have the id ${name}.`);
      }
      // A schema of requests and of responses is described as it is in responses, which may have more fields.
      this.schemas[name] = 'additionalProperties' in known ? schema : known;
    }
    return finished(json) as Json;
  }

  /** @returns a reference to the schema, which gets this name */
  add(name: string, schema: Json): Json {
    this.schemas[name] = schema;
    return { $ref: `#/components/schemas/${name}` };
  }
}

/** @returns the schema without whether it allows more fields, which differs between requests and responses */
const anyFields = ({ additionalProperties: _, ...schema }: Json): Json => schema;

const adapt =
  (io: 'input' | 'output') =>
  ({ jsonSchema }: { jsonSchema: Json }): void => {
    // New response fields must not break clients.
    if (io === 'output' && jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
    // Zod's pattern of a time adds 400 characters, but nothing to the format and our pattern.
    if (jsonSchema.format === 'date-time' && String(jsonSchema.pattern).length > 200)
      delete jsonSchema.pattern;
    // OpenAPI 3.1 has JSON Schema's `examples`.
    if ('example' in jsonSchema) {
      jsonSchema.examples = [jsonSchema.example];
      delete jsonSchema.example;
    }
    // Without an enum, a generated client does not fail on a value that is added later.
    if (jsonSchema.isOpen === true) {
      jsonSchema['x-extensible-enum'] = jsonSchema.enum;
      delete jsonSchema.isOpen;
      delete jsonSchema.enum;
    }
    // The argument deletes or ends something, or only its value does.
    if (typeof jsonSchema.removes === 'string') {
      const { removes, removesIf } = jsonSchema;
      jsonSchema['x-removes'] = { why: removes, ...(removesIf !== undefined && { if: removesIf }) };
      delete jsonSchema.removes;
      delete jsonSchema.removesIf;
    }
    const { documentedAs } = jsonSchema;
    if (typeof documentedAs === 'object') {
      for (const key of ['documentedAs', 'type', 'enum', 'pattern', 'minimum', 'maximum'])
        delete jsonSchema[key];
      Object.assign(jsonSchema, documentedAs);
    }
  };

/**
 * @returns the schema with references to components and portable patterns. Its rule, which says in words what its pattern
 *   cannot, ends its description
 * @throws Error if a pattern is not portable and there is no rule
 */
function finished(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(finished);
  if (typeof value !== 'object' || value === null) return value;
  const { rule, ...members } = value as Json;
  if (typeof rule !== 'string') return finishedMembers(oneTypeEach(value as Json));
  const { description, ...schema } = finishedMembers(members, rule);
  return { description: description === undefined ? rule : `${description} ${rule}`, ...schema };
}

/** Generators know a type that can be null, but not a list of several types. */
function oneTypeEach(schema: Json): Json {
  const { type, ...members } = schema;
  if (!Array.isArray(type) || type.filter((name) => name !== 'null').length < 2) return schema;
  return { ...members, anyOf: type.map((name) => ({ type: name })) };
}

const finishedMembers = (members: Json, rule?: string): Json =>
  Object.fromEntries(
    Object.entries(members).flatMap(([key, member]) => {
      if (typeof member !== 'string') return [[key, finished(member)]];
      if (key === '$ref') return [[key, member.replace('#/$defs/', '#/components/schemas/')]];
      if (key !== 'pattern') return [[key, member]];
      const pattern = portablePattern(member);
      if (!pattern && !rule) throw new Error(`Not every language compiles ${member}: add .meta({ rule }).`);
      return pattern ? [[key, pattern]] : [];
    }),
  );
