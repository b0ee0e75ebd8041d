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

/** The request, and the base URL to which it was sent. */
type Request = Pick<Failure<string>, 'method' | 'path'> & { baseUrl: string };

/** @throws `ApiError`, or `ConnectionError` if a successful response is not the API's: it may have been cut off */
export function read<Data>(
  { response, text }: Reply,
  redact: (text: string) => string,
  errorClasses: ErrorClasses,
  request: Request,
): WithResponse<Data> {
  const { status, headers } = response;
  const sentId = headers.get('x-request-id');
  // A server or a proxy may repeat the key.
  const requestId = sentId === null ? undefined : redact(sentId);
  const envelope = parse(text);
  if (status === 304 || (status >= 200 && status < 300)) {
    if (status !== 304 && (envelope?.success !== true || !isObject(envelope.data)))
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
  request: Request,
) {
  const code = typeof error?.code === 'string' ? error.code : 'unknown';
  const details = Array.isArray(error?.details) ? error.details : [];
  const isRedirect = type === 'opaqueredirect' || (status >= 300 && status < 400);
  const defaultMessage = isRedirect
    ? 'The server redirects to another address. Check baseUrl.'
    : `The response with status ${status} ${statusText} is not the API's.`;
  const message = typeof error?.message === 'string' ? error.message : defaultMessage;
  const ErrorClass = (Object.hasOwn(errorClasses, code) && errorClasses[code]) || ApiError;
  const { method, path, baseUrl } = request;
  const isElsewhere = code === 'unknown' || !baseUrl.endsWith('/api/v1');
  const hint = status === 404 && isElsewhere ? ' Is the base URL complete? It ends with /api/v1.' : '';
  const lines = details.map((one) => `\n  ${one?.path}: ${one?.message}`);
  return new ErrorClass({
    method,
    path,
    status,
    // The class was chosen by the code.
    code: code as never,
    message: `${message}${hint}${lines.join('')}`,
    requestId: requestId ?? (typeof error?.requestId === 'string' ? error.requestId : undefined),
    details,
    retryAfterSeconds: retryAfterSeconds(headers, Date.now()),
    resource: error?.resource as Record<string, unknown> | undefined,
  });
}

const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function parse(text: string): Envelope | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
