/** Checks the credential. Opens the read of `prefetch`; sets `call.caller`. May answer `unauthorized`. */

import type { Middleware, Request } from '../call.ts';
import { open } from '../first-reads.ts';

export function authenticate(): Middleware {
  function authenticateBefore({ context: { call } }: Request): void {
    if (call.firstReads) call.caller = open(call.firstReads.caller);
  }

  return { before: authenticateBefore };
}
