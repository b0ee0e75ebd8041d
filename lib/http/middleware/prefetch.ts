/**
 * Starts the first round trip. Reads Authorization, Idempotency-Key and the path; sets the `claim`, with the reads that later
 * steps open. A malformed credential costs no read. May fail with `unauthorized`, or `service_unavailable` if the issuer
 * of an access token does not respond.
 */

import { ApiError } from '../../base/errors.ts';
import { identify } from '../../credentials/kind.ts';
import { recordKey } from '../../idempotency/store.ts';
import type { Addressed, Claim, IdempotencyKey, Middleware, Request } from '../call.ts';
import { readFirst } from '../reads.ts';
import { callAt, projectIdIn } from '../stages.ts';
import type { Endpoint, Runtime } from '../types.ts';

export function prefetch(endpoint: Endpoint, { credentials }: Runtime): Middleware {
  async function prefetchBefore({ context }: Request): Promise<void> {
    const call = callAt(context.call, 'addressed');
    const claim = endpoint.auth === 'public' ? 'public' : await claimOf(call);
    context.call = { ...call, stage: 'prefetched', claim };
  }

  async function claimOf(call: Addressed): Promise<Claim> {
    const { authorization } = call.headers;
    if (authorization.state !== 'valid') throw new ApiError('unauthorized');
    const credential = authorization.value;
    const identified = await identify(credentials, credential, call.nowMs);
    const idempotency = idempotencyOf(call);
    const firstReads = await readFirst(endpoint, call, identified, idempotency);
    return { credential, keyId: identified.keyId, idempotency, firstReads };
  }

  /** @returns undefined without a valid key; `replay` refuses an invalid key, and `validate` an invalid path */
  function idempotencyOf({ headers, parsedPath: { params } }: Addressed): IdempotencyKey | undefined {
    const { idempotencyKey } = headers;
    if (!endpoint.idempotent || idempotencyKey.state !== 'valid' || !params) return undefined;
    const key = idempotencyKey.value;
    return { key, recordKey: recordKey(key, projectIdIn(params)) };
  }

  return { before: prefetchBefore };
}
