/** What the OpenAPI document has for its readers and for generators of clients. */

import { describe, expect, test } from 'vitest';
import { endpoints } from '../../functions/index.ts';
import { type EventType, eventTypeNames, familyOf } from '../../lib/events/types.ts';
import { eventSchemas } from '../../lib/webhooks/in-events.ts';
import { openApiDocument } from '../../scripts/openapi/document.ts';
import type { Json } from '../../scripts/openapi/schemas.ts';

type Media = { schema: Json; example?: Json; examples?: Record<string, Json> };
type Response = { description?: string; headers?: Record<string, Json>; content?: Record<string, Media> };
type Parameter = {
  $ref?: string;
  name: string;
  in: string;
  required: boolean;
  description?: string;
  example?: unknown;
};
type Operation = {
  operationId: string;
  summary: string;
  description: string;
  parameters?: Parameter[];
  requestBody?: { content: Record<string, Media> };
  responses: Record<string, Response & { $ref?: string }>;
  'x-pagination'?: Json;
  'x-idempotency'?: Json;
};
type Document = {
  tags: { name: string; description: string }[];
  servers: {
    url: string;
    description: string;
    variables?: Record<string, { default: string; description: string }>;
  }[];
  paths: Record<string, Record<string, Operation>>;
  components: {
    schemas: Record<string, Json>;
    responses: Record<string, Response>;
    parameters: Record<string, Parameter>;
    headers: Record<string, Json>;
    pathItems: Record<string, Record<string, Operation>>;
  };
};

const document = JSON.parse(JSON.stringify(openApiDocument())) as Document;
const { schemas, responses, parameters, headers } = document.components;
const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
);
const named = operations.map((one) => [one.operation.operationId, one] as const);
const isSuccess = (status: string) => status.startsWith('2');

/** @returns the places of values without a description */
const undescribed = (values: Record<string, { description?: unknown; $ref?: unknown }>) =>
  Object.entries(values)
    .filter(
      ([, { description, $ref }]) => $ref === undefined && !/\w.*\.$|^`[^`]+`$/s.test(String(description)),
    )
    .map(([place]) => place);

/** @returns the properties of a named schema; all objects are named, so this is every field */
const fieldsOf = (schema: Json) => (schema.properties ?? {}) as Record<string, Json>;

describe('a description', () => {
  test('has every schema', () => expect(undescribed(schemas)).toEqual([]));

  test.each(Object.entries(schemas))('has every field of %s', (_, schema) => {
    const own = Object.entries(fieldsOf(schema)).map(([name, { $ref: _, ...field }]) => [name, field]);
    expect(undescribed(Object.fromEntries(own))).toEqual([]);
  });

  // A table of descriptions by the name of a field gave both that of another resource.
  test('is about the field itself', () => {
    const description = (schema: string, field: string) =>
      fieldsOf(schemas[schema] ?? {})[field]?.description;
    expect(description('Webhook', 'description')).toBe('The purpose of the webhook. Null if not set.');
    expect(description('DeliveryAttempt', 'at')).toBe('When the request was sent.');
  });

  test.each(named)('has every parameter, header and response of %s', (_, { operation }) => {
    expect(
      undescribed(Object.fromEntries((operation.parameters ?? []).map((one) => [one.name, one]))),
    ).toEqual([]);
    expect(undescribed(operation.responses)).toEqual([]);
    for (const response of Object.values(operation.responses))
      expect(undescribed(response.headers ?? {})).toEqual([]);
  });

  test('have the operations, tags, servers and shared components', () => {
    expect(undescribed({ ...responses, ...parameters, ...headers })).toEqual([]);
    for (const response of Object.values(responses)) expect(undescribed(response.headers ?? {})).toEqual([]);
    expect(undescribed(Object.fromEntries(document.tags.map((tag) => [tag.name, tag])))).toEqual([]);
    expect(
      undescribed(Object.fromEntries(operations.map(({ operation }) => [operation.operationId, operation]))),
    ).toEqual([]);
    for (const { url, description, variables = {} } of document.servers) {
      expect(description, url).toBeTruthy();
      expect(undescribed(variables)).toEqual([]);
    }
  });
});

test.each(named)('every success of %s has an X-Request-Id', (_, { operation }) => {
  const successes = Object.entries(operation.responses).filter(([status]) => isSuccess(status));
  expect(successes.length).toBeGreaterThan(0);
  for (const [, { headers: own = {} }] of successes) expect(Object.keys(own)).toContain('X-Request-Id');
});

test.each(named)('if %s returns a list, its example has an item', (_, { operation }) => {
  const { 'x-pagination': pagination, responses: own } = operation;
  const example = own['200']?.content?.['application/json']?.example as { data?: Json } | undefined;
  const path = `${pagination?.items ?? 'items'}`.split('.');
  const items = path.reduce<unknown>((value, name) => (value as Json | undefined)?.[name], example?.data);
  expect(Array.isArray(items)).toBe(pagination !== undefined || items !== undefined);
  expect(items).not.toEqual([]);
});

describe('the webhooks', () => {
  const sections = Object.entries(document.components.pathItems).map(([type, { post }]) => {
    const media = post?.requestBody?.content['application/json'];
    if (!media) throw new Error(`${type} has no body`);
    return [type, media] as const;
  });

  test('have every type of events', () => {
    expect(sections.map(([type]) => type)).toEqual(eventTypeNames);
  });

  test.each(sections)(
    '%s has the schema of its type, and an example that its resource accepts',
    (type, media) => {
      const name = `${media.schema.$ref}`.split('/').at(-1) ?? '';
      const properties = (schemas[name]?.properties ?? {}) as Record<string, Json>;
      expect(properties.type?.const).toBe(type);
      const { data, ...event } = media.example as { data: Json; type: string };
      expect(event.type).toBe(type);
      const resource = eventSchemas[familyOf(type as EventType)];
      const parsed = resource.safeParse(data);
      expect(parsed.success || Object.keys(data).join() === 'id').toBe(true);
    },
  );
});

describe('a named schema', () => {
  test.each(named)(
    'has each body and each success of %s, and ErrorResponse each error',
    (_, { operation }) => {
      // Server-sent events are text.
      const refs = (content: Record<string, Media> = {}) =>
        Object.entries(content)
          .filter(([type]) => type !== 'text/event-stream')
          .map(([, { schema }]) => schema.$ref);
      const successes = Object.entries(operation.responses).filter(([status]) => isSuccess(status));
      const found = [operation.requestBody?.content, ...successes.map(([, { content }]) => content)].flatMap(
        refs,
      );
      for (const ref of found) expect(ref).toMatch(/^#\/components\/schemas\/\w+$/);
      const errors = Object.entries(operation.responses).filter(([status]) => status >= '400');
      for (const [, { $ref }] of errors) expect($ref).toMatch(/^#\/components\/responses\/\w+$/);
    },
  );

  test('has every object', () => {
    const inline: string[] = [];
    const look = (place: string, schema: Json | undefined, isNamed = false) => {
      if (!schema) return;
      if (schema.type === 'object' && !isNamed) inline.push(place);
      for (const [name, field] of Object.entries(fieldsOf(schema))) look(`${place}.${name}`, field);
      look(`${place}[]`, schema.items as Json | undefined);
      for (const one of (schema.anyOf ?? []) as Json[]) look(place, one);
    };
    for (const [name, schema] of Object.entries(schemas)) look(name, schema, true);
    // The names of its fields are the caller's own.
    expect(inline).toEqual(['ScoreSchema.properties']);
  });

  test('all errors have the same', () => {
    const used = Object.values(responses).flatMap(({ content = {} }) => Object.values(content));
    expect(new Set(used.map(({ schema }) => schema.$ref))).toEqual(
      new Set(['#/components/schemas/ErrorResponse']),
    );
  });
});

describe('an example that the tests sent', () => {
  test.each(named)('has %s', (_, { path, operation }) => {
    const raw = endpoints.find(({ id }) => id === operation.operationId)?.raw;
    const successes = Object.entries(operation.responses).filter(([status]) => isSuccess(status));
    const shown = successes
      .flatMap(([, { content = {} }]) => Object.values(content))
      .filter(({ example }) => example);
    expect(shown, 'npm run generate').toHaveLength(raw ? 0 : 1);
    for (const { example } of Object.values(operation.requestBody?.content ?? {}))
      expect(example).toBeDefined();
    const inPath = (operation.parameters ?? []).filter((one) => one.in === 'path');
    expect(inPath.map(({ name }) => `{${name}}`)).toEqual(
      [...path.matchAll(/\{.*?\}/g)].map(([name]) => name),
    );
    const required = (operation.parameters ?? []).filter((one) => one.required);
    for (const { name, example } of required) expect(example, name).toBeDefined();
  });
});

test('only a request with a body can be too large or of the wrong type', () => {
  const wrong = operations.filter(
    ({ operation }) =>
      !operation.requestBody && ('413' in operation.responses || '415' in operation.responses),
  );
  expect(wrong.map(({ operation }) => operation.operationId)).toEqual([]);
});

test('every list says how to get the next page, and every POST how to repeat it', () => {
  for (const { method, operation } of operations) {
    const query = (operation.parameters ?? []).map(({ name }) => name);
    // The parts of a text are no list: they have no limit.
    const isPaged = query.includes('limit') && (query.includes('cursor') || query.includes('afterSeq'));
    expect('x-pagination' in operation, operation.operationId).toBe(isPaged);
    expect('x-idempotency' in operation, operation.operationId).toBe(method === 'post');
  }
});
