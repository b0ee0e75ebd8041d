/** The facts about each operation of the OpenAPI document that the client's generator needs. */

import type { ErrorCode } from '../../../lib/base/errors.ts';
import { type Field, isRef, nameIn, type OpenApi, resolveRef, type Schema } from './document.ts';

export type Operation = {
  /** `conversations.list`. */
  id: string;
  method: string;
  path: string;
  summary: string;
  description: string;
  pathParameters: Field[];
  query: Field[];
  body?: { type: string; schema: Schema; canBeEmpty: boolean };
  /** The type of the data in its successful responses. */
  data: { type: string; schemas: Schema[] };
  isList: boolean;
  takes: { idempotencyKey: boolean; ifMatch: boolean; ifNoneMatch: boolean };
  /** Whether it needs no credential. */
  isPublic: boolean;
  /** Whether its response has a secret. */
  givesSecret: boolean;
  /** A credential needs all scopes of one of these sets; none if the list is empty. */
  scopes: readonly (readonly string[])[];
  /** What it deletes or ends, if that is not its method. */
  removes: string | undefined;
};

/** @returns the operations with an envelope; raw documents are not for programs */
export function operationsIn(document: OpenApi): Operation[] {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, raw]) => {
      if (typeof raw !== 'object' || !raw.operationId) return [];
      const schemas = Object.entries(raw.responses)
        .filter(([status]) => /^2/.test(status))
        .flatMap(([, response]) => dataOf(document, response) ?? []);
      if (schemas.length === 0) return [];
      return [operation(document, path, method, raw, schemas)];
    }),
  );
}

type Raw = OpenApi['paths'][string][string];

function operation(document: OpenApi, path: string, method: string, raw: Raw, schemas: Schema[]): Operation {
  const parameters = (raw.parameters ?? []).map((one) => resolveRef(document, one));
  const fields = (place: string) => parameters.filter((one) => one.in === place);
  const hasHeader = (name: string) => fields('header').some((one) => one.name.toLowerCase() === name);
  const body = raw.requestBody && jsonOf(resolveRef(document, raw.requestBody));
  const typeNames = [...new Set(schemas.map((schema) => (isRef(schema) ? nameIn(schema) : undefined)))];
  const unnamed = pascalCase(`${raw.operationId}.data`);
  const plain = schemas.map((schema) => resolveRef(document, schema));
  return {
    id: raw.operationId,
    method: method.toUpperCase(),
    path,
    summary: raw.summary ?? '',
    description: raw.description ?? '',
    pathParameters: fields('path'),
    query: fields('query'),
    ...(body && {
      body: {
        type: isRef(body) ? nameIn(body) : pascalCase(`${raw.operationId}.request`),
        schema: body,
        canBeEmpty: alternativesOf(document, resolveRef(document, body)).every(
          ({ required = [] }) => required.length === 0,
        ),
      },
    }),
    data: { type: typeNames.map((name) => name ?? unnamed).join(' | '), schemas },
    isList: plain.every(({ properties = {} }) => 'items' in properties && 'nextCursor' in properties),
    takes: {
      idempotencyKey: hasHeader('idempotency-key'),
      ifMatch: hasHeader('if-match'),
      ifNoneMatch: hasHeader('if-none-match'),
    },
    isPublic: raw.security?.length === 0,
    givesSecret: raw['x-errors']?.includes(secretError) ?? false,
    scopes: (raw['x-scopes'] ?? []).map((set) => [set].flat()),
    removes: raw['x-removes']?.why,
  };
}

/** Only a response with a secret can lose it. */
const secretError = 'secret_unavailable' satisfies ErrorCode;

/** Whether a parameter of the path has the name of this field of the body. Then callers send only the parameter. */
export const isInPath = ({ pathParameters }: Operation, field: string): boolean =>
  pathParameters.some(({ name }) => camelCase(name) === field);

/** @returns the schemas of which a value has one */
const alternativesOf = (document: OpenApi, schema: Schema): Schema[] =>
  (schema.anyOf ?? schema.oneOf ?? [schema]).map((one) => resolveRef(document, one));

type Content = { content?: Record<string, { schema?: Schema }> };

const jsonOf = ({ content }: Content) => content?.['application/json']?.schema;

/** @returns the schema of `data` in the envelope; undefined if the response has none */
function dataOf(document: OpenApi, response: Content | { $ref: string }): Schema | undefined {
  const schema = jsonOf(resolveRef(document, response));
  return schema && resolveRef(document, schema).properties?.data;
}

/** `conversations.list` and `api-keys.list` as `ConversationsList` and `ApiKeysList`. */
export const pascalCase = (text: string) =>
  text.replace(/(?:^|[^A-Za-z0-9])([A-Za-z0-9])/g, (_, letter: string) => letter.toUpperCase());

export const camelCase = (text: string) =>
  text.replace(/[^A-Za-z0-9](\w)/g, (_, letter: string) => letter.toUpperCase());
