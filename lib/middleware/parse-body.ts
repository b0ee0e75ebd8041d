/**
 * The body as JSON. Reads the body and Content-Type; sets `event.body` to the parsed value.
 * May answer `unsupported_media_type`, `payload_too_large`, `invalid_json` or `validation_error`.
 */

import httpJsonBodyParser from '@middy/http-json-body-parser';
import { headerValues, type Middleware, type Request } from '../call.ts';
import type { Endpoint } from '../endpoint.ts';
import { ApiError } from '../errors.ts';

const maxBodyBytes = 256 * 1024;

export function parseBody(endpoint: Endpoint): Middleware {
  const parser = httpJsonBodyParser({ disableContentTypeCheck: true });

  function parseBodyBefore(request: Request): void {
    const { event } = request;
    const text = event.body ?? '';
    if (!endpoint.request.body) {
      if (text !== '' && !/^\s*\{\s*\}\s*$/.test(text)) {
        throw invalid('must be left out: this request takes no body');
      }
      // An empty object and no body at all mean the same.
      event.body = null;
      return;
    }
    if (Buffer.byteLength(text, event.isBase64Encoded ? 'base64' : 'utf8') > maxBodyBytes) {
      throw new ApiError('payload_too_large');
    }
    const contentTypes = headerValues(event, 'content-type');
    if (!isJson(contentTypes) && !(text === '' && contentTypes.length === 0)) {
      throw new ApiError('unsupported_media_type');
    }
    if (text === '') throw new ApiError('invalid_json', 'The request needs a JSON body.');
    try {
      parser.before?.(request as Parameters<NonNullable<typeof parser.before>>[0]);
    } catch (error) {
      throw isForbiddenMember(error)
        ? invalid('must not have a member that would change an object: __proto__ or constructor.prototype')
        : new ApiError('invalid_json');
    }
  }

  return { before: parseBodyBefore };
}

/** The body as a whole is wrong, so the path is empty. */
const invalid = (message: string) =>
  new ApiError('validation_error', undefined, { details: [{ path: '', message }] });

/** RFC 9110 section 8.3: case does not matter, parameters may follow. */
const isJson = (values: readonly string[]) =>
  values.length === 1 && /^application\/json\s*(;|$)/i.test(values[0] ?? '');

/** The parser refuses members that would change an object's prototype. */
const isForbiddenMember = (error: unknown) =>
  error instanceof Error && error.message.startsWith('Forbidden key');
