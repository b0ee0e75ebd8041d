/**
 * Refuses an unknown, revoked or expired credential. `prefetch` has already checked it, in parallel with the other reads:
 * lib/credentials/api-key-credential.ts for API keys, access-token-credential.ts for access tokens. This step opens the
 * result. Sets `call.caller`. May return `unauthorized`.
 */

import type { Middleware, Request } from '../call.ts';
import { open } from '../first-reads.ts';

export function authenticate(): Middleware {
  function authenticateBefore({ context: { call } }: Request): void {
    if (call.firstReads) call.caller = open(call.firstReads.caller);
  }

  return { before: authenticateBefore };
}
