/**
 * The kinds of credential that a bearer token may be. Each finds out from the token alone whose data it is about
 * (so that what belongs to the tenant can be read beside the check), then checks it.
 */

import type { Caller, Tenant } from '../caller.ts';
import { ApiError } from '../errors.ts';
import type { Session } from '../store/session.ts';
import { apiKeyCredential } from './api-key-credential.ts';

export type CredentialKind = {
  accepts(token: string): boolean;
  /** @throws ApiError unauthorized when the token alone shows that it is not valid */
  identify(token: string): Promise<Identified> | Identified;
};

export type Identified = {
  tenant: Tenant;
  /** @throws ApiError unauthorized */
  verify(session: Session, nowMs: number): Promise<Verified>;
};

export type Verified = {
  caller: Caller;
  /** Something to note that the answer need not wait for. */
  aside?: Promise<unknown>;
};

/** A second kind of credential is one more line here. */
const kinds: readonly CredentialKind[] = [apiKeyCredential];

/** @param authorization the header's values, as sent */
export function identify(authorization: readonly string[]): {
  token: string;
  identified: Promise<Identified> | Identified;
} {
  const token = bearerToken(authorization);
  const kind = kinds.find(({ accepts }) => accepts(token));
  if (!kind) throw new ApiError('unauthorized', 'Invalid API key prefix');
  return { token, identified: kind.identify(token) };
}

/** RFC 6750 section 2.1; the scheme's case does not matter (RFC 9110 section 11.1). */
function bearerToken(values: readonly string[]): string {
  const match = values.length === 1 ? /^bearer +(\S+)$/i.exec(values[0]?.trim() ?? '') : null;
  if (!match?.[1]) throw new ApiError('unauthorized');
  return match[1];
}
