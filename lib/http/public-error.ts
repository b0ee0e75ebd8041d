/** What the caller learns of an error, and what only the log has. */

import { ApiError } from '../base/errors.ts';
import { isTransient } from '../dynamodb/transient.ts';
import type { Endpoint, Runtime } from './types.ts';

/** Logs the error, or its cause, unless it is the caller's. @returns the error for the caller */
export function publicError(
  { id }: Pick<Endpoint, 'id'>,
  runtime: Pick<Runtime, 'log'>,
  error: unknown,
  requestId: string,
): ApiError {
  const log = (message: string, fault: unknown) =>
    runtime.log({ level: 'error', message, requestId, endpoint: id, fault });
  if (error instanceof ApiError) {
    if (error.cause !== undefined) log(error.code, error.cause);
    return error;
  }
  const code = isTransient(error) ? 'service_unavailable' : 'internal_error';
  log(code, error);
  return new ApiError(code);
}
