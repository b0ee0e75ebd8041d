/** The request headers that affect the response. Each is parsed once. */

import type { APIGatewayProxyEvent } from 'aws-lambda';
import { parseBearerToken } from '../credentials/bearer-token.ts';
import { parseIdempotencyKey } from '../idempotency/key.ts';
import { type EntityTagTest, parseIfMatch, parseIfNoneMatch } from './entity-tags.ts';

export type Header<Value> =
  | { readonly state: 'absent' }
  | { readonly state: 'invalid' }
  | { readonly state: 'valid'; readonly value: Value };

export type RequestHeaders = {
  /** The bearer token. */
  authorization: Header<string>;
  idempotencyKey: Header<string>;
  ifMatch: Header<EntityTagTest>;
  ifNoneMatch: Header<EntityTagTest>;
  /** Valid if it is JSON in UTF-8, the only accepted type. */
  contentType: Header<'json'>;
  /** Valid if the body is not compressed. */
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

/** The values of each header, as sent, at least one; undefined for an absent header. */
type Sent = Partial<Record<Name, string[]>>;

export function parseHeaders(event: APIGatewayProxyEvent): RequestHeaders {
  const sent = sentHeaders(event);
  return {
    authorization: parse(sent.authorization, parseBearerToken),
    idempotencyKey: parse(sent['idempotency-key'], parseIdempotencyKey),
    ifMatch: parse(sent['if-match'], parseIfMatch),
    ifNoneMatch: parse(sent['if-none-match'], parseIfNoneMatch),
    contentType: parse(sent['content-type'], parseContentType),
    contentEncoding: parse(sent['content-encoding'], parseContentEncoding),
  };
}

const isKnown = (name: string): name is Name => names.has(name as Name);

/** @param name in lower case. @returns the values of a header, as sent */
export function headerValues({ multiValueHeaders }: APIGatewayProxyEvent, name: string): readonly string[] {
  return Object.entries(multiValueHeaders ?? {}).flatMap(([sent, values = []]) =>
    sent.toLowerCase() === name ? values : [],
  );
}

/** Finds headers in any case, because gateways do not change the case. */
function sentHeaders(event: APIGatewayProxyEvent): Sent {
  const sent: Sent = {};
  const headers = event.multiValueHeaders ?? event.headers ?? {};
  for (const key in headers) {
    const name = key.toLowerCase();
    const values = headers[key];
    if (!isKnown(name) || values === undefined) continue;
    const added = Array.isArray(values) ? values : [values];
    sent[name] = sent[name]?.concat(added) ?? added;
  }
  return sent;
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

/** The type's case does not matter (RFC 9110 section 8.3); JSON is in UTF-8 (RFC 8259 section 8.1). */
function parseContentType([value = '', ...more]: readonly string[]): 'json' | undefined {
  const charset = /;\s*charset\s*=\s*"?([^";\s]+)/i.exec(value)?.[1] ?? 'utf-8';
  const isJson = /^\s*application\/json\s*(;|$)/i.test(value) && charset.toLowerCase() === 'utf-8';
  return isJson && more.length === 0 ? 'json' : undefined;
}

const parseContentEncoding = (values: readonly string[]): 'identity' | undefined =>
  values.every((coding) => coding.toLowerCase() === 'identity') ? 'identity' : undefined;
