/**
 * Opens the call. Reads the gateway's request id, source address and user agent, the headers and the clock; sets
 * `context.call`. Never responds.
 */

import { openSession } from '../../dynamodb/session.ts';
import type { Call, Middleware, Request } from '../call.ts';
import type { Endpoint } from '../endpoint.ts';
import { parseHeaders } from '../headers.ts';
import type { Runtime } from '../runtime.ts';

export function begin(endpoint: Endpoint, runtime: Runtime): Middleware {
  function beginBefore(request: Request): void {
    const nowMs = runtime.nowMs();
    const { requestId, path, identity } = request.event.requestContext;
    const call: Call = {
      requestId,
      // `event.path` does not include the stage.
      path,
      id: runtime.newId('call', nowMs),
      sourceAddress: identity?.sourceIp,
      userAgent: identity?.userAgent ?? undefined,
      nowMs,
      begunMs: runtime.elapsedMs(),
      waitedMs: 0,
      session: openSession(runtime.client, runtime.tableNames, endpoint.access),
      background: [],
      headers: parseHeaders(request.event),
    };
    request.context = { ...request.context, call };
  }

  return { before: beginBefore };
}
