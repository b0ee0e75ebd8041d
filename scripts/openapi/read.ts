/** The OpenAPI document, as the writers of other files read it. */

import type { Json } from './schemas.ts';

export type Parameter = {
  name: string;
  in: 'path' | 'query' | 'header';
  required: boolean;
  description: string;
  deprecated?: boolean;
  example?: unknown;
  schema: Json;
};

/** A field of a body. */
export type Field = { name: string; required: boolean; description: string; schema: Json };

type Content = Record<string, { schema: Json; example?: Json }>;

export type Operation = {
  method: string;
  path: string;
  id: string;
  tag: string;
  summary: string;
  description: string;
  isPublic: boolean;
  /** The parameters that are not deprecated. */
  parameters: Parameter[];
  fields: Field[];
  /** The recorded body. */
  body?: Json;
  /** The status and the body of the recorded response. Not of a raw document. */
  response?: { status: number; body: Json };
};

type Written = {
  operationId: string;
  tags: [string];
  summary: string;
  description: string;
  security?: unknown[];
  parameters?: (Parameter & { $ref?: string })[];
  requestBody?: { content: Content };
  responses: Record<string, { content?: Content }>;
};

type Document = {
  info: { title: string; summary: string; description: string };
  tags: { name: string; description: string }[];
  paths: Record<string, Record<string, Written>>;
  components: { parameters: Record<string, Parameter>; schemas: Record<string, Json> };
};

/** @param json the document, as JSON has it */
export function readDocument(json: Json) {
  const document = json as Document;
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => readOperation(document, path, method, operation)),
  );
  return { ...document, operations };
}

function readOperation(document: Document, path: string, method: string, written: Written): Operation {
  const parameters = (written.parameters ?? []).map(
    (parameter) => document.components.parameters[parameter.$ref?.split('/').at(-1) ?? ''] ?? parameter,
  );
  const sent = written.requestBody?.content['application/json'];
  const body = sent?.example;
  const [status, response] =
    Object.entries(written.responses).find(([, { content }]) => content?.['application/json']?.example) ?? [];
  const example = response?.content?.['application/json']?.example;
  return {
    method: method.toUpperCase(),
    path,
    id: written.operationId,
    tag: written.tags[0],
    summary: written.summary,
    description: written.description,
    isPublic: written.security?.length === 0,
    parameters: parameters
      .filter(({ deprecated }) => !deprecated)
      .map((parameter) => ({ ...parameter, schema: resolve(document, parameter.schema) })),
    fields: sent ? fieldsOf(resolve(document, sent.schema)) : [],
    ...(body && { body }),
    ...(example && { response: { status: Number(status), body: example } }),
  };
}

/** @returns the schema that a reference names, or the schema itself */
function resolve({ components }: Document, schema: Json): Json {
  const name =
    String(schema.$ref ?? '')
      .split('/')
      .at(-1) ?? '';
  return components.schemas[name] ?? schema;
}

function fieldsOf({ properties = {}, required = [] }: Json): Field[] {
  return Object.entries(properties as Record<string, Json>).map(([name, schema]) => ({
    name,
    required: (required as string[]).includes(name),
    description: String(schema.description),
    schema,
  }));
}
