/** The rights that a caller may grant with a key, and the keys that it may end. */

import { type Caller, credentialKind, withinEnvironments, withinProjects } from '../base/caller.ts';
import { isWithin, type KeyLimit, type RateLimit } from '../base/rate-limit.ts';
import { missingScopes, type Scope } from '../base/scopes.ts';
import { widerThan } from './addresses.ts';
import { inheritedLimits, limitsBelow } from './restrictions.ts';

export type Grant = {
  scopes: readonly Scope[];
  projectIds: readonly string[] | null;
  environments: readonly string[] | null;
  expiresAtMs: number | null;
  allowedCidrs: readonly string[] | null;
  rateLimit: RateLimit | null;
  /** The limits of the keys above this key. */
  limitedBy: readonly KeyLimit[];
};

/**
 * A caller cannot grant a scope, project, environment or lifetime that it does not have.
 * @returns why the grant is refused, or undefined if it is allowed
 */
export function refuseGrant(caller: Caller, grant: Grant): string | undefined {
  const [scope] = missingScopes(caller.scopes, grant.scopes);
  if (scope) return `You cannot grant the scope ${scope}, because your credential does not have it.`;
  if (!withinProjects(caller, grant.projectIds)) {
    return 'You cannot grant access to projects that your credential is not bound to.';
  }
  if (!withinEnvironments(caller, grant.environments)) {
    return 'You cannot grant access to environments that your credential is not bound to.';
  }
  const wider = widerThan(caller.allowedCidrs, grant.allowedCidrs);
  if (wider) return `You cannot grant access from ${wider}, because your credential does not have it.`;
  if (!isWithin(grant.rateLimit, caller.rateLimit) || !isWithinAll(grant, caller.limitedBy)) {
    return 'You cannot grant a higher limit of requests than your credential has.';
  }
  if (caller.expiresAtMs !== null && (grant.expiresAtMs ?? Number.POSITIVE_INFINITY) > caller.expiresAtMs) {
    return 'You cannot grant access for longer than your own credential is valid.';
  }
  return undefined;
}

type GrantRequest = {
  scopes: readonly Scope[];
  projectIds?: readonly string[] | undefined;
  environments?: readonly string[] | undefined;
  allowedCidrs?: readonly string[] | undefined;
  rateLimit?: RateLimit | null | undefined;
};

/**
 * The permissions of a new key or identity. By default, the credential has the projects, environments, addresses and limit of its
 * creator.
 * @param noun of the new credential, for the reason
 * @returns the grant, or why the caller may not give it
 */
export function grantFor(
  caller: Caller,
  { scopes, projectIds, environments, allowedCidrs, rateLimit }: GrantRequest,
  expiresAtMs: number | null,
  noun: string,
): { grant: Grant } | { refusal: string } {
  const above = limitsBelow(caller);
  const ownLimit = rateLimit === undefined ? caller.rateLimit : rateLimit;
  const limitedBy = inheritedLimits(above, ownLimit);
  const grant: Grant = {
    scopes,
    projectIds: projectIds ?? caller.projectIds,
    environments: environments ?? caller.environments,
    allowedCidrs: allowedCidrs ?? caller.allowedCidrs,
    rateLimit: ownLimit,
    limitedBy,
    expiresAtMs,
  };
  const refusal = refuseGrant(caller, grant);
  if (refusal) return { refusal };
  if (limitedBy.length === above.length) return { grant };
  return {
    refusal:
      'A request counts in at most four limits: that of its credential, and those of the credentials above it. Your ' +
      `credential has as many already, so it cannot create a ${noun} with a limit.`,
  };
}

/** @returns whether each limit above the caller, or a lower limit, also applies to the new key */
const isWithinAll = ({ rateLimit, limitedBy }: Grant, above: readonly KeyLimit[]): boolean =>
  above.every((limit) =>
    [rateLimit, ...limitedBy.map((item) => item.rateLimit)].some((lower) => isWithin(lower, limit.rateLimit)),
  );

const nounOf = (id: string) => (credentialKind(id) === 'workload_identity' ? 'workload identity' : 'key');

/**
 * A caller cannot end or restrict a key or an identity that has more scopes or environments than the caller. Any credential can
 * end itself. A credential with more projects does not exist for the caller.
 * @returns why the request is refused, or undefined if it is allowed
 */
export function refuseEnd(
  caller: Caller,
  key: { id: string; scopes: readonly Scope[]; environments?: readonly string[] | null },
): string | undefined {
  if (key.id === caller.id) return undefined;
  const [scope] = missingScopes(caller.scopes, key.scopes);
  if (scope) return `This ${nounOf(key.id)} has the scope ${scope}, which your credential does not have.`;
  return withinEnvironments(caller, key.environments ?? null)
    ? undefined
    : `This ${nounOf(key.id)} reaches environments that your credential is not bound to.`;
}

/** As a credential and the request of `children=true` store them: without environments, all of them. */
type EndRights = Pick<Grant, 'scopes' | 'projectIds'> & { environments?: Grant['environments'] };

/** @returns whether a caller that revokes a key with its children also ends this key, as it could by a request of its own */
export const mayEnd = (caller: EndRights, key: EndRights): boolean =>
  missingScopes(caller.scopes, key.scopes).length === 0 &&
  withinProjects(caller, key.projectIds) &&
  withinEnvironments({ environments: caller.environments ?? null }, key.environments ?? null);

const endMs = ({ expiresAtMs }: Grant) => expiresAtMs ?? Number.POSITIVE_INFINITY;

/** @returns the scopes that a change of a key grants: further scopes, or all scopes for longer or from more addresses */
export function addedGrant(before: Grant, after: Grant): Grant | undefined {
  const isMore =
    endMs(after) > endMs(before) ||
    widerThan(before.allowedCidrs, after.allowedCidrs) !== undefined ||
    !isWithin(after.rateLimit, before.rateLimit);
  const scopes = isMore ? after.scopes : missingScopes(before.scopes, after.scopes);
  return scopes.length > 0 ? { ...after, scopes } : undefined;
}

/**
 * @returns whether a change takes lifetime, addresses or requests from a key. A caller that could not rotate the key before
 *   could then rotate it
 */
const restricts = (before: Grant, after: Grant): boolean =>
  endMs(after) < endMs(before) ||
  widerThan(after.allowedCidrs, before.allowedCidrs) !== undefined ||
  !isWithin(before.rateLimit, after.rateLimit);

/**
 * To change another key, a caller needs every scope of that key. To shorten the key, or to restrict its addresses or requests,
 * a caller must be able to grant the key as it is. A key may take anything from itself.
 * @returns why the change is refused, or undefined if it is allowed
 */
export function refuseChange(caller: Caller, id: string, before: Grant, after: Grant): string | undefined {
  if (id === caller.id) return undefined;
  const refusal = refuseEnd(caller, { id, scopes: before.scopes, environments: before.environments });
  if (refusal || !restricts(before, after) || !refuseGrant(caller, before)) return refusal;
  const end = credentialKind(id) === 'workload_identity' ? 'delete' : 'revoke';
  return `You cannot shorten or restrict this ${nounOf(id)}, because your credential could not grant it as it is. You can ${end} it.`;
}
