/** The caller, with any kind of credential. */

import type { KeyLimit, RateLimit } from './rate-limit.ts';
import type { Scope } from './scopes.ts';
import type { Suspension } from './suspensions.ts';

export type Mode = 'live' | 'test';

/** Organisation and mode: the partition of all of a caller's data. */
export type Tenant = `${string}#${Mode}`;

export const tenantOf = (organisationId: string, mode: Mode): Tenant => `${organisationId}#${mode}`;

export type Caller = {
  /** The principal, as in `createdBy`: a key's id, or `sub:` and the subject of an access token. */
  id: string;
  organisationId: string;
  organisationName: string;
  mode: Mode;
  tenant: Tenant;
  scopes: readonly Scope[];
  /** The projects to which the credential is bound; null for all projects of the tenant. */
  projectIds: readonly string[] | null;
  /** The addresses from which the credential may be used, as CIDR blocks; null for everywhere. */
  allowedCidrs: readonly string[] | null;
  /** The key's own limit; null if it has no limit. */
  rateLimit: RateLimit | null;
  /** The limits of the keys above a key, in which its requests count, too. The topmost key is the first. */
  limitedBy: readonly KeyLimit[];
  /** The end of the used credential: the token, the key, or its previous secret. Epoch milliseconds; null for never. */
  expiresAtMs: number | null;
  /** The version of the key's item; null for an access token. */
  changedIn: string | null;
  /** The hash of the secret of the request; null for an access token. */
  secretHash: string | null;
  /** When its organisation was suspended: deadlines are later by that. */
  suspensions: readonly Suspension[];
};

/** @returns whether the caller may access all of these projects (null: all projects of the tenant) */
export function withinProjects(
  caller: Pick<Caller, 'projectIds'>,
  projectIds: readonly string[] | null,
): boolean {
  if (caller.projectIds === null) return true;
  return projectIds?.every((id) => caller.projectIds?.includes(id)) ?? false;
}
