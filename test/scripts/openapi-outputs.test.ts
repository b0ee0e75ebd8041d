/** What is made from the OpenAPI document: llms.txt has every operation, docs/sizes.md every limit. */

import { expect, test } from 'vitest';
import { writtenFiles } from '../../scripts/openapi/outputs.ts';
import { readDocument } from '../../scripts/openapi/read.ts';
import type { Json } from '../../scripts/openapi/schemas.ts';
import { sizesText } from '../../scripts/openapi/sizes.ts';

const files = writtenFiles();
const { operations } = readDocument(JSON.parse(files['openapi.json'] ?? '') as Json);

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
      content: { maxLength: 2048, description: 'At most 2 KB in UTF-8.' },
      bytes: { maximum: 3 * 1024 * 1024 },
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
    '| `limit (query)` | 50 items |',
    '| `name` | 7 characters |',
    '| `content` | 2 KB in UTF-8 |',
    '| `bytes` | 3 MB |',
    '| `lines` | 3 items |',
    '| `lines[].text` | 9 characters |',
    '| `labels` | 2 pairs |',
    '| `labels (each name)` | 4 characters |',
    '| `labels (each value)` | 5 characters |',
  ]);
});
