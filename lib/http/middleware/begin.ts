/**
 * Opens the call. Reads the gateway's request id, source address and user agent, the headers and the clock; sets
 * `context.call`. Never responds.
 */

import { openSession } from '../../dynamodb/session.ts';
import type { Begun, Middleware, Request } from '../call.ts';
import { headerValues, parseHeaders } from '../headers.ts';
import type { Endpoint, Runtime } from '../types.ts';

export function begin(endpoint: Endpoint, runtime: Runtime): Middleware {
  function beginBefore(request: Request): void {
    const nowMs = runtime.nowMs();
    const { requestId, path, domainName, identity } = request.event.requestContext;
    const call: Begun = {
      stage: 'begun',
      requestId,
      // `event.path` does not include the stage.
      path,
      host: domainName,
      id: runtime.newId('call', nowMs),
      sourceAddress: identity?.sourceIp,
      userAgent: identity?.userAgent ?? undefined,
      nowMs,
      begunMs: runtime.elapsedMs(),
      session: openSession(runtime.client, runtime.tableNames, endpoint.access),
      background: [],
      headers: parseHeaders(request.event),
      headerValues: (name) => headerValues(request.event, name),
      report: { waitedMs: 0, isWaitLimited: false, errorCode: null },
    };
    request.context = { ...request.context, call };
  }

  return { before: beginBefore };
}
