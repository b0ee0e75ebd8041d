/** Parameters and response headers. */

import type { Endpoint } from '../../lib/http/endpoint.ts';
import { described } from './describe.ts';
import type { Components, Json } from './schemas.ts';

/** @param examples the values of the recorded request, by name */
export function parametersOf(
  endpoint: Endpoint,
  components: Components,
  examples: Readonly<Record<string, string>>,
): Json[] {
  return [
    ...declared(endpoint, 'path', components, examples),
    ...declared(endpoint, 'query', components, examples),
    ...(endpoint.idempotent ? [{ $ref: '#/components/parameters/IdempotencyKey' }] : []),
    ...(endpoint.ifMatch ? [{ $ref: '#/components/parameters/IfMatch' }] : []),
    ...(endpoint.ifNoneMatch ? [{ $ref: '#/components/parameters/IfNoneMatch' }] : []),
    ...(endpoint.raw === 'events' ? [{ $ref: '#/components/parameters/LastEventId' }] : []),
  ];
}

function declared(
  endpoint: Endpoint,
  where: 'path' | 'query',
  components: Components,
  examples: Readonly<Record<string, string>>,
): Json[] {
  const sent = where === 'path' ? endpoint.request.params : endpoint.request.query;
  const { properties = {}, required = [] } = components.of(sent, 'input') as {
    properties?: Record<string, Json>;
    required?: string[];
  };
  return Object.entries(properties).map(([name, property]) => {
    const { description, deprecated, ...schema } = described(property, components.schemas);
    const example = examples[name];
    return {
      name,
      in: where,
      required: required.includes(name),
      ...(deprecated === true && { deprecated }),
      description,
      schema,
      // One value after another: `score=csat:gte:3&score=solved:eq:true`.
      ...(schema.type === 'array' && { style: 'form', explode: true }),
      ...(example !== undefined && { example: schema.type === 'integer' ? Number(example) : example }),
    };
  });
}

/** The parameters that many operations share. */
export const sharedParameters = {
  IdempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    required: false,
    description:
      'Makes the request safe to repeat. Choose 1 to 255 printable ASCII characters that are unique to ' +
      'the operation, such as a UUID. Remembered for 24 hours.',
    // For a quoted string (RFC 8941), its content counts.
    schema: { type: 'string', pattern: String.raw`^([ !#-~][ -~]{0,254}|"([ !#-\[\]-~]|\\["\\]){1,255}")$` },
    example: '0b7cf2f4-5f0c-4f6e-9f4e-2a1f6f7f0c11',
  },
  IfMatch: {
    name: 'If-Match',
    in: 'header',
    required: false,
    description:
      'The `ETag` of the version to change. If the resource has another version, the response is 412. ' +
      'Without this header, the last write wins.',
    schema: { type: 'string' },
    example: '"3"',
  },
  IfNoneMatch: {
    name: 'If-None-Match',
    in: 'header',
    required: false,
    description:
      'The `ETag` of the version that you have. If it is current, the response is 304 without a body.',
    schema: { type: 'string' },
    example: '"3"',
  },
  LastEventId: {
    name: 'Last-Event-ID',
    in: 'header',
    required: false,
    description: 'The id of the last event that you have. The stream goes on behind it.',
    schema: { type: 'string', pattern: String.raw`^(0|[1-9]\d{0,6})$` },
    example: '36',
  },
};

/** The headers of every response to a limited caller. */
export const limitHeaders = {
  RateLimit: { $ref: '#/components/headers/RateLimit' },
  'RateLimit-Policy': { $ref: '#/components/headers/RateLimitPolicy' },
};

/** The response headers that many operations share. */
export const sharedHeaders = {
  RequestId: { description: 'Identifies this request in the logs.', schema: { type: 'string' } },
  Replayed: {
    description: 'Present if the response comes from an earlier request with the same Idempotency-Key.',
    schema: { type: 'string', const: 'true' },
  },
  RetryAfter: { description: 'Seconds to wait before you retry.', schema: { type: 'integer' } },
  RateLimit: {
    description:
      'The remaining requests of a limited caller: `"key";r=99;t=42` means 99 requests in the next 42 seconds ' +
      '(draft-ietf-httpapi-ratelimit-headers-11). The names are `key`, `parent` (the key above that is closest to ' +
      'refusing) and `tenant`.',
    schema: { type: 'string' },
  },
  RateLimitPolicy: {
    description: 'The limits of a limited caller: `"key";q=100;w=60` means 100 requests per 60 seconds.',
    schema: { type: 'string' },
  },
  WwwAuthenticate: {
    description: 'The accepted scheme: `Bearer` (RFC 9110 section 11.6.1).',
    schema: { type: 'string' },
  },
};
