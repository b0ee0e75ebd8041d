/** The envelope: the form of every response but raw documents. */

import type { APIGatewayProxyResult } from 'aws-lambda';
import type { Call, Endpoint, HeaderSource, Outcome } from './types.ts';

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
  { requestId, path, report }: Pick<Call, 'requestId' | 'path' | 'report'>,
): APIGatewayProxyResult {
  const { 'Content-Type': contentType, ...standard } = standardHeaders(requestId);
  const made = renderHeaders(headers, data, { path, isWaitLimited: report.isWaitLimited });
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
