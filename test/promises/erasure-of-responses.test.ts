/** Every stored response that shows a document is found when the document is expunged, by the schemas of all endpoints. */

import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { documentsIn } from '../../lib/erasure/remaining-data.ts';
import { root } from '../../scripts/shared/root.ts';

type Schema = {
  $ref?: string;
  type?: string | string[];
  pattern?: string;
  enum?: unknown[];
  properties?: Record<string, Schema>;
  items?: Schema;
  anyOf?: Schema[];
};
type Operation = { operationId: string; responses: Record<string, Schema & { content?: Content }> };
type Content = Record<string, { schema: Schema }>;

const { paths, components } = JSON.parse(readFileSync(resolve(root, 'openapi.json'), 'utf8')) as {
  paths: Record<string, { post?: Operation }>;
  components: { schemas: Record<string, Schema> };
};

const id = 'kdoc_01JZ4Y7Q8R5T2V9W3X6B0C1D4E';

/** They have no text of a document: citations are the caller's, and problems are ours. */
const referring = ['Citation', 'DocumentProblem'];

const nameOf = ({ $ref }: Schema): string | undefined => $ref?.split('/').at(-1);
const open = (schema: Schema): Schema => components.schemas[nameOf(schema) ?? ''] ?? schema;
const alternatives = (schema: Schema): Schema[] => (open(schema).anyOf ?? [schema]).map(open);
const isDocumentId = (schema: Schema) =>
  alternatives(schema).some(({ pattern }) => pattern?.startsWith('^kdoc_'));
const isText = (schema: Schema) =>
  !isDocumentId(schema) &&
  alternatives(schema).some((one) => [one.type].flat().includes('string') && !one.enum);

/** An object with the id and a text of a document. `wrap` puts a value into its place in a response. */
type Place = { name: string; example: unknown; wrap: (value: unknown) => unknown };

/** @returns the places of such objects in a response */
function placesIn(schema: Schema, name: string, wrap: Place['wrap'], above: readonly Schema[] = []): Place[] {
  const own = open(schema);
  if (above.includes(own)) return [];
  const below = (next: Schema, member: string, put: Place['wrap']) =>
    placesIn(next, nameOf(next) ?? `${name}.${member}`, (value) => wrap(put(value)), [...above, own]);
  const properties = Object.entries(own.properties ?? {});
  const ids = properties.filter(([, one]) => isDocumentId(one));
  const texts = properties.filter(([, one]) => isText(one));
  const example = Object.fromEntries([
    ...ids.map(([key]) => [key, id]),
    ...texts.map(([key]) => [key, 'text']),
  ]);
  return [
    ...(ids.length > 0 && texts.length > 0 ? [{ name, example, wrap }] : []),
    ...properties.flatMap(([key, one]) => below(one, key, (value) => ({ [key]: value }))),
    ...(own.items ? below(own.items, 'items', (value) => [value]) : []),
    ...(own.anyOf ?? []).flatMap((one, at) => below(one, `${at}`, (value) => value)),
  ];
}

const places = Object.values(paths).flatMap(({ post }) =>
  Object.entries(post?.responses ?? {}).flatMap(([status, response]) => {
    const schema = open(response as Schema & { content?: Content }) as Schema & { content?: Content };
    const body = open(schema.content?.['application/json']?.schema ?? {});
    const data = status.startsWith('2') ? body.properties?.data : undefined;
    return data
      ? placesIn(data, nameOf(data) ?? 'data', (value) => value).map((place) => ({
          ...place,
          operation: post?.operationId ?? '',
        }))
      : [];
  }),
);

test('a response to a POST that has the id and a text of a document shows the document', () => {
  const shown = places.filter(({ name }) => !referring.includes(name));
  const missed = shown.filter(({ wrap, example }) => !documentsIn(wrap(example)).has(id));
  expect(missed.map(({ operation, name }) => `${operation}: ${name}`)).toEqual([]);
  expect(shown.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['KnowledgeDocument', 'FoundDocument']),
  );
});

test('a response that only refers to a document does not show it', () => {
  const others = places.filter(({ name }) => referring.includes(name));
  expect(new Set(others.map(({ name }) => name))).toEqual(new Set(referring));
  const kept = others.filter(({ wrap, example }) => !documentsIn(wrap(example)).has(id));
  expect(kept).toHaveLength(others.length);
});

test('a response with JSON of any depth is read to its end', () => {
  const depth = 100_000;
  const nested = JSON.parse(`${'['.repeat(depth)}{"id":"${id}","title":"t"}${']'.repeat(depth)}`);
  expect([...documentsIn(nested)]).toEqual([id]);
});
