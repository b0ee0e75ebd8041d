/** Grants, for any giver and any grant. */

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { refuseGrant } from '../../../lib/api-keys/grants.ts';
import type { Caller } from '../../../lib/caller.ts';
import { allScopes, missingScopes, type Scope } from '../../../lib/scopes.ts';

const scopes = fc.uniqueArray(fc.constantFrom(...allScopes));

test('nobody can grant what they do not hold', () => {
  const projects = fc.option(fc.uniqueArray(fc.constantFrom('proj_a', 'proj_b', 'proj_c'), { minLength: 1 }));
  const expiresAtMs = fc.option(fc.nat());
  fc.assert(
    fc.property(
      fc.record({ scopes, projectIds: projects, expiresAtMs }),
      fc.record({ scopes, projectIds: projects, expiresAtMs }),
      (held, grant) => {
        const refusal = refuseGrant(held as unknown as Caller, grant);
        const may =
          missingScopes(held.scopes, grant.scopes as Scope[]).length === 0 &&
          (held.projectIds === null ||
            grant.projectIds?.every((id) => held.projectIds?.includes(id)) === true) &&
          (held.expiresAtMs === null ||
            (grant.expiresAtMs !== null && grant.expiresAtMs <= held.expiresAtMs));
        expect(refusal === undefined).toBe(may);
      },
    ),
  );
});
