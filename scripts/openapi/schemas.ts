/** Converts zod schemas to JSON Schema 2020-12, which OpenAPI 3.1 uses. Schemas with an id become components. */

import * as z from 'zod';

export type Json = Record<string, unknown>;

/** Collects the components that converted schemas reference. */
export class Components {
  readonly schemas: Record<string, Json> = {};

  /** @param io whether the schema describes a request (`input`) or a response (`output`) */
  of(schema: z.ZodType, io: 'input' | 'output'): Json {
    const { $schema: _, $defs, ...json } = z.toJSONSchema(schema, { io, override: adapt(io) });
    for (const [name, definition] of Object.entries($defs ?? {})) {
      this.schemas[name] = withComponentRefs(definition) as Json;
    }
    return withComponentRefs(json) as Json;
  }

  /** @returns a reference to the schema, which gets this name */
  add(name: string, schema: Json): Json {
    this.schemas[name] = schema;
    return { $ref: `#/components/schemas/${name}` };
  }
}

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
    const { documentedAs } = jsonSchema;
    if (typeof documentedAs === 'object') {
      for (const key of ['documentedAs', 'type', 'enum', 'pattern', 'minimum', 'maximum'])
        delete jsonSchema[key];
      Object.assign(jsonSchema, documentedAs);
    }
  };

function withComponentRefs(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withComponentRefs);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) =>
      key === '$ref' && typeof member === 'string'
        ? [key, member.replace('#/$defs/', '#/components/schemas/')]
        : [key, withComponentRefs(member)],
    ),
  );
}
