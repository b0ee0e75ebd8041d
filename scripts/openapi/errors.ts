/** Errors in the OpenAPI document: one schema, and one response per status, which all operations share. */

import type { ErrorCode } from '../../lib/base/errors.ts';
import type { Endpoint } from '../../lib/http/endpoint.ts';
import { errors as rows } from '../../lib/http/errors.ts';
import { limitHeaders } from './parameters.ts';
import type { Json } from './schemas.ts';

type Status = (typeof rows)[ErrorCode]['status'];
const errors: Record<
  ErrorCode,
  { status: Status; message: string; headers?: Readonly<Record<string, string>> }
> = rows;

const responseNames: Readonly<Record<Status, string>> = {
  400: 'BadRequest',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'NotFound',
  405: 'MethodNotAllowed',
  409: 'Conflict',
  412: 'PreconditionFailed',
  413: 'PayloadTooLarge',
  415: 'UnsupportedMediaType',
  422: 'IdempotencyKeyReused',
  429: 'TooManyRequests',
  500: 'InternalError',
  503: 'ServiceUnavailable',
};

/** Only a request with a body can get these errors, and clients send a body only if a body is declared. */
const aboutTheBody: readonly ErrorCode[] = ['payload_too_large', 'unsupported_media_type'];

/** @returns the errors that a client of the endpoint meets, in the order of their status */
export function errorsOf({ errors: declared, request }: Endpoint): ErrorCode[] {
  return declared
    .filter((code) => request.body !== undefined || !aboutTheBody.includes(code))
    .sort((a, b) => errors[a].status - errors[b].status || (a < b ? -1 : 1));
}

/** @returns references to the responses of the operation's errors */
export function failures(endpoint: Endpoint): Json {
  const statuses = new Set(errorsOf(endpoint).map((code) => errors[code].status));
  return Object.fromEntries(
    [...statuses].map((status) => [status, { $ref: `#/components/responses/${responseNames[status]}` }]),
  );
}

/**
 * @returns a sentence about the errors of this operation that its kind does not explain; undefined if there is no such error
 */
export function errorSentence(endpoint: Endpoint): string | undefined {
  const codes = errorsOf(endpoint).filter((code) => [409, 412].includes(errors[code].status));
  if (codes.length === 0) return undefined;
  return `Errors of this operation: ${codes.map((code) => `\`${code}\` (${errors[code].status})`).join(', ')}.`;
}

/** @returns the shared responses of these errors */
export function errorResponses(codes: Iterable<ErrorCode>): Record<string, Json> {
  const byStatus = Map.groupBy([...new Set(codes)].sort(), (code) => errors[code].status);
  return Object.fromEntries(
    [...byStatus].map(([status, ofStatus]) => [responseNames[status], errorResponse(ofStatus)]),
  );
}

function errorResponse(codes: readonly ErrorCode[]): Json {
  const headers = new Set(codes.flatMap((code) => Object.keys(errors[code].headers ?? {})));
  const examples = codes.map((code) => {
    const error = { code, message: errors[code].message, requestId: '7d0c7d33-8a3c-4b0e-9d0f-2f4a4a1f6c55' };
    const detail = exampleDetails[code];
    const details = detail && { details: [detail] };
    const resource = code === 'secret_unavailable' && { resource: exampleResource };
    return [code, { summary: code, value: { success: false, error: { ...error, ...details, ...resource } } }];
  });
  return {
    description: codes.map((code) => `\`${code}\`: ${errors[code].message}`).join('\n\n'),
    headers: {
      'X-Request-Id': { $ref: '#/components/headers/RequestId' },
      ...(headers.has('Retry-After') && { 'Retry-After': { $ref: '#/components/headers/RetryAfter' } }),
      ...(codes.includes('rate_limited') && limitHeaders),
      ...(headers.has('WWW-Authenticate') && {
        'WWW-Authenticate': { $ref: '#/components/headers/WwwAuthenticate' },
      }),
    },
    content: {
      'application/json': {
        schema: { $ref: '#/components/schemas/ErrorResponse' },
        examples: Object.fromEntries(examples),
      },
    },
  };
}

const exampleDetail = { path: 'metadata.colour', message: 'must be at most 2000 characters' };
const exampleDetails: { readonly [Code in ErrorCode]?: object } = {
  validation_error: exampleDetail,
  previous_secret_valid: { path: 'previousSecretExpiresAt', message: '2026-03-02T09:30:00.000Z' },
  deployment_has_warnings: {
    path: 'kdoc_01JZ4Y7Q8R5T2V9W3X6B0C1D4E',
    message: 'Warranty: The file contains no text. (no_text)',
  },
  deployment_too_large: { path: 'avtr_01JZ4Y7Q8R5T2V9W3X6B0C1D4E', message: 'Ada: 1208 KB' },
};
const exampleResource = { id: 'key_01JZ4Y7Q8R5T2V9W3X6B0C1D4E' };

/**
 * @returns the schema of the field that says whether a request succeeded. It has no `const`, because openapi-generator makes a check
 *   for Python from it that compares the Boolean value with text, and refuses every response
 */
export const succeeded = (value: boolean): Json => ({
  type: 'boolean',
  description: `Whether the request succeeded: always \`${value}\` here.`,
  examples: [value],
});

/** The schemas of every error. */
export const errorSchemas: Readonly<Record<string, Json>> = {
  ErrorResponse: {
    description: 'Every response to a request that failed.',
    type: 'object',
    required: ['success', 'error'],
    properties: {
      success: succeeded(false),
      error: { $ref: '#/components/schemas/ApiError', description: 'Why the request failed.' },
    },
  },
  ApiError: {
    description: 'Why a request failed.',
    type: 'object',
    required: ['code', 'message', 'requestId'],
    properties: {
      code: { $ref: '#/components/schemas/ErrorCode', description: 'The error code, for programs.' },
      message: { type: 'string', description: 'The error message, for people.' },
      requestId: { type: 'string', description: 'Identifies this request in the logs.' },
      details: {
        type: 'array',
        description:
          'What caused the error. `validation_error` has the invalid fields, and why. `previous_secret_valid` has ' +
          '`previousSecretExpiresAt`, and the time. `deployment_has_warnings` has the ids of documents, and why the index does not ' +
          'include them. `deployment_too_large` has the ids of the five largest avatars, with their names and sizes. ' +
          '`conversation_ended` has the id of the conversation, if the request resumes it.',
        items: { $ref: '#/components/schemas/ApiErrorDetail' },
      },
      resource: {
        $ref: '#/components/schemas/ApiErrorResource',
        description:
          'The resource that the first request created, without its secret. Only `secret_unavailable` has it.',
      },
    },
  },
  ErrorCode: {
    description: 'An error code.',
    type: 'string',
    // No enum, so generated clients do not fail on a new code.
    'x-extensible-enum': Object.keys(errors).sort(),
    examples: ['not_found'],
  },
  ApiErrorDetail: {
    description: 'The details of an error about one field.',
    type: 'object',
    required: ['path', 'message'],
    properties: {
      path: {
        type: 'string',
        description: 'The field or parameter, with dots; empty for the whole request.',
        examples: [exampleDetail.path],
      },
      message: {
        type: 'string',
        description: 'Why it is invalid, or its value.',
        examples: [exampleDetail.message],
      },
    },
  },
  ApiErrorResource: {
    description: 'A resource that exists although the request failed.',
    type: 'object',
    required: ['id'],
    properties: {
      id: { type: 'string', description: 'Identifies the resource.', examples: [exampleResource.id] },
    },
    additionalProperties: true,
  },
};
