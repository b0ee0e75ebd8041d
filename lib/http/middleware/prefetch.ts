/**
 * Starts the first round trip. Reads Authorization, Idempotency-Key and the path; sets `call.credential`,
 * `call.callingKeyId`, `call.idempotency` and `call.firstReads`, whose results later steps open. A malformed credential
 * costs no read. May fail with `unauthorized`, or `service_unavailable` if the issuer of an access token does not respond.
 */

import { ApiError } from '../../base/errors.ts';
import { identify } from '../../credentials/identify.ts';
import { recordKey } from '../../idempotency/store.ts';
import { projectIdIn } from '../admission.ts';
import type { Middleware, Request } from '../call.ts';
import type { Endpoint } from '../endpoint.ts';
import { readFirst } from '../first-reads.ts';
import type { Runtime } from '../runtime.ts';

export function prefetch(endpoint: Endpoint, { credentials }: Runtime): Middleware {
  async function prefetchBefore({ context: { call } }: Request): Promise<void> {
    if (endpoint.auth === 'public') return;
    const { authorization, idempotencyKey } = call.headers;
    if (authorization.state !== 'valid') throw new ApiError('unauthorized');
    const identified = await identify(credentials, authorization.value, call.nowMs);
    call.credential = authorization.value;
    call.callingKeyId = identified.keyId;
    // `replay` refuses an invalid key, and `validate` an invalid path.
    if (endpoint.idempotent && idempotencyKey.state === 'valid' && call.params) {
      const key = idempotencyKey.value;
      call.idempotency = { key, recordKey: recordKey(key, projectIdIn(call.params)) };
    }
    call.firstReads = await readFirst(endpoint, call, identified);
  }

  return { before: prefetchBefore };
}
