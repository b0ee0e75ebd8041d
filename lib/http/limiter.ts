/** The limiter tells a caller its limits in headers. It is loaded with the first request of a limited caller. */

import { periodsMs } from '../base/rate-limit.ts';
import { secondMs } from '../base/time.ts';
import { createLimiter as createCounter, type Policy, type Standing } from '../limits/limiter.ts';
import type { Limiter } from './types.ts';

export function createLimiter(): Limiter {
  const count = createCounter();
  return async (policies, counting) => {
    const standings = await count(policies, counting);
    const refusals = standings.filter(({ isRefused }) => isRefused).sort((a, b) => b.untilMs - a.untilMs);
    const hidden = hiddenParents(policies, standings);
    const headers = renderLimits(
      policies.filter((policy) => !hidden.includes(policy)),
      standings.filter(({ policy }) => !hidden.includes(policy)),
      counting.nowMs,
    );
    const [refusal] = refusals;
    if (!refusal) return { headers };
    const { policy } = refusal;
    const retryAfterSeconds = secondsUntil(refusal, counting.nowMs);
    const message =
      `Too many requests: the limit of ${holderOf[policy.name](policy)} is ${policy.limit.requests} per ${policy.limit.per}. ` +
      `Send the request again after ${retryAfterSeconds} s.`;
    return { headers, refusal: { message, retryAfterSeconds } };
  };
}

const holderOf: Readonly<Record<Policy['name'], (policy: Policy) => string>> = {
  key: () => 'this API key',
  parent: ({ holder }) => `${holder}, a key above this API key,`,
  tenant: () => 'all credentials of the organisation in this mode',
};

/** @returns all parents except the one that is closest to refusing, because each name has one item in the headers */
function hiddenParents(policies: readonly Policy[], standings: readonly Standing[]): Policy[] {
  const parents = policies.filter(({ name }) => name === 'parent');
  const [closest] = standings
    .filter(({ policy }) => policy.name === 'parent')
    .sort((a, b) => a.remaining - b.remaining || b.untilMs - a.untilMs);
  const parent = closest?.policy ?? parents[0];
  return parents.filter((policy) => policy !== parent);
}

/** The result is at least one second, because another request may be faster. */
const secondsUntil = ({ untilMs }: Standing, nowMs: number) =>
  Math.max(1, Math.ceil((untilMs - nowMs) / secondMs));

/**
 * The fields of draft-ietf-httpapi-ratelimit-headers-11: lists of strings with parameters (RFC 9651). `q` is the quota and `w`
 * its window in seconds (section 3.1); `r` is the number of available requests, and `t` the seconds for which they are
 * available (section 4.1).
 */
function renderLimits(policies: readonly Policy[], standings: readonly Standing[], nowMs: number) {
  const declared = policies.map(
    ({ name, limit }) => `"${name}";q=${limit.requests};w=${periodsMs[limit.per] / secondMs}`,
  );
  const current = standings.map(
    (standing) => `"${standing.policy.name}";r=${standing.remaining};t=${secondsUntil(standing, nowMs)}`,
  );
  return {
    'RateLimit-Policy': declared.join(', '),
    // A limit that could not be counted is left out.
    ...(current.length > 0 && { RateLimit: current.join(', ') }),
  };
}
