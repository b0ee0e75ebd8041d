/**
 * Opens the call. Reads the gateway's request id and the clock; sets `context.call`. Answers nothing itself.
 */

import type { Call, Middleware, Request } from '../call.ts';
import type { Endpoint } from '../endpoint.ts';
import type { Runtime } from '../runtime.ts';
import { openSession } from '../store/session.ts';

export function begin(endpoint: Endpoint, runtime: Runtime): Middleware {
  function beginBefore(request: Request): void {
    const call: Call = {
      requestId: request.event.requestContext.requestId,
      nowMs: runtime.nowMs(),
      session: openSession(runtime.client, runtime.tableNames, endpoint.access),
      aside: [],
    };
    request.context = { ...request.context, call };
  }

  return { before: beginBefore };
}

/**
 * Waits for the work beside the answer: a function that has answered may be frozen in the middle of it.
 * A hook of Middy's and no `after`, because an early answer goes past those.
 */
export function finish(endpoint: Endpoint, runtime: Runtime) {
  return async ({ context }: { context: unknown }): Promise<void> => {
    const { call } = context as { call?: Call };
    for (const result of await Promise.allSettled(call?.aside ?? [])) {
      if (!call || result.status === 'fulfilled') continue;
      runtime.log({
        level: 'warn',
        message: 'work beside the answer failed',
        requestId: call.requestId,
        endpoint: endpoint.id,
        error: result.reason,
      });
    }
  };
}
