import { idPattern } from './ids.ts';
import type { KeyLimit, RateLimit } from './rate-limit.ts';
import type { Scope } from './scopes.ts';

export type Mode = 'live' | 'test';

/** The partition of all data of a caller consists of organisation and mode. */
export type Tenant = `${string}#${Mode}`;

export const tenantOf = (organisationId: string, mode: Mode): Tenant => `${organisationId}#${mode}`;

export type Caller = {
  /** The id of a key or of a workload identity, or `sub:` and the subject of an access token. */
  id: string;
  /** The value of `createdBy`: the id, and for a workload identity also the subject of its token (`principalOf`). */
  principal: string;
  organisationId: string;
  organisationName: string;
  mode: Mode;
  tenant: Tenant;
  scopes: readonly Scope[];
  /** The projects to which the credential is bound; null for all projects of the tenant. */
  projectIds: readonly string[] | null;
  /** The environments to which the credential is bound, by name; null for all environments. */
  environments: readonly string[] | null;
  /** The addresses from which the credential may be used, as CIDR blocks; null for everywhere. */
  allowedCidrs: readonly string[] | null;
  rateLimit: RateLimit | null;
  /** The limits of the keys above a key, in which its requests count, too. The topmost key is the first. */
  limitedBy: readonly KeyLimit[];
  /** The end of the used credential: the token, the key, or its previous secret. Null for never. */
  expiresAtMs: number | null;
  /** The version of the item of the key or the identity; null for an access token. */
  changedIn: string | null;
  /** The hash of the secret of the request; null for a token. */
  secretHash: string | null;
  /** The suspensions of the organisation. Deadlines are later by these times. */
  suspensions: readonly { from: string; until: string }[];
};

/** @returns `wid_…:` and the subject of the token, for the caller that used the workload identity */
export const principalOf = (identityId: string, subject: string): string => `${identityId}:${subject}`;

/** No other principal starts with an id and a colon. */
const identityIdLength = 'wid_'.length + 26;
const identityId = idPattern('workloadIdentity');

/** @returns the credential of a principal: the id for `wid_…:<subject>`, and any other principal unchanged */
export function credentialIn(principal: string): string {
  const id = principal.slice(0, identityIdLength);
  return principal[identityIdLength] === ':' && identityId.test(id) ? id : principal;
}

export function credentialKind(id: string): 'api_key' | 'workload_identity' | 'access_token' {
  if (id.startsWith('key_')) return 'api_key';
  return id.startsWith('wid_') ? 'workload_identity' : 'access_token';
}

/** @returns the subject of the token in `wid_…:<subject>`; null for any other principal */
export function subjectIn(principal: string): string | null {
  const id = credentialIn(principal);
  return id === principal ? null : principal.slice(id.length + 1);
}

/** @returns whether the caller may access all of these environments (null: all environments) */
export const withinEnvironments = (
  { environments }: Pick<Caller, 'environments'>,
  names: readonly string[] | null,
): boolean => environments === null || (names?.every((name) => environments.includes(name)) ?? false);

/** @returns whether the caller may access all of these projects (null: all projects of the tenant) */
export function withinProjects(
  caller: Pick<Caller, 'projectIds'>,
  projectIds: readonly string[] | null,
): boolean {
  if (caller.projectIds === null) return true;
  return projectIds?.every((id) => caller.projectIds?.includes(id)) ?? false;
}
