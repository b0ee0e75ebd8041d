/** Every response has the form of an envelope, except raw documents. */

import type { APIGatewayProxyResult } from 'aws-lambda';
import type { Call } from './call.ts';
import type { HandlerResult } from './handler-result.ts';
import type { Endpoint, Outcome } from './types.ts';

export const standardHeaders = (requestId: string) => ({
  'Content-Type': 'application/json',
  'Cache-Control': 'no-store',
  'X-Content-Type-Options': 'nosniff',
  'X-Request-Id': requestId,
});

export function renderOutcome(
  { status, data, text, replayed, events }: Outcome,
  { raw, headers }: Pick<Endpoint, 'raw' | 'headers'>,
  { requestId, path, report }: Pick<Call, 'requestId' | 'path' | 'report'>,
): HandlerResult {
  const allHeaders: Record<string, string> = standardHeaders(requestId);
  if (replayed) allHeaders['Idempotent-Replayed'] = 'true';
  // RFC 9110 section 15.4.5: a 304 has no body. Nobody reads the body of a 302.
  const isEmpty = status === 304 || status === 302 || (raw === 'message' && textOf(data) === '');
  if (isEmpty) delete allHeaders['Content-Type'];
  const source = { path, isWaitLimited: report.isWaitLimited };
  for (const name in headers) {
    const value = headers[name]?.value(data, source);
    if (value !== undefined) allHeaders[name] = value;
  }
  if (isEmpty) return { statusCode: status, headers: allHeaders, body: '' };
  if (events) return { statusCode: status, headers: allHeaders, body: '', events };
  return { statusCode: status, headers: allHeaders, ...renderBody(raw, data, text) };
}

const textOf = (data: unknown): string => (data as { text: string }).text;

function renderBody(
  raw: Endpoint['raw'],
  data: unknown,
  text: string | undefined,
): Pick<APIGatewayProxyResult, 'body' | 'isBase64Encoded'> {
  if (raw === 'bytes') {
    const { bytes } = data as { bytes: Uint8Array };
    return { body: Buffer.from(bytes).toString('base64'), isBase64Encoded: true };
  }
  if (raw === 'text' || raw === 'message') return { body: textOf(data) };
  const json = text ?? JSON.stringify(data);
  return { body: raw === 'json' ? json : `{"success":true,"data":${json}}` };
}
