/** API Gateway's own responses, in the envelope, with our codes and headers. */

import { ResponseType, type RestApi, type ResponseType as Type } from 'aws-cdk-lib/aws-apigateway';
import type { ErrorCode } from '../lib/base/errors.ts';
import { standardHeaders } from '../lib/http/envelope.ts';
import { errors } from '../lib/http/errors.ts';

/**
 * The types of gateway responses ("Gateway response types for API Gateway", Developer Guide) that differ from the two defaults.
 * Some types never occur, because the API has no authorizers, API keys and usage plans. An unknown route is
 * MISSING_AUTHENTICATION_TOKEN, because API Gateway expects a signed request.
 */
const codes: readonly (readonly [Type, ErrorCode])[] = [
  [ResponseType.MISSING_AUTHENTICATION_TOKEN, 'not_found'],
  [ResponseType.RESOURCE_NOT_FOUND, 'not_found'],
  [ResponseType.INVALID_SIGNATURE, 'unauthorized'],
  [ResponseType.EXPIRED_TOKEN, 'unauthorized'],
  [ResponseType.ACCESS_DENIED, 'forbidden'],
  [ResponseType.WAF_FILTERED, 'forbidden'],
  [ResponseType.BAD_REQUEST_BODY, 'invalid_json'],
  [ResponseType.REQUEST_TOO_LARGE, 'payload_too_large'],
  [ResponseType.UNSUPPORTED_MEDIA_TYPE, 'unsupported_media_type'],
  [ResponseType.THROTTLED, 'rate_limited'],
  [ResponseType.INTEGRATION_FAILURE, 'service_unavailable'],
  [ResponseType.INTEGRATION_TIMEOUT, 'service_unavailable'],
  [ResponseType.DEFAULT_4XX, 'validation_error'],
  [ResponseType.DEFAULT_5XX, 'internal_error'],
];

export function addGatewayResponses(api: RestApi): void {
  for (const [type, code] of codes) {
    const row: { status: number; message: string; headers?: Readonly<Record<string, string>> } = errors[code];
    api.addGatewayResponse(type.responseType, {
      type,
      statusCode: String(row.status),
      responseHeaders: headersOf(row.headers ?? {}),
      templates: { 'application/json': template(code, row.message) },
    });
  }
}

/** Static values are quoted. The request id is API Gateway's own. */
export function headersOf(further: Readonly<Record<string, string>>): Record<string, string> {
  const { 'Content-Type': _, 'X-Request-Id': __, ...standard } = standardHeaders('');
  const values = Object.entries({ ...standard, ...further }).map(([name, value]) => [name, `'${value}'`]);
  return { ...Object.fromEntries(values), 'X-Request-Id': 'context.requestId' };
}

/** A template has variables but no functions. The id has no character that JSON would escape. */
export const template = (code: ErrorCode, message: string) =>
  JSON.stringify({ success: false, error: { code, message, requestId: '$context.requestId' } });
