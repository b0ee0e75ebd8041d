/** The pipeline loads this file, with the messages of all errors, with its first error. */

import type { APIGatewayProxyResult } from 'aws-lambda';
import type { ApiError } from '../base/errors.ts';
import { standardHeaders } from './envelope.ts';
import { errors } from './errors.ts';

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
