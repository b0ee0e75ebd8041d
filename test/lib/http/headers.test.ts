/** Each header is parsed once, into absent, invalid or valid. */

import { globSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { APIGatewayProxyEvent } from 'aws-lambda';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseHeaders, parseIdempotencyKey, type RequestHeaders } from '../../../lib/http/headers.ts';
import { root } from '../../../scripts/shared/root.ts';

const parse = (headers: Record<string, string[]>) =>
  parseHeaders({ multiValueHeaders: headers } as Partial<APIGatewayProxyEvent> as APIGatewayProxyEvent);

const rows: [name: string, field: keyof RequestHeaders, valid: string[][], invalid: string[][]][] = [
  [
    'Authorization',
    'authorization',
    [['Bearer a'], ['bearer  a ']],
    [['Basic a'], ['Bearer'], ['Bearer a', 'Bearer a'], ['Basic bearer a'], ['Bearer a b']],
  ],
  ['Idempotency-Key', 'idempotencyKey', [['a'], ['"a"']], [[''], ['""'], ['a', 'a'], ['ä']]],
  ['If-Match', 'ifMatch', [['*'], ['"1"'], ['"1"', '"2"']], [['1'], ['']]],
  ['If-None-Match', 'ifNoneMatch', [['W/"1"'], ['*']], [['1']]],
  [
    'Content-Type',
    'contentType',
    [['application/json'], ['Application/JSON; charset="UTF-8"']],
    [['text/plain'], ['application/json; charset=utf-16'], ['application/json', 'application/json']],
  ],
  ['Content-Encoding', 'contentEncoding', [['identity']], [['gzip'], ['identity', 'gzip']]],
];

describe.each(rows)('%s', (name, field, valid, invalid) => {
  test('is absent, invalid or valid, whatever the case of its name', () => {
    expect(parse({ 'X-Other': ['a'] })[field]).toEqual({ state: 'absent' });
    for (const sent of [name, name.toLowerCase(), name.toUpperCase()]) {
      for (const values of valid) expect(parse({ [sent]: values })[field]).toMatchObject({ state: 'valid' });
      for (const values of invalid) expect(parse({ [sent]: values })[field]).toEqual({ state: 'invalid' });
    }
  });
});

test('without multiple values, the single ones count', () => {
  const event = { headers: { authorization: 'Bearer a' } } as Partial<APIGatewayProxyEvent>;
  expect(parseHeaders(event as APIGatewayProxyEvent).authorization).toEqual({ state: 'valid', value: 'a' });
});

test('only headers.ts reads the headers of a request', () => {
  const readers = globSync('{functions,lib}/**/*.ts', { cwd: root }).filter((file) =>
    /\bmultiValueHeaders\b|\bevent\.headers\b/.test(readFileSync(resolve(root, file), 'utf8')),
  );
  expect(readers).toEqual(['lib/http/headers.ts']);
});

test('a key means the same quoted and bare', () => {
  const printable = fc.integer({ min: 0x20, max: 0x7e }).map((code) => String.fromCharCode(code));
  fc.assert(
    fc.property(fc.string({ unit: printable, minLength: 1, maxLength: 120 }), (text) => {
      const quoted = `"${text.replace(/["\\]/g, '\\$&')}"`;
      expect(parseIdempotencyKey([quoted])).toBe(text);
      const bare = text.trim();
      if (bare !== '' && !bare.startsWith('"')) expect(parseIdempotencyKey([text])).toBe(bare);
    }),
  );
});

test.each([
  ['no header', []],
  ['two headers', ['a', 'b']],
  ['an empty value', ['']],
  ['an empty quoted string', ['""']],
  ['256 characters', ['a'.repeat(256)]],
  ['a character that is not ASCII', ['aé']],
  ['a control character at the start', ['"\u0001a"']],
  ['a control character at the end', ['"a\u0001"']],
])('%s is no key', (_, values) => {
  expect(parseIdempotencyKey(values)).toBeUndefined();
});

test.each(['a"b"', '"a"b', '"a\\b"'])('%s is not a quoted string, so the key is the whole value', (value) => {
  expect(parseIdempotencyKey([value])).toBe(value);
});

test('255 characters are a key', () => {
  expect(parseIdempotencyKey(['a'.repeat(255)])).toHaveLength(255);
});
