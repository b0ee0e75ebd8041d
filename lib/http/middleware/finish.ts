/**
 * Ends every request: waits for background work (a function may be frozen after its response), and logs the request's
 * line. It is a Middy hook, not an `after` function, because early responses skip `after` functions.
 */

import type { APIGatewayProxyResult } from 'aws-lambda';
import type { RequestLine } from '../../base/log.ts';
import { callIn, senderOf } from '../stages.ts';
import type { Call, CallContext, Endpoint, Runtime } from '../types.ts';

/** @returns Middy's `requestEnd` */
export function finish(endpoint: Endpoint, runtime: Runtime) {
  let coldStart = true;

  return async (request: { context: unknown; response?: unknown }): Promise<void> => {
    const call = callIn(request.context as Partial<CallContext>);
    // `begin` failed before it opened the call; `respond` has logged why.
    if (!call) return;
    for (const result of await Promise.allSettled(call.background)) {
      if (result.status === 'fulfilled') continue;
      runtime.log({
        level: 'warn',
        message: 'background work failed',
        requestId: call.requestId,
        endpoint: endpoint.id,
        fault: result.reason,
      });
    }
    const response = request.response as APIGatewayProxyResult;
    const durationMs = runtime.elapsedMs() - call.begunMs - call.report.waitedMs;
    runtime.log(requestLine(endpoint, call, response, { durationMs, coldStart }));
    coldStart = false;
  };
}

const requestLine = (
  endpoint: Endpoint,
  call: Call,
  response: APIGatewayProxyResult,
  { durationMs, coldStart }: Pick<RequestLine, 'durationMs' | 'coldStart'>,
): RequestLine => {
  const caller = senderOf(call)?.caller;
  return {
    level: 'info',
    message: 'request',
    requestId: call.requestId,
    call: call.id,
    endpoint: endpoint.id,
    organisation: caller?.organisationId ?? null,
    mode: caller?.mode ?? null,
    caller: caller?.id ?? null,
    status: response.statusCode,
    error: call.report.errorCode,
    durationMs: Math.round(durationMs * 100) / 100,
    coldStart,
    replayed: response.headers?.['Idempotent-Replayed'] === 'true',
    ...call.session.usage,
  };
};
