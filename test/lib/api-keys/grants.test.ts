/** Grants, for any giver and any grant. */

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { refuseGrant } from '../../../lib/api-keys/grants.ts';
import type { Caller } from '../../../lib/base/caller.ts';
import { type Period, periodsMs, type RateLimit } from '../../../lib/base/rate-limit.ts';
import { allScopes, missingScopes, type Scope } from '../../../lib/base/scopes.ts';

const scopes = fc.uniqueArray(fc.constantFrom(...allScopes));

test('nobody can grant what they do not hold', () => {
  const projects = fc.option(fc.uniqueArray(fc.constantFrom('proj_a', 'proj_b', 'proj_c'), { minLength: 1 }));
  const environments = fc.option(fc.uniqueArray(fc.constantFrom('staging', 'production'), { minLength: 1 }));
  const expiresAtMs = fc.option(fc.nat());
  const cidrs = fc.option(
    fc.uniqueArray(fc.constantFrom('10.0.0.0/8', '10.1.0.0/16', '2001:db8::/32'), { minLength: 1 }),
  );
  const rateLimit = fc.option(
    fc.record({
      requests: fc.integer({ min: 1, max: 5000 }),
      per: fc.constantFrom('1s' as const, '1m' as const, '1h' as const),
    }),
  );
  const limitedBy = fc.array(
    fc.record({
      keyId: fc.constant('key_above'),
      rateLimit: fc.record({
        requests: fc.integer({ min: 1, max: 5000 }),
        per: fc.constantFrom('1s' as const, '1m' as const, '1h' as const),
      }),
    }),
    { maxLength: 2 },
  );
  /** What passes at most while the period of the other limit lasts. */
  const mostIn = (per: Period, { requests, per: own }: RateLimit) =>
    requests * Math.ceil(periodsMs[per] / periodsMs[own]);
  const isWithin = (outer: string, inner: string) =>
    outer === inner || (outer === '10.0.0.0/8' && inner.startsWith('10.'));
  fc.assert(
    fc.property(
      fc.record({
        scopes,
        projectIds: projects,
        environments,
        allowedCidrs: cidrs,
        rateLimit,
        limitedBy,
        expiresAtMs,
      }),
      fc.record({
        scopes,
        projectIds: projects,
        environments,
        allowedCidrs: cidrs,
        rateLimit,
        limitedBy,
        expiresAtMs,
      }),
      (held, grant) => {
        const refusal = refuseGrant(held as unknown as Caller, grant);
        const may =
          missingScopes(held.scopes, grant.scopes as Scope[]).length === 0 &&
          (held.projectIds === null ||
            grant.projectIds?.every((id) => held.projectIds?.includes(id)) === true) &&
          (held.environments === null ||
            grant.environments?.every((name) => held.environments?.includes(name)) === true) &&
          (held.allowedCidrs === null ||
            grant.allowedCidrs?.every((inner) =>
              held.allowedCidrs?.some((outer) => isWithin(outer, inner)),
            ) === true) &&
          (held.rateLimit === null ||
            (grant.rateLimit !== null &&
              mostIn(held.rateLimit.per, grant.rateLimit) <= held.rateLimit.requests)) &&
          held.limitedBy.every((above) =>
            [grant.rateLimit, ...grant.limitedBy.map((one) => one.rateLimit)].some(
              (one) => one !== null && mostIn(above.rateLimit.per, one) <= above.rateLimit.requests,
            ),
          ) &&
          (held.expiresAtMs === null ||
            (grant.expiresAtMs !== null && grant.expiresAtMs <= held.expiresAtMs));
        expect(refusal === undefined).toBe(may);
      },
    ),
  );
});
