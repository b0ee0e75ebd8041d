/** Who is calling, whatever kind of credential said so. */

import type { Scope } from './scopes.ts';

export type Mode = 'live' | 'test';

/** Organisation and mode: the partition that all of a caller's data is in. */
export type Tenant = `${string}#${Mode}`;

export const tenantOf = (organisationId: string, mode: Mode): Tenant => `${organisationId}#${mode}`;

export type Caller = {
  /** The principal, as it stands in `createdBy`: a key's id, or `sub:` and an access token's subject. */
  id: string;
  organisationId: string;
  mode: Mode;
  tenant: Tenant;
  scopes: readonly Scope[];
  /** The projects the credential is bound to; null for all of the tenant's. */
  projectIds: readonly string[] | null;
  /** Epoch milliseconds; null for never. */
  expiresAtMs: number | null;
  /** The version of the key's record; null for an access token, which has none. */
  changedIn: string | null;
};

/** @returns whether everything bound to these projects (null: to all) lies within the caller's own */
export function withinProjects(caller: Caller, projectIds: readonly string[] | null): boolean {
  if (caller.projectIds === null) return true;
  return projectIds?.every((id) => caller.projectIds?.includes(id)) ?? false;
}
