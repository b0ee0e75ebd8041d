/**
 * Replays stored responses. Opens the record that `prefetch` read for the Idempotency-Key; sets the `recording`. This step
 * comes after every check, so a replayed request is authenticated, authorised and valid. Returns early with the stored
 * response, or fails with `invalid_idempotency_key`, `idempotency_key_reused`, `secret_unavailable`, or `not_found` if the
 * resource in the response has been erased.
 */

import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';
import { ApiError } from '../../base/errors.ts';
import { fingerprint } from '../../idempotency/store.ts';
import { reachOf, requireScopesForLoaded } from '../admission.ts';
import type { KnownSender, Middleware, Recording, Request, Validated } from '../call.ts';
import { renderOutcome } from '../envelope.ts';
import { withinLimits } from '../limits.ts';
import { findLoaded, open } from '../reads.ts';
import { mayReplay, restoreOutcome } from '../recorded-response.ts';
import { callAt } from '../stages.ts';
import type { Endpoint } from '../types.ts';

export function replay(endpoint: Endpoint): Middleware {
  type Replayed = APIGatewayProxyResult | Promise<APIGatewayProxyResult> | undefined;

  function replayBefore({ event, context }: Request): Replayed {
    const call = callAt(context.call, 'validated');
    const { sender } = call;
    const recording = sender.kind === 'public' ? undefined : recordingOf(call, sender, event);
    context.call = { ...call, stage: 'recorded', recording };
    if (!recording || sender.kind === 'public') return undefined;
    const record = open(sender.claim.firstReads.record);
    // The handler decides what the sender of another credential gets.
    if (!record || !mayReplay(record, recording)) return undefined;
    requireLoadedScopes(call, sender);
    const outcome = restoreOutcome(record, recording);
    // An early response skips every `after` function, so it is rendered here.
    const response = renderOutcome(outcome, endpoint, call);
    return sender.limits ? withinLimits(response, sender.limits) : response;
  }

  /** @returns undefined without an Idempotency-Key. @throws ApiError invalid_idempotency_key */
  function recordingOf(
    { headers }: Validated,
    { caller, claim: { credential, idempotency } }: KnownSender,
    { pathParameters, body }: APIGatewayProxyEvent,
  ): Recording | undefined {
    if (!endpoint.idempotent || headers.idempotencyKey.state === 'absent') return undefined;
    if (!idempotency) throw new ApiError('invalid_idempotency_key');
    const path = fullPath(endpoint, pathParameters);
    const print = fingerprint(endpoint.method, path, body, caller.projectIds);
    return { ...idempotency, credential, fingerprint: print, reach: reachOf(endpoint, caller) };
  }

  /** @throws ApiError insufficient_scope */
  function requireLoadedScopes({ nowMs }: Validated, sender: KnownSender): void {
    if (!endpoint.scopesForLoaded) return;
    const { caller, claim } = sender;
    // The project is not read again: no scope depends on it.
    const loaded = findLoaded(endpoint, open(claim.firstReads.loads), { caller, project: undefined, nowMs });
    if (loaded) requireScopesForLoaded(endpoint, sender, loaded);
  }

  return { before: replayBefore };
}

/** The path without the gateway's prefix, which differs between a stage and a custom domain. */
const fullPath = ({ path }: Endpoint, parameters: Readonly<Record<string, string | undefined>> | null) =>
  parameters === null ? path : path.replace(/\{(\w+)\}/g, (_, name: string) => parameters?.[name] ?? '');
