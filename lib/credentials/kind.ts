/**
 * What a kind of credential is: it finds out from the token alone whose data it is about (so that what belongs to the
 * tenant can be read beside the check), then checks it.
 */

import type { Caller, Tenant } from '../caller.ts';
import type { Session } from '../dynamodb/session.ts';

export type CredentialKind = {
  accepts(token: string): boolean;
  /**
   * @throws ApiError unauthorized when the token shows that it is not valid, or service_unavailable when nobody can tell
   *   at the moment
   */
  identify(token: string, nowMs: number): Promise<Identified> | Identified;
};

export type Identified = {
  tenant: Tenant;
  /** Of an API key. */
  keyId?: string;
  /** @throws ApiError unauthorized */
  verify(session: Session, nowMs: number): Promise<Verified>;
};

export type Verified = {
  caller: Caller;
  /** Something to note that the answer need not wait for. */
  background?: Promise<unknown>;
};
