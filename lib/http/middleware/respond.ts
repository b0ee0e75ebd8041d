/**
 * Renders the response. Reads the outcome of the handler, or the error; sets the response. An error that is not an
 * ApiError is logged and hidden: 503 if a retry may succeed, otherwise 500. The cause of an ApiError is logged too. A
 * request that a limit refuses gets `rate_limited`, whatever else is wrong with it.
 */

import { ApiError } from '../../base/errors.ts';
import { isTransient } from '../../dynamodb/transient.ts';
import type { Call, Middleware, Outcome, Request } from '../call.ts';
import type { Endpoint } from '../endpoint.ts';
import { renderError, renderOutcome } from '../envelope.ts';
import { refusalOf, requireWithinLimits, withLimits } from '../limits.ts';
import { noteIfRefused } from '../note-refusal.ts';
import type { Runtime } from '../runtime.ts';

export function respond(endpoint: Endpoint, runtime: Runtime): Middleware {
  async function respondAfter(request: Request): Promise<void> {
    const outcome = request.response as unknown as Outcome;
    const { call } = request.context;
    await requireWithinLimits(call);
    request.response = await withLimits(renderOutcome(outcome, endpoint, call), call);
  }

  async function respondOnError(request: Request): Promise<void> {
    const call = request.context.call as Call | undefined;
    const fault = publicError(request);
    const error = (call && (await refusalOf(call))) ?? fault;
    if (call) {
      call.errorCode = error.code;
      noteIfRefused(endpoint, call, error);
    }
    request.response = await withLimits(renderError(error, requestIdIn(request)), call ?? {});
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
