/**
 * Ends every request: tells an older client of the current version, waits for background work (a function may be frozen after
 * its response), and writes the request's line of the log. This is a Middy hook, not an `after` function, because early
 * responses skip `after` functions. A streamed response ends with its last chunk.
 */

import type { RequestLine } from '../../base/log.ts';
import { latestHeader, newerVersion } from '../../base/version.ts';
import type { Call, CallContext } from '../call.ts';
import type { HandlerResult } from '../handler-result.ts';
import { callIn, senderOf } from '../stages.ts';
import type { Endpoint, Runtime } from '../types.ts';

/** @returns Middy's `requestEnd` */
export function finish(endpoint: Endpoint, runtime: Runtime) {
  let coldStart = true;

  async function endBackground({ background, requestId }: Call): Promise<void> {
    for (const result of await Promise.allSettled(background)) {
      if (result.status === 'fulfilled') continue;
      const message = 'background work failed';
      runtime.log({ level: 'warn', message, requestId, endpoint: endpoint.id, fault: result.reason });
    }
  }

  return (request: { context: unknown; response?: unknown }): Promise<void> | undefined => {
    const call = callIn(request.context as Partial<CallContext>);
    // `begin` failed before it opened the call; `respond` has logged why.
    if (!call) return undefined;
    const response = request.response as HandlerResult;
    const latest = newerVersion(call.userAgent, runtime.version);
    if (latest !== undefined) response.headers = { ...response.headers, [latestHeader]: latest };
    const { events } = response;
    if (events) {
      response.events = (signal) => endedBy(events(signal), () => end(call, response));
      return undefined;
    }
    return end(call, response);
  };

  function end(call: Call, response: HandlerResult): Promise<void> | undefined {
    if (call.background.length > 0) return endBackground(call).then(() => logRequest(call, response));
    logRequest(call, response);
    return undefined;
  }

  function logRequest(call: Call, response: HandlerResult): void {
    const durationMs = runtime.elapsedMs() - call.begunMs - call.report.waitedMs;
    runtime.log(requestLine(endpoint, call, response, { durationMs, coldStart }));
    coldStart = false;
  }
}

async function* endedBy(events: AsyncIterable<string>, end: () => Promise<void> | undefined) {
  try {
    yield* events;
  } finally {
    await end();
  }
}

const requestLine = (
  endpoint: Endpoint,
  call: Call,
  response: HandlerResult,
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
