/** The envelope: the form of every response but raw documents. */

import type { APIGatewayProxyResult } from 'aws-lambda';
import type { ApiError } from '../base/errors.ts';
import type { Call, Outcome } from './call.ts';
import type { Endpoint, HeaderSource } from './endpoint.ts';
import { errors } from './errors.ts';

/** The headers of every response. */
export const standardHeaders = (requestId: string) => ({
  'Content-Type': 'application/json',
  'Cache-Control': 'no-store',
  'X-Content-Type-Options': 'nosniff',
  'X-Request-Id': requestId,
});

export function renderOutcome(
  { status, data, replayed }: Outcome,
  { raw, headers }: Pick<Endpoint, 'raw' | 'headers'>,
  { requestId, path, isWaitLimited = false }: Pick<Call, 'requestId' | 'path' | 'isWaitLimited'>,
): APIGatewayProxyResult {
  const { 'Content-Type': contentType, ...standard } = standardHeaders(requestId);
  const made = renderHeaders(headers, data, { path, isWaitLimited });
  // RFC 9110 section 15.4.5: a 304 has no body.
  if (status === 304) return { statusCode: status, headers: { ...standard, ...made }, body: '' };
  return {
    statusCode: status,
    headers: {
      'Content-Type': contentType,
      ...standard,
      ...(replayed && { 'Idempotent-Replayed': 'true' }),
      ...made,
    },
    body:
      raw === 'text' ? (data as { text: string }).text : JSON.stringify(raw ? data : { success: true, data }),
  };
}

/** The declared headers that have a value. */
function renderHeaders(
  headers: Endpoint['headers'],
  data: unknown,
  request: HeaderSource,
): Record<string, string> {
  const made: Record<string, string> = {};
  for (const name in headers) {
    const value = headers[name]?.value(data, request);
    if (value !== undefined) made[name] = value;
  }
  return made;
}

export function renderError(error: ApiError, requestId: string): APIGatewayProxyResult {
  const row: { status: number; message: string; headers?: Readonly<Record<string, string>> } =
    errors[error.code];
  const { code, publicMessage: message = row.message, details, resource, retryAfterSeconds } = error;
  return {
    statusCode: row.status,
    headers: {
      ...standardHeaders(requestId),
      ...row.headers,
      ...(retryAfterSeconds !== undefined && { 'Retry-After': `${retryAfterSeconds}` }),
    },
    // JSON omits undefined fields.
    body: JSON.stringify({ success: false, error: { code, message, requestId, details, resource } }),
  };
}
