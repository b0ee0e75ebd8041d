/**
 * A kind of credential. It reads the tenant from the token alone, so that the tenant's items can be read in parallel
 * with the check. Then it checks the token. api-key-credential.ts and access-token-credential.ts are the two kinds.
 */

import type { Caller, Tenant } from '../caller.ts';
import type { Session } from '../dynamodb/session.ts';

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
  /** @throws ApiError unauthorized */
  verify(session: Session, nowMs: number): Promise<Verified>;
};

export type Verified = {
  caller: Caller;
  /** Background work for which the response does not wait. */
  background?: Promise<unknown>;
};
