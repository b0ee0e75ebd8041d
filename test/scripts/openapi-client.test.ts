/** The generator of the client: types, methods and error classes. */

import { expect, test } from 'vitest';
import type { OpenApi, Schema } from '../../scripts/openapi/client/document.ts';
import { methods } from '../../scripts/openapi/client/methods.ts';
import { operationsIn } from '../../scripts/openapi/client/operations.ts';
import { typeFile, typeOf } from '../../scripts/openapi/client/types.ts';
import { errorClasses } from '../../scripts/openapi/client.ts';

const enveloped = (data: Schema) => ({
  content: { 'application/json': { schema: { type: 'object', properties: { data } } } },
});

const parameter = (name: string, place: string, schema: Schema = { type: 'string' }) => ({
  name,
  in: place,
  required: place === 'path',
  schema,
});

/** A document with one list, one creation, and one raw document. */
const document: OpenApi = {
  paths: {
    '/projects/{project_id}/old-cars': {
      get: {
        operationId: 'old-cars.list',
        summary: 'List cars',
        parameters: [
          parameter('project_id', 'path'),
          { ...parameter('since', 'query', { type: 'string', format: 'date-time' }), deprecated: true },
        ],
        responses: { 200: enveloped({ $ref: '#/components/schemas/CarList' }), 404: {} },
      },
      post: {
        operationId: 'old-cars.create',
        summary: 'Add a car',
        description: 'Ends the comment: */',
        parameters: [parameter('project_id', 'path'), { $ref: '#/components/parameters/Key' }],
        requestBody: {
          content: {
            'application/json': {
              schema: { type: 'object', properties: { at: { type: 'string', format: 'date-time' } } },
            },
          },
        },
        responses: { 201: enveloped({ $ref: '#/components/schemas/Car' }) },
      },
    },
    '/raw.txt': {
      get: {
        operationId: 'raw',
        responses: { 200: { content: { 'text/plain': { schema: { type: 'string' } } } } },
      },
    },
  },
  components: {
    parameters: { Key: parameter('Idempotency-Key', 'header') },
    schemas: {
      Car: { type: 'object', properties: { at: { type: 'string', format: 'date-time' } }, required: ['at'] },
      CarList: {
        type: 'object',
        properties: {
          items: { type: 'array', items: { $ref: '#/components/schemas/Car' } },
          nextCursor: { type: ['string', 'null'] },
        },
        required: ['items', 'nextCursor'],
      },
      Unused: { type: 'string' },
    },
  },
};

/** The layout of generated code is the formatter's business. */
const onOneLine = (code: string) => code.replace(/\s+/g, ' ');

test.each<[Schema, string]>([
  [{ type: ['integer', 'null'] }, 'number | null'],
  [{ enum: ['a', "it's"] }, "'a' | 'it\\'s'"],
  [{ type: 'string', 'x-extensible-enum': ['a'] }, "'a' | (string & {})"],
  [{ anyOf: [{ type: 'string' }, { type: 'null' }] }, 'string | null'],
  [{ type: 'array', items: { anyOf: [{ type: 'string' }, { type: 'null' }] } }, 'Array<string | null>'],
  [{ type: 'object', additionalProperties: { type: 'string' } }, 'Record<string, string>'],
  [{ type: 'object', properties: { 'a-b': { const: true } } }, "{ 'a-b'?: true | undefined; }"],
  [{ $ref: '#/components/schemas/Car' }, 'Car'],
  [{}, 'unknown'],
])('%j is %s', (schema, type) => {
  expect(onOneLine(typeOf(schema, 'received'))).toBe(type);
});

test('times may be sent as Date, and are received as strings; unused schemas are left out', () => {
  const text = onOneLine(typeFile(document, operationsIn(document)));
  expect(text).toContain('export type Car = { at: string; };');
  expect(text).toContain('export type OldCarsCreateRequest = { at?: string | Date | undefined; };');
  expect(text).toContain('/** @deprecated */ since?: string | Date | undefined;');
  expect(text).not.toContain('Unused');
});

test('an operation below a project is a method without the id of the project; a raw document is none', () => {
  const text = onOneLine(methods(operationsIn(document)));
  expect(text).toContain('export class OldCarsMethods extends Resource {');
  expect(text).toContain('list(query?: OldCarsListQuery, options?: RequestOptions): PagePromise<CarList> {');
  expect(text).toContain('create(body: OldCarsCreateRequest = {}, options?: PostOptions): ApiPromise<Car> {');
  expect(text).toContain("return this.call<Car>('POST', url`/old-cars`, { body }, options);");
  expect(text).toContain('Ends the comment: *\\/');
  expect(text).not.toContain('raw');
});

test('each code is an error class', () => {
  const text = onOneLine(errorClasses({ internal_error: { status: 500, message: 'It failed.' } }));
  expect(text).toContain("export class InternalError extends ApiError<'internal_error'> {");
  expect(text).toContain('internal_error: InternalError,');
});
