/** What a caller may grant with a key. */

import { type Caller, withinProjects } from '../caller.ts';
import { missingScopes, type Scope } from '../scopes.ts';

export type Grant = {
  scopes: readonly Scope[];
  projectIds: readonly string[] | null;
  expiresAtMs: number | null;
};

/**
 * A caller cannot grant a scope, project or lifetime that it does not have.
 * @returns why the grant is refused, or undefined if it is allowed
 */
export function refuseGrant(caller: Caller, grant: Grant): string | undefined {
  const [scope] = missingScopes(caller.scopes, grant.scopes);
  if (scope) return `You cannot grant the scope ${scope}, because your credential does not have it.`;
  if (!withinProjects(caller, grant.projectIds)) {
    return 'You cannot grant access to projects that your credential is not bound to.';
  }
  if (caller.expiresAtMs !== null && (grant.expiresAtMs ?? Number.POSITIVE_INFINITY) > caller.expiresAtMs) {
    return 'You cannot grant access for longer than your own credential is valid.';
  }
  return undefined;
}
