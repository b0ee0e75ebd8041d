/** The request headers that affect the response. Each header is parsed once. */

import type { APIGatewayProxyEvent } from 'aws-lambda';
import { type EntityTagTest, parseIfMatch, parseIfNoneMatch } from './entity-tags.ts';

export type Header<Value> =
  | { readonly state: 'absent' }
  | { readonly state: 'invalid' }
  | { readonly state: 'valid'; readonly value: Value };

export type RequestHeaders = {
  authorization: Header<string>;
  idempotencyKey: Header<string>;
  ifMatch: Header<EntityTagTest>;
  ifNoneMatch: Header<EntityTagTest>;
  /** JSON in UTF-8 is the only accepted type. */
  contentType: Header<'json'>;
  /** The body must not be compressed. */
  contentEncoding: Header<'identity'>;
};

const names = new Set([
  'authorization',
  'idempotency-key',
  'if-match',
  'if-none-match',
  'content-type',
  'content-encoding',
] as const);

type Name = Parameters<typeof names.has>[0];

/** The values of each header that was sent, at least one. */
type HeaderValues = Partial<Record<Name, string[]>>;

export function parseHeaders(event: APIGatewayProxyEvent): RequestHeaders {
  const headers = valuesByName(event);
  return {
    authorization: parse(headers.authorization, parseBearerToken),
    idempotencyKey: parse(headers['idempotency-key'], parseIdempotencyKey),
    ifMatch: parse(headers['if-match'], parseIfMatch),
    ifNoneMatch: parse(headers['if-none-match'], parseIfNoneMatch),
    contentType: parse(headers['content-type'], parseContentType),
    contentEncoding: parse(headers['content-encoding'], parseContentEncoding),
  };
}

const isHandled = (name: string): name is Name => names.has(name as Name);

/** @param name in lower case. @returns the values of a header, as sent */
export function headerValues({ multiValueHeaders }: APIGatewayProxyEvent, name: string): readonly string[] {
  return Object.entries(multiValueHeaders ?? {}).flatMap(([header, values = []]) =>
    header.toLowerCase() === name ? values : [],
  );
}

/** The case of names does not matter, because gateways do not change it. */
function valuesByName(event: APIGatewayProxyEvent): HeaderValues {
  const byName: HeaderValues = {};
  const headers = event.multiValueHeaders ?? event.headers ?? {};
  for (const key in headers) {
    const name = key.toLowerCase();
    const values = headers[key];
    if (!isHandled(name) || values === undefined) continue;
    const list = Array.isArray(values) ? values : [values];
    byName[name] = byName[name]?.concat(list) ?? list;
  }
  return byName;
}

/** @param parser returns undefined for invalid values */
function parse<Value>(
  values: readonly string[] | undefined,
  parser: (values: readonly string[]) => Value | undefined,
): Header<Value> {
  if (values === undefined || values.length === 0) return { state: 'absent' };
  const value = parser(values);
  return value === undefined ? { state: 'invalid' } : { state: 'valid', value };
}

/** The case of the type does not matter (RFC 9110 section 8.3). JSON is in UTF-8 (RFC 8259 section 8.1). */
function parseContentType([value = '', ...more]: readonly string[]): 'json' | undefined {
  if (more.length > 0) return undefined;
  // Nearly all requests send it in this form.
  if (value === 'application/json') return 'json';
  const charset = /;\s*charset\s*=\s*"?([^";\s]+)/i.exec(value)?.[1] ?? 'utf-8';
  const isJson = /^\s*application\/json\s*(;|$)/i.test(value) && charset.toLowerCase() === 'utf-8';
  return isJson ? 'json' : undefined;
}

const parseContentEncoding = (values: readonly string[]): 'identity' | undefined =>
  values.every((coding) => coding.toLowerCase() === 'identity') ? 'identity' : undefined;

/**
 * @param values of the header Authorization, as sent
 * @returns the token (RFC 6750 section 2.1), or undefined unless there is exactly one. The scheme's case does not
 *   matter (RFC 9110 section 11.1)
 */
function parseBearerToken(values: readonly string[]): string | undefined {
  return values.length === 1 ? /^bearer +(\S+)$/i.exec(values[0]?.trim() ?? '')?.[1] : undefined;
}

/** In a quoted string, only a quote and a backslash are escaped (RFC 8941 section 3.3.3). */
const quotedString = /^"((?:[^"\\]|\\["\\])*)"$/;
const printableAscii = /^[\x20-\x7e]{1,255}$/;

/**
 * @param values the header's values, as sent
 * @returns the key: the content of a quoted string, otherwise the value; undefined if it is missing or invalid
 */
export function parseIdempotencyKey(values: readonly string[]): string | undefined {
  if (values.length !== 1) return undefined;
  const value = values[0]?.trim() ?? '';
  const quoted = quotedString.exec(value);
  const key = quoted ? (quoted[1] ?? '').replace(/\\(["\\])/g, '$1') : value;
  return printableAscii.test(key) ? key : undefined;
}
