/**
 * Refuses an unknown, revoked or expired credential. `prefetch` has already checked it, in parallel with the other reads:
 * lib/credentials/api-key-credential.ts for API keys, access-token-credential.ts for access tokens. This step opens the
 * result, and begins to count the request if its caller has a limit. Sets `call.caller` and `call.limits`. May return
 * `unauthorized`.
 */

import type { Middleware, Request } from '../call.ts';
import type { Endpoint } from '../endpoint.ts';
import { open } from '../first-reads.ts';
import { countRequest } from '../limits.ts';
import type { Runtime } from '../runtime.ts';

export function authenticate(endpoint: Endpoint, runtime: Runtime): Middleware {
  function authenticateBefore({ context: { call } }: Request): void {
    if (!call.firstReads) return;
    call.caller = open(call.firstReads.caller);
    call.limits = countRequest(endpoint, runtime, call, call.caller);
  }

  return { before: authenticateBefore };
}
