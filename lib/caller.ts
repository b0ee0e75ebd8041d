/** The caller, whatever its kind of credential. */

import type { Scope } from './scopes.ts';

export type Mode = 'live' | 'test';

/** Organisation and mode: the partition of all of a caller's data. */
export type Tenant = `${string}#${Mode}`;

export const tenantOf = (organisationId: string, mode: Mode): Tenant => `${organisationId}#${mode}`;

export type Caller = {
  /** The principal, as in `createdBy`: a key's id, or `sub:` and the subject of an access token. */
  id: string;
  organisationId: string;
  mode: Mode;
  tenant: Tenant;
  scopes: readonly Scope[];
  /** The projects to which the credential is bound; null for all projects of the tenant. */
  projectIds: readonly string[] | null;
  /** Epoch milliseconds; null for never. */
  expiresAtMs: number | null;
  /** The version of the key's item; null for an access token. */
  changedIn: string | null;
};

/** @returns whether the caller may access all of these projects (null: all projects of the tenant) */
export function withinProjects(caller: Caller, projectIds: readonly string[] | null): boolean {
  if (caller.projectIds === null) return true;
  return projectIds?.every((id) => caller.projectIds?.includes(id)) ?? false;
}
