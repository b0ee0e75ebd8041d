/** llms.txt and the Postman collection have every operation. */

import { expect, test } from 'vitest';
import { endpoints } from '../../functions/index.ts';
import { writtenFiles } from '../../scripts/openapi/outputs.ts';
import { readDocument } from '../../scripts/openapi/read.ts';
import type { Json } from '../../scripts/openapi/schemas.ts';
import { sizesText } from '../../scripts/openapi/sizes.ts';

const files = writtenFiles();
const { operations } = readDocument(JSON.parse(files['openapi.json'] ?? '') as Json);

type Item = {
  id: string;
  event?: { script: { exec: string[] } }[];
  request: {
    method: string;
    url: { path: string[]; variable: { key: string; value: string }[] };
    header: { key: string }[];
    body?: { raw: string };
  };
};
const collection = JSON.parse(files['postman.json'] ?? '') as {
  variable: { key: string }[];
  item: { name: string; item: Item[] }[];
};
const items = collection.item.flatMap(({ item }) => item);

test('llms.txt has a title, a summary and each operation with its example', () => {
  const text = files['llms.txt'] ?? '';
  expect(text).toMatch(/^# Platform API\n\n> /);
  for (const { method, path, id, body, response } of operations) {
    expect(text).toContain(`\`${method} ${path}\` (\`${id}\`)`);
    for (const shown of [body, response?.body])
      if (shown) expect(text).toContain(`\`${JSON.stringify(shown)}\``);
  }
});

test('docs/sizes.md has the limits of fields: nested, in lists, in records and behind references', () => {
  const body = {
    type: 'object',
    properties: {
      name: { $ref: '#/components/schemas/Name' },
      lines: { type: 'array', maxItems: 3, items: { properties: { text: { maxLength: 9 } } } },
      labels: { maxProperties: 2, propertyNames: { maxLength: 4 }, additionalProperties: { maxLength: 5 } },
    },
  };
  const text = sizesText({
    ...(JSON.parse(files['openapi.json'] ?? '') as Json),
    tags: [{ name: 'Tests', description: '' }],
    paths: {
      '/tests': {
        post: {
          operationId: 'tests.create',
          tags: ['Tests'],
          parameters: [{ name: 'limit', in: 'query', schema: { maximum: 50 } }],
          requestBody: { content: { 'application/json': { schema: body } } },
          responses: {},
        },
      },
    },
    components: { parameters: {}, schemas: { Name: { maxLength: 7 } } },
  });
  expect(text.slice(text.indexOf('## Tests')).match(/^\| `.*$/gm)).toEqual([
    '| `limit (query)` | 50 |',
    '| `name` | 7 characters |',
    '| `lines` | 3 items |',
    '| `lines[].text` | 9 characters |',
    '| `labels` | 2 pairs |',
    '| `labels (each name)` | 4 characters |',
    '| `labels (each value)` | 5 characters |',
  ]);
});

test('the Postman collection has each operation once, and a folder per tag', () => {
  const paths = items.map(
    ({ request: { method, url } }) => `${method} /${url.path.join('/').replaceAll(/:(\w+)/g, '{$1}')}`,
  );
  expect(paths.sort()).toEqual(operations.map(({ method, path }) => `${method} ${path}`).sort());
  expect(new Set(operations.map(({ tag }) => tag))).toEqual(new Set(collection.item.map(({ name }) => name)));
});

test('its requests send the recorded bodies, and a key of their own where it counts', () => {
  for (const { id, request } of items) {
    const endpoint = endpoints.find((one) => one.id === id);
    const operation = operations.find((one) => one.id === id);
    expect(request.body && JSON.parse(request.body.raw)).toEqual(operation?.body);
    expect(
      request.header.some(({ key }) => key === 'Idempotency-Key'),
      id,
    ).toBe(endpoint?.idempotent);
  }
});

test('a request that creates something sets the id that others use', () => {
  const used = new Set(
    items.flatMap(({ request }) =>
      request.url.variable.flatMap(({ value }) => /^\{\{(.+)\}\}$/.exec(value)?.[1] ?? []),
    ),
  );
  const set = new Set(
    items.flatMap(({ event = [] }) =>
      event.flatMap(({ script }) => /set\('(\w+)'/.exec(script.exec.join())?.[1] ?? []),
    ),
  );
  // No request creates an event: they follow from the others.
  used.delete('event_id');
  expect(set).toEqual(used);
  expect(collection.variable.map(({ key }) => key)).toEqual(expect.arrayContaining([...used]));
});
