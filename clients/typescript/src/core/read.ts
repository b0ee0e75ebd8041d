/** Reads the envelope of a response: the data, or an error. */

import type { Reply } from './attempt.ts';
import { retryAfterSeconds } from './backoff.ts';
import { ApiError, ConnectionError, type Failure } from './errors.ts';
import type { WithResponse } from './promise.ts';

/** The class of each code. */
export type ErrorClasses = Readonly<Record<string, new (failure: Failure<never>) => ApiError>>;

type Envelope = {
  success?: unknown;
  data?: unknown;
  error?: { code?: unknown; message?: unknown; requestId?: unknown; details?: unknown; resource?: unknown };
};

/** @throws `ApiError`, or `ConnectionError` if a successful response is not the API's: it may have been cut off */
export function read<Data>(
  { response, text }: Reply,
  redact: (text: string) => string,
  errorClasses: ErrorClasses,
  request: Pick<Failure<string>, 'method' | 'path'>,
): WithResponse<Data> {
  const { status, headers } = response;
  const sentId = headers.get('x-request-id');
  // A server or a proxy may repeat what it got.
  const requestId = sentId === null ? undefined : redact(sentId);
  const envelope = parse(text);
  if (status === 304 || (status >= 200 && status < 300)) {
    if (status !== 304 && (envelope?.success !== true || envelope.data === undefined))
      throw new ConnectionError(`The response with status ${status} is not the API's, or not complete.`);
    return {
      data: envelope?.data as Data,
      get response() {
        return new Response(status === 304 ? null : text, {
          status,
          statusText: response.statusText,
          headers,
        });
      },
      requestId,
      replayed: headers.get('idempotent-replayed') === 'true',
    };
  }
  throw apiError(
    response,
    redact(response.statusText),
    requestId,
    parse(redact(text))?.error,
    errorClasses,
    request,
  );
}

function apiError(
  { status, headers, type }: Response,
  statusText: string,
  requestId: string | undefined,
  error: Envelope['error'],
  errorClasses: ErrorClasses,
  request: Pick<Failure<string>, 'method' | 'path'>,
) {
  const code = typeof error?.code === 'string' ? error.code : 'unknown';
  const details = Array.isArray(error?.details) ? error.details : [];
  const isRedirect = type === 'opaqueredirect' || (status >= 300 && status < 400);
  const unknown = isRedirect
    ? 'The server redirects to another address. Check baseUrl.'
    : `The response with status ${status} ${statusText} is not the API's.`;
  const message = typeof error?.message === 'string' ? error.message : unknown;
  const sentMs = Date.parse(headers.get('date') ?? '');
  const ErrorClass = (Object.hasOwn(errorClasses, code) && errorClasses[code]) || ApiError;
  const { method, path } = request;
  const lines = details.map((one) => `\n  ${one?.path}: ${one?.message}`);
  return new ErrorClass({
    method,
    path,
    status,
    // The class was chosen by it.
    code: code as never,
    message: `${message}${status === 404 ? ` (${method} ${path})` : ''}${lines.join('')}`,
    requestId: requestId ?? (typeof error?.requestId === 'string' ? error.requestId : undefined),
    details,
    retryAfterSeconds: retryAfterSeconds(
      headers.get('retry-after'),
      Number.isNaN(sentMs) ? Date.now() : sentMs,
    ),
    resource: error?.resource as Record<string, unknown> | undefined,
  });
}

function parse(text: string): Envelope | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}
