/**
 * The limits of a request. A request is counted as soon as its credential is verified, in parallel with the reads of the
 * handler. A person who only knows a key's id cannot use up its limit. A refused request takes no effect, because the result is
 * awaited before a commit, a wait and every response. If the limits cannot be counted, requests pass, and an alarm is on.
 */

import type { Caller } from '../base/caller.ts';
import { ApiError } from '../base/errors.ts';
import type { StageLimits } from '../base/stage-limits.ts';
import { sendUpdate } from '../dynamodb/session.ts';
import type { Policy } from '../limits/limiter.ts';
import type { Begun, Sender, Verdict } from './call.ts';
import type { HandlerResult } from './handler-result.ts';
import { inBackground } from './stages.ts';
import type { Endpoint, Runtime } from './types.ts';

/** The limits that apply to a caller: those of its key and of the keys above it, and that of its tenant. */
function policiesOf({ id, mode, rateLimit, limitedBy }: Caller, limits: StageLimits): Policy[] {
  const ofTenant = limits[mode].rateLimit;
  return [
    ...(rateLimit ? [{ name: 'key', holder: id, limit: rateLimit } as const] : []),
    ...limitedBy.map(
      (parent) => ({ name: 'parent', holder: parent.keyId, limit: parent.rateLimit }) as const,
    ),
    ...(ofTenant ? [{ name: 'tenant', holder: 'tenant', limit: ofTenant } as const] : []),
  ];
}

/** Begins to count the request. @returns undefined if the caller has no limit; otherwise a promise that is never rejected */
export function countRequest(
  endpoint: Endpoint,
  runtime: Runtime,
  call: Omit<Begun, 'stage'>,
  caller: Caller,
): Promise<Verdict> | undefined {
  const policies = policiesOf(caller, runtime.limits);
  if (policies.length === 0) return undefined;
  const logFailure = (fault: unknown) =>
    runtime.log({
      level: 'warn',
      message: 'a limit could not be counted',
      requestId: call.requestId,
      endpoint: endpoint.id,
      limiterFailures: 1,
      fault,
    });
  const count = async (): Promise<Verdict> => {
    const limiter = await runtime.limiter();
    return limiter(policies, {
      tenant: caller.tenant,
      nowMs: call.nowMs + runtime.elapsedMs() - call.begunMs,
      chance: runtime.randomFraction(),
      send: (parameters) =>
        sendUpdate(call.session, 'limits', parameters, AbortSignal.timeout(runtime.limiterPatienceMs)),
      later: (work) => inBackground(call, work),
      onFailure: logFailure,
    });
  };
  return count().catch((fault: unknown) => {
    logFailure(fault);
    return { headers: {} };
  });
}

/** @returns the error of a request that a limit refuses */
export const refusalOf = ({ refusal }: Verdict): ApiError | undefined =>
  refusal && new ApiError('rate_limited', refusal.message, refusal);

/** @throws ApiError rate_limited if a limit of the sender is reached */
export async function requireWithinLimits({ limits }: Sender): Promise<void> {
  const refusal = limits && refusalOf(await limits);
  if (refusal) throw refusal;
}

/** @returns the response with the headers of the sender's limits */
export const withLimits = (response: HandlerResult, { headers }: Verdict): HandlerResult => ({
  ...response,
  headers: { ...response.headers, ...headers },
});

/**
 * @returns the response to a sender with limits
 * @throws ApiError rate_limited if a limit is reached
 */
export async function withinLimits(
  response: HandlerResult,
  limits: Promise<Verdict>,
): Promise<HandlerResult> {
  const verdict = await limits;
  const refusal = refusalOf(verdict);
  if (refusal) throw refusal;
  return withLimits(response, verdict);
}
