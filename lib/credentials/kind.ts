/**
 * A kind of credential. It reads the tenant from the token alone, so that the tenant's items can be read in parallel
 * with the check. Then it checks the token. api-key-credential.ts and access-token-credential.ts are the two kinds.
 */

import type { Caller, Tenant } from '../base/caller.ts';
import { ApiError } from '../base/errors.ts';
import type { Session } from '../dynamodb/session.ts';
import type { Organisation } from '../organisations/store.ts';

export type CredentialKind = {
  accepts(token: string): boolean;
  /**
   * @throws ApiError unauthorized if the token is evidently invalid, or service_unavailable if it cannot be checked at
   *   the moment
   */
  identify(token: string, nowMs: number): Promise<Identified> | Identified;
};

export type Identified = {
  tenant: Tenant;
  /** The id of an API key. */
  keyId?: string;
  /** @throws ApiError unauthorized, or organisation_suspended for a valid credential */
  verify(from: Origin, nowMs: number): Promise<Verified>;
};

type Origin = {
  session: Session;
  /** The address that the gateway's connection came from. */
  sourceAddress: string | undefined;
};

export type Verified = {
  caller: Caller;
  /** Background work for which the response does not wait. */
  background?: Promise<unknown>;
};

/**
 * Called only after the credential was verified, so that nobody else learns about a suspension.
 * @returns the earlier suspensions, for the caller
 * @throws ApiError organisation_suspended
 */
export function requireActive({ suspendedAt, suspensions = [] }: Organisation): Pick<Caller, 'suspensions'> {
  if (suspendedAt !== undefined) throw new ApiError('organisation_suspended');
  return { suspensions };
}
