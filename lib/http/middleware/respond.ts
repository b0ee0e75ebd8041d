/**
 * Renders the response. Reads the outcome of the handler, or the error; sets the response. An error that is not an
 * ApiError is logged and hidden: 503 if a retry may succeed, otherwise 500. The cause of an ApiError is logged too.
 */

import { isTransient } from '../../dynamodb/transient.ts';
import { ApiError } from '../../errors.ts';
import type { Call, Middleware, Outcome, Request } from '../call.ts';
import type { Endpoint } from '../endpoint.ts';
import { renderError, renderOutcome } from '../envelope.ts';
import type { Runtime } from '../runtime.ts';

export function respond(endpoint: Endpoint, runtime: Runtime): Middleware {
  function respondAfter(request: Request): void {
    const outcome = request.response as unknown as Outcome;
    request.response = renderOutcome(outcome, endpoint, request.context.call);
  }

  function respondOnError(request: Request): void {
    const error = publicError(request);
    const call = request.context.call as Call | undefined;
    if (call) call.errorCode = error.code;
    request.response = renderError(error, requestIdIn(request));
  }

  function publicError(request: Request): ApiError {
    const { error } = request;
    if (error instanceof ApiError) {
      if (error.cause !== undefined) logFault(request, error.code, error.cause);
      return error;
    }
    const code = isTransient(error) ? 'service_unavailable' : 'internal_error';
    logFault(request, code, error);
    return new ApiError(code);
  }

  function logFault(request: Request, message: string, fault: unknown): void {
    runtime.log({ level: 'error', message, requestId: requestIdIn(request), endpoint: endpoint.id, fault });
  }

  return { after: respondAfter, onError: respondOnError };
}

/** `onError` also runs if `begin` failed before it set the call. */
const requestIdIn = (request: Request): string =>
  (request.context.call as Call | undefined)?.requestId ?? request.context.awsRequestId;
