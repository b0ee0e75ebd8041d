/**
 * Replays stored responses. Opens the record that `prefetch` read for the Idempotency-Key; sets `call.fingerprint`. It
 * runs after every check, so a replayed request is authenticated, authorised and valid. Returns early with the stored
 * response, or fails with `invalid_idempotency_key`, `idempotency_key_reused`, `secret_unavailable`, or `not_found` if the
 * resource in the response has been erased.
 */

import type { APIGatewayProxyResult } from 'aws-lambda';
import { ApiError } from '../../base/errors.ts';
import { fingerprint } from '../../idempotency/fingerprint.ts';
import { requireScopeForLoaded } from '../admission.ts';
import type { Middleware, Request } from '../call.ts';
import type { Endpoint } from '../endpoint.ts';
import { renderOutcome } from '../envelope.ts';
import { open } from '../first-reads.ts';
import { requireWithinLimits, withLimits } from '../limits.ts';
import { findLoaded } from '../loads.ts';
import { restoreOutcome } from '../recorded-response.ts';

export function replay(endpoint: Endpoint): Middleware {
  async function replayBefore({
    event,
    context: { call },
  }: Request): Promise<APIGatewayProxyResult | undefined> {
    const { state } = call.headers.idempotencyKey;
    if (!endpoint.idempotent || state === 'absent' || !call.firstReads) return undefined;
    if (state === 'invalid') throw new ApiError('invalid_idempotency_key');
    const path = fullPath(endpoint, event.pathParameters);
    call.fingerprint = fingerprint(endpoint.method, path, event.body, call.caller?.projectIds ?? null);
    const record = open(call.firstReads.record);
    if (!record) return undefined;
    const loaded =
      endpoint.scopeForLoaded && findLoaded(endpoint, open(call.firstReads.loads), call, call.nowMs);
    if (loaded) requireScopeForLoaded(endpoint, call, loaded);
    const outcome = restoreOutcome(record, call);
    await requireWithinLimits(call);
    // An early response skips every `after`, so it is rendered here.
    return withLimits(renderOutcome(outcome, endpoint, call), call);
  }

  return { before: replayBefore };
}

/** The path without the gateway's prefix, which differs between a stage and a custom domain. */
const fullPath = ({ path }: Endpoint, parameters: Readonly<Record<string, string | undefined>> | null) =>
  path.replace(/\{(\w+)\}/g, (_, name: string) => parameters?.[name] ?? '');
