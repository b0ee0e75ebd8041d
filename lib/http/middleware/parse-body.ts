/**
 * Parses the body as JSON. Reads the body and Content-Type; sets `event.body` to the parsed value. May fail with
 * `unsupported_media_type`, `payload_too_large`, `invalid_json` or `validation_error`.
 */

import httpJsonBodyParser from '@middy/http-json-body-parser';
import { ApiError, invalidField } from '../../base/errors.ts';
import type { Middleware, Request } from '../call.ts';
import { callAt } from '../stages.ts';
import type { Endpoint } from '../types.ts';

export const maxBodyBytes = 256 * 1024;

export function parseBody(endpoint: Endpoint): Middleware {
  const parser = httpJsonBodyParser({ disableContentTypeCheck: true });

  function parseBodyBefore(request: Request): void {
    const { event, context } = request;
    const { contentType, contentEncoding } = callAt(context.call, 'authorized').headers;
    const text = event.body ?? '';
    if (Buffer.byteLength(text, event.isBase64Encoded ? 'base64' : 'utf8') > maxBodyBytes) {
      throw new ApiError('payload_too_large');
    }
    // Without a body, no Content-Type is needed.
    const isUnknown = contentType.state !== 'valid' && text !== '';
    if (isUnknown || contentEncoding.state === 'invalid') throw new ApiError('unsupported_media_type');
    if (!endpoint.request.body) {
      if (text !== '' && !/^\s*\{\s*\}\s*$/.test(text)) {
        throw invalid('must be omitted: this request has no body');
      }
      // An empty object is the same as no body.
      event.body = null;
      return;
    }
    if (text === '') {
      const isOptional = endpoint.request.body.safeParse({}).success;
      if (!isOptional) throw new ApiError('invalid_json', 'This request requires a JSON body.');
      // No body is the same as an empty object.
      Object.assign(event, { body: '{}', isBase64Encoded: false });
    }
    try {
      parser.before?.(request as Parameters<NonNullable<typeof parser.before>>[0]);
    } catch (error) {
      throw isForbiddenField(error)
        ? invalid('must not have the fields __proto__ or constructor.prototype')
        : new ApiError('invalid_json');
    }
  }

  return { before: parseBodyBefore };
}

/** The whole body is invalid, so the path is empty. */
const invalid = (message: string) => invalidField('', message);

/**
 * The parser refuses fields that would change an object's prototype, and gives their name as the cause. The cause of
 * malformed JSON also has a message.
 */
const isForbiddenField = (error: unknown) =>
  error instanceof Error &&
  typeof error.cause === 'object' &&
  error.cause !== null &&
  !('message' in error.cause);
