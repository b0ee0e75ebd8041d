/**
 * A kind of credential. It reads the tenant from the token alone, so that the tenant's items can be read in parallel with the
 * check. Then it checks the token. There are three kinds: api-key-credential.ts, workload-identity-credential.ts and
 * access-token-credential.ts.
 */

import type { Caller, Tenant } from '../base/caller.ts';
import { ApiError } from '../base/errors.ts';
import type { Session } from '../dynamodb/session.ts';
import type { Organisation } from '../organisations/store.ts';

export type CredentialKind = {
  accepts(token: string): boolean;
  /** @throws ApiError unauthorized if the token is evidently invalid; service_unavailable if it cannot be checked now */
  identify(token: string, nowMs: number): Promise<Identified> | Identified;
};

export type Identified = {
  tenant: Tenant;
  keyId?: string;
  /** @throws ApiError unauthorized, or organisation_suspended for a valid credential */
  verify(from: Origin, nowMs: number): Promise<Verified>;
};

type Origin = {
  session: Session;
  /** The address that the connection to the gateway came from. */
  sourceAddress: string | undefined;
};

export type Verified = {
  caller: Caller;
  background?: Promise<unknown>;
};

/**
 * Call it only after the credential was verified, so that nobody else learns about a suspension.
 * @returns the earlier suspensions, for the caller
 * @throws ApiError organisation_suspended
 */
export function requireActive({ suspendedAt, suspensions = [] }: Organisation): Pick<Caller, 'suspensions'> {
  if (suspendedAt !== undefined) throw new ApiError('organisation_suspended');
  return { suspensions };
}

/**
 * @param kinds the accepted kinds of credential
 * @throws ApiError unauthorized if the token matches no kind, or is clearly invalid
 */
export function identify(
  kinds: readonly CredentialKind[],
  token: string,
  nowMs: number,
): Promise<Identified> | Identified {
  const kind = kinds.find(({ accepts }) => accepts(token));
  if (!kind) throw new ApiError('unauthorized', 'Invalid API key prefix');
  return kind.identify(token, nowMs);
}
