/**
 * The OpenAPI document promises no more than the service accepts: the service accepts every hostile text that the
 * schemas accept.
 */

import { expect, test } from 'vitest';
import type * as z from 'zod';
import { endpoints } from '../../functions/index.ts';
import { parseIdempotencyKey } from '../../lib/http/headers.ts';
import { openApiDocument } from '../../scripts/openapi/document.ts';
import { Components, type Json } from '../../scripts/openapi/schemas.ts';

/** Texts to send. Half of a surrogate pair is excluded, because JSON in UTF-8 cannot contain it. */
const hostile = [
  ...[
    '',
    ' ',
    '\u200b',
    '\u00a0',
    '\t',
    'a\u0000',
    'a\nb',
    '\u007fa',
    'a\u0085',
    '\u2028',
    'e\u0301',
    '😀',
    'ü',
  ],
  ...[
    '-',
    'x',
    'en',
    'en-GB',
    'EN-gb',
    'e',
    'english',
    'en_GB',
    'en-',
    'en-GB-',
    'i-klingon',
    'x-private',
    'zh-Hant-TW',
  ],
  ...['de-DE-u-co-phonebk', 'en-a', '123', 'abcdefghi', 'no tag', 'a'.repeat(36)],
  ...['2026-03-01T09:30:00Z', '1969-12-31T23:59:59Z', '1900-01-01T00:00:00Z', '0000-01-01T00:00:00Z'],
  ...[
    '2026-03-01',
    '2026-03-01t09:30:00z',
    '2026-03-01 09:30:00Z',
    '2026-03-01T09:30:00',
    '+002026-03-01T09:30:00Z',
  ],
  ...['0d', '1d', '365d', '366d', '52w', '53w', '8760h', '8761h', '999999h', '1.5d', '-1d', '01d', '1y'],
  ...[
    'https://a.example/b',
    'http://a.example',
    'https://',
    'HTTPS://a.example',
    'https://a b',
    'javascript:alert(1)',
  ],
  ...[
    '6d5f75d',
    '6D5F75D',
    'g'.repeat(7),
    'production',
    'Production',
    'a/b',
    '..',
    '%ff',
    'null',
    '0',
    '1',
    '-1',
    '21',
  ],
  ...[40, 41, 100, 101, 200, 201, 255, 256, 500, 501, 512, 513, 1000, 1001, 8000, 8001, 32_000, 32_001].map(
    (n) => 'a'.repeat(n),
  ),
  ...[40, 41, 255, 256].map((n) => '😀'.repeat(n)),
];

/** Texts that only the service can refuse, because the decision depends on more than the text. */
const beyondSchemas: Record<string, string> = {
  // JSON Schema cannot check bytes, words and times.
  'conversations.search q': 'it must contain a word',
  'knowledge.search q': 'it must contain a word',
  'knowledge.evaluate questions.0.q': 'it must contain a word',
  // No pattern says this in every language.
  'conversations.scores.put rationale': 'it must have no control character',
};

/** Not every language has classes for these, so patterns do not exclude them. Descriptions do. */
const isInvisible = /^[\p{Cf}\p{Z}]+$/u;

/** RFC 3339 section 5.6, in capital letters. A description says that a time must not be before 1970. */
const isTime = (value: string, description: unknown) =>
  /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?(Z|[+-]\d{2}:\d{2})$/.test(value) &&
  !(/In 1970 or later/.test(String(description)) && Date.parse(value) < 0);

/** @returns whether a JSON Schema accepts a text. Supports only the keywords that our text schemas use */
function accepts(schema: Json, value: string): boolean {
  if (schema.type === 'array') return false;
  const known = ['type', 'minLength', 'maxLength', 'pattern', 'enum', 'const', 'anyOf', 'allOf', 'format'];
  const notes = [
    'description',
    'examples',
    'default',
    'title',
    'deprecated',
    'minimum',
    'maximum',
    'multipleOf',
    'contentEncoding',
    'x-extensible-enum',
    'x-removes',
  ];
  const unknown = Object.keys(schema).filter(
    (key) => !known.includes(key) && !notes.includes(key) && key !== 'id',
  );
  if (unknown.length > 0) throw new Error(`the test does not know ${unknown}`);
  const {
    type,
    minLength = 0,
    maxLength = Number.POSITIVE_INFINITY,
    pattern,
    enum: among,
    anyOf,
    allOf,
  } = schema;
  if (anyOf) return (anyOf as Json[]).some((one) => accepts(one, value));
  if (allOf && !(allOf as Json[]).every((one) => accepts(one, value))) return false;
  if ('const' in schema) return schema.const === value;
  if (Array.isArray(among)) return among.includes(value);
  if (type !== 'string' && !(allOf && type === undefined)) return false;
  if (schema.format === 'date-time' && !isTime(value, schema.description)) return false;
  const { length } = [...value];
  return (
    length >= (minLength as number) &&
    length <= (maxLength as number) &&
    (pattern === undefined || new RegExp(pattern as string, 'u').test(value))
  );
}

type Path = readonly (string | number)[];

/** `choice` has the constants that choose one of several schemas of the whole request. */
type Text = { path: Path; schema: Json; choice?: Json };

/** @returns the texts in a request, each with its schema */
function textsIn(schema: Json, components: Json): Text[] {
  const { $ref, type, properties, items, anyOf, oneOf } = schema;
  if (typeof $ref === 'string') {
    const name = $ref.split('/').at(-1) ?? '';
    // A schema that contains itself: its texts on the first level stand for those below.
    const { [name]: own, ...others } = components;
    return own === undefined ? [] : textsIn(own as Json, others);
  }
  if (Array.isArray(oneOf)) {
    return (oneOf as Json[]).flatMap((part) => {
      const one = (components[String(part.$ref).split('/').at(-1) ?? ''] ?? part) as Json;
      const members = Object.entries((one.properties ?? {}) as Record<string, Json>);
      const constants = members.filter(([, member]) => 'const' in member);
      const choice = Object.fromEntries(constants.map(([name, member]) => [name, member.const]));
      return textsIn(one, components)
        .filter(({ path: [name = ''] }) => !(name in choice))
        .map((text) => ({ ...text, choice }));
    });
  }
  if (type === 'object') {
    return Object.entries((properties ?? {}) as Record<string, Json>).flatMap(([name, member]) =>
      textsIn(member, components).map(({ path, schema }) => ({ path: [name, ...path], schema })),
    );
  }
  if (type === 'array') {
    return textsIn(items as Json, components).map(({ path, schema }) => ({ path: [0, ...path], schema }));
  }
  if (Array.isArray(anyOf)) {
    const nested = (anyOf as Json[]).filter((one) => one.type === 'object' || '$ref' in one);
    if (nested.length > 0) return nested.flatMap((one) => textsIn(one, components));
    return [{ path: [], schema }];
  }
  return type === 'string' || type === undefined ? [{ path: [], schema }] : [];
}

const put = ([first, ...rest]: Path, value: unknown): unknown => {
  if (first === undefined) return value;
  return typeof first === 'number' ? [put(rest, value)] : { [first]: put(rest, value) };
};

/** @returns whether the service reports a problem at this path or below it. Other missing fields do not count */
function refuses(schema: z.ZodType, { path, choice }: Text, value: string): string | undefined {
  const made = put(path, value);
  const { error } = schema.safeParse(choice ? { ...choice, ...(made as Json) } : made);
  return error?.issues.find(
    (issue) => issue.path.length >= path.length && path.every((part, n) => issue.path[n] === part),
  )?.message;
}

const parts = endpoints.flatMap(({ id, request: { query, body } }) => [
  { id, part: 'query', zod: query },
  ...(body ? [{ id, part: 'body', zod: body }] : []),
]);

test.each(parts)('$id: $part', ({ id, zod }) => {
  const components = new Components();
  const json = components.of(zod, 'input');
  const found: string[] = [];
  for (const text of textsIn(json, components.schemas as Json)) {
    const { path, schema } = text;
    if (`${id} ${path.join('.')}` in beyondSchemas) continue;
    for (const value of hostile) {
      if (isInvisible.test(value)) continue;
      const refusal = accepts(schema, value) ? refuses(zod, text, value) : undefined;
      if (refusal !== undefined) found.push(`${path.join('.')} ${JSON.stringify(value)}: ${refusal}`);
    }
  }
  expect(found).toEqual([]);
});

test('every Idempotency-Key that the document allows is valid', { tags: ['long'] }, () => {
  const { components } = openApiDocument() as {
    components: { parameters: { IdempotencyKey: { schema: Json } } };
  };
  const values = [...hostile, '""', '"a"', '"a\\"b"', '"\\\\"', '"a', 'a"', '"'];
  const wrong = values.filter(
    (value) =>
      accepts(components.parameters.IdempotencyKey.schema, value) &&
      // A header's value has no surrounding white space.
      value.trim() === value &&
      parseIdempotencyKey([value]) === undefined,
  );
  expect(wrong).toEqual([]);
});
