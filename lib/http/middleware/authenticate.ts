/**
 * Refuses an unknown, revoked or expired credential. `prefetch` has already checked it (lib/credentials), in parallel with the
 * other reads. This step opens the result, and begins to count the request if its caller has a limit. Sets the `sender`. May
 * return `unauthorized`.
 */

import type { AnySender, Middleware, Prefetched, Request, Sender } from '../call.ts';
import { countRequest } from '../limits.ts';
import { open } from '../reads.ts';
import { callAt } from '../stages.ts';
import type { Endpoint, Runtime } from '../types.ts';

const anybody: AnySender = { kind: 'public', id: 'public', tenant: 'public' };

export function authenticate(endpoint: Endpoint, runtime: Runtime): Middleware {
  function authenticateBefore({ context }: Request): void {
    const call = callAt(context.call, 'prefetched');
    context.call = { ...call, stage: 'authenticated', sender: senderOf(call) };
  }

  function senderOf(call: Prefetched): Sender {
    const { claim } = call;
    if (claim === 'public') return anybody;
    const caller = open(claim.firstReads.caller);
    const limits = countRequest(endpoint, runtime, call, caller);
    return { kind: 'caller', id: caller.principal, tenant: caller.tenant, caller, claim, limits };
  }

  return { before: authenticateBefore };
}
