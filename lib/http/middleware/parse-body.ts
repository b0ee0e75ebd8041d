/**
 * The body as JSON. Reads the body and Content-Type; sets `event.body` to the parsed value.
 * May answer `unsupported_media_type`, `payload_too_large`, `invalid_json` or `validation_error`.
 */

import httpJsonBodyParser from '@middy/http-json-body-parser';
import type { APIGatewayProxyEvent } from 'aws-lambda';
import { ApiError, invalidField } from '../../errors.ts';
import { headerValues, type Middleware, type Request } from '../call.ts';
import type { Endpoint } from '../endpoint.ts';

export const maxBodyBytes = 256 * 1024;

export function parseBody(endpoint: Endpoint): Middleware {
  const parser = httpJsonBodyParser({ disableContentTypeCheck: true });

  function parseBodyBefore(request: Request): void {
    const { event } = request;
    const text = event.body ?? '';
    if (Buffer.byteLength(text, event.isBase64Encoded ? 'base64' : 'utf8') > maxBodyBytes) {
      throw new ApiError('payload_too_large');
    }
    if (!isJson(event, text)) throw new ApiError('unsupported_media_type');
    if (!endpoint.request.body) {
      if (text !== '' && !/^\s*\{\s*\}\s*$/.test(text)) {
        throw invalid('must be omitted: this request has no body');
      }
      // An empty object and no body at all mean the same.
      event.body = null;
      return;
    }
    if (text === '') throw new ApiError('invalid_json', 'This request requires a JSON body.');
    try {
      parser.before?.(request as Parameters<NonNullable<typeof parser.before>>[0]);
    } catch (error) {
      throw isForbiddenMember(error)
        ? invalid('must not have the fields __proto__ or constructor.prototype')
        : new ApiError('invalid_json');
    }
  }

  return { before: parseBodyBefore };
}

/** The body as a whole is wrong, so the path is empty. */
const invalid = (message: string) => invalidField('', message);

/**
 * Whether what was sent is JSON as it is: of that type (its case does not matter, RFC 9110 section 8.3), in UTF-8
 * (RFC 8259 section 8.1) and not compressed. Where nothing was sent, nothing need be said of it.
 */
function isJson(event: APIGatewayProxyEvent, text: string): boolean {
  const types = headerValues(event, 'content-type');
  if (headerValues(event, 'content-encoding').some((coding) => coding.toLowerCase() !== 'identity'))
    return false;
  if (text === '') return true;
  const [type = ''] = types;
  const charset = /;\s*charset\s*=\s*"?([^";\s]+)/i.exec(type)?.[1] ?? 'utf-8';
  return (
    types.length === 1 && /^\s*application\/json\s*(;|$)/i.test(type) && charset.toLowerCase() === 'utf-8'
  );
}

/** The parser refuses members that would change an object's prototype. */
const isForbiddenMember = (error: unknown) =>
  error instanceof Error && error.message.startsWith('Forbidden key');
