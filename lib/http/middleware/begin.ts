/**
 * Opens the call. Reads the gateway's request id and source address, the headers and the clock; sets `context.call`. Never responds.
 */

import { openSession } from '../../dynamodb/session.ts';
import type { Call, Middleware, Request } from '../call.ts';
import type { Endpoint } from '../endpoint.ts';
import { parseHeaders } from '../headers.ts';
import type { Runtime } from '../runtime.ts';

export function begin(endpoint: Endpoint, runtime: Runtime): Middleware {
  function beginBefore(request: Request): void {
    const nowMs = runtime.nowMs();
    const call: Call = {
      requestId: request.event.requestContext.requestId,
      // `event.path` does not include the stage.
      path: request.event.requestContext.path,
      id: runtime.newId('call', nowMs),
      sourceAddress: request.event.requestContext.identity?.sourceIp,
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
