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

export const parseHeaders = (event: APIGatewayProxyEvent): RequestHeaders => ({
  authorization: readHeader(event, 'authorization', parseBearerToken),
  idempotencyKey: readHeader(event, 'idempotency-key', parseIdempotencyKey),
  ifMatch: readHeader(event, 'if-match', parseIfMatch),
  ifNoneMatch: readHeader(event, 'if-none-match', parseIfNoneMatch),
  contentType: readHeader(event, 'content-type', parseContentType),
  contentEncoding: readHeader(event, 'content-encoding', parseContentEncoding),
});

/**
 * Finds a header in any case, because gateways do not change the case.
 * @param parse gets all values, at least one; undefined means invalid
 */
function readHeader<Value>(
  event: APIGatewayProxyEvent,
  name: string,
  parse: (values: readonly string[]) => Value | undefined,
): Header<Value> {
  const values: string[] = [];
  const headers = event.multiValueHeaders ?? event.headers ?? {};
  for (const key in headers) {
    if (key.length !== name.length || key.toLowerCase() !== name) continue;
    const sent = headers[key];
    if (sent !== undefined) values.push(...[sent].flat());
  }
  if (values.length === 0) return { state: 'absent' };
  const value = parse(values);
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
