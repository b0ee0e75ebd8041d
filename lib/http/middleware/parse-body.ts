/**
 * Parses the body as JSON. Reads the body and Content-Type; sets `event.body` to the parsed value. May fail with
 * `unsupported_media_type`, `payload_too_large`, `invalid_json` or `validation_error`.
 */

import { ApiError, invalidField } from '../../base/errors.ts';
import { ForbiddenField, parseJson } from '../../base/json.ts';
import type { Middleware, Request } from '../call.ts';
import { callAt } from '../stages.ts';
import type { Endpoint } from '../types.ts';

export const maxBodyBytes = 256 * 1024;

export function parseBody(endpoint: Endpoint): Middleware {
  function parseBodyBefore({ event, context }: Request): void {
    const { contentType, contentEncoding } = callAt(context.call, 'authorized').headers;
    const text = event.body ?? '';
    if (Buffer.byteLength(text, event.isBase64Encoded ? 'base64' : 'utf8') > maxBodyBytes) {
      throw new ApiError('payload_too_large');
    }
    // A request without a body needs no Content-Type.
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
    if (text === '' && !endpoint.request.body.safeParse({}).success) {
      throw new ApiError('invalid_json', 'This request requires a JSON body.');
    }
    const json = event.isBase64Encoded ? Buffer.from(text, 'base64').toString() : text;
    Object.assign(event, { body: text === '' ? {} : parsed(json, endpoint.parseBody ?? parseJson) });
  }

  return { before: parseBodyBefore };
}

/** The whole body is invalid, so the path is empty. */
const invalid = (message: string) => invalidField('', message);

function parsed(json: string, parse: (json: string) => unknown): unknown {
  try {
    return parse(json);
  } catch (error) {
    if (error instanceof ApiError) throw error;
    throw error instanceof ForbiddenField ? invalid(error.message) : new ApiError('invalid_json');
  }
}
