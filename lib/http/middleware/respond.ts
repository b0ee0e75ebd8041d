/**
 * Renders the response. Reads the outcome of the handler, or the error; sets the response. An error that is not an
 * ApiError is logged and hidden: 503 if a retry may succeed, otherwise 500. The cause of an ApiError is logged too. A
 * request that a limit refuses gets `rate_limited`, even if it has other errors.
 */

import type { Middleware, Request, Verdict } from '../call.ts';
import { renderOutcome } from '../envelope.ts';
import type { HandlerResult } from '../handler-result.ts';
import { refusalOf, withinLimits, withLimits } from '../limits.ts';
import { noteIfRefused } from '../note-refusal.ts';
import { publicError } from '../public-error.ts';
import { callIn, senderOf } from '../stages.ts';
import type { Endpoint, Outcome, Runtime } from '../types.ts';

export function respond(endpoint: Endpoint, runtime: Runtime): Middleware {
  /** @returns no promise for a sender without limits, so that its response is not delayed */
  function respondAfter(request: Request): Promise<void> | undefined {
    const outcome = request.response as unknown as Outcome;
    const { call } = request.context;
    const response = renderOutcome(outcome, endpoint, call);
    const sender = senderOf(call);
    if (!sender) throw new Error('the request was answered before its sender was known');
    request.response = response;
    return sender.limits && limitResponse(request, response, sender.limits);
  }

  async function limitResponse(
    request: Request,
    response: HandlerResult,
    limits: Promise<Verdict>,
  ): Promise<void> {
    request.response = await withinLimits(response, limits);
  }

  async function respondOnError(request: Request): Promise<void> {
    const call = callIn(request.context);
    const sender = call && senderOf(call);
    const fault = publicError(endpoint, runtime, request.error, requestIdIn(request));
    const verdict = await sender?.limits;
    const error = (verdict && refusalOf(verdict)) ?? fault;
    if (call) {
      call.report.errorCode = error.code;
      noteIfRefused(endpoint, call, error);
    }
    const { renderError } = await import('../errors.ts');
    const response = renderError(error, requestIdIn(request));
    request.response = verdict ? withLimits(response, verdict) : response;
  }

  return { after: respondAfter, onError: respondOnError };
}

/** `onError` also runs if `begin` failed before it opened the call. */
const requestIdIn = ({ context }: Request): string => callIn(context)?.requestId ?? context.awsRequestId;
