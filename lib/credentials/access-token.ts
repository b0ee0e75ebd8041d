/**
 * The content of an access token: a JWT (RFC 7519) in the form of RFC 9068, signed by the configured issuer. The claims
 * for organisation, mode and scopes are configured.
 */

import type { Mode } from '../caller.ts';
import { ApiError } from '../errors.ts';
import { idPattern } from '../ids.ts';
import { allScopes, type Scope } from '../scopes.ts';
import { secondMs } from '../time.ts';
import type { OidcSettings } from './oidc-settings.ts';

/** Three parts in base64url, of which the first is a JSON object. The last is empty for an unsigned token. */
export const hasAccessTokenForm = (token: string): boolean => /^ey[\w-]+\.[\w-]+\.[\w-]*$/.test(token);

/** A token's claims, as parsed from JSON. */
export type Claims = Readonly<Record<string, unknown>>;

/**
 * An ID token is for the application that signed a user in. It may have the same issuer and audience as an access token
 * (with Cognito, both name the app client), so these do not distinguish them.
 */
export function isAccessToken(header: object, claims: Claims, tokenType: OidcSettings['tokenType']): boolean {
  const { token_use: use } = claims;
  if (use !== undefined) return use === 'access';
  const typ = 'typ' in header ? header.typ : undefined;
  const isMarked = typeof typ === 'string' && /^(application\/)?at\+jwt$/i.test(typ);
  return isMarked || (tokenType === 'any' && !isIdToken(claims));
}

/** Keycloak uses a claim `typ`. The others are claims of OpenID Connect Core sections 3.1.3.6 and 3.3.2.11. */
const isIdToken = ({ typ, at_hash, c_hash, nonce }: Claims): boolean =>
  typ === 'ID' || [at_hash, c_hash, nonce].some((claim) => claim !== undefined);

export type TokenHolder = {
  /** The caller (`sub`). */
  subject: string;
  organisationId: string;
  mode: Mode;
  scopes: readonly Scope[];
  expiresAtMs: number;
};

/**
 * @param claims of a token with a valid signature and valid times
 * @throws ApiError unauthorized, which names the missing or invalid claim
 */
export function readHolder(claims: Claims, names: OidcSettings): TokenHolder {
  const { sub, exp } = claims;
  const organisationId = claims[names.organisationClaim];
  const mode = claims[names.modeClaim];
  if (typeof sub !== 'string' || !/^[\x20-\x7e]{1,255}$/.test(sub)) {
    throw refused('needs the claim sub: 1 to 255 printable ASCII characters');
  }
  if (typeof organisationId !== 'string' || !idPattern('organisation').test(organisationId)) {
    throw refused(`needs the claim ${names.organisationClaim}: the id of an organisation`);
  }
  if (mode !== 'live' && mode !== 'test') {
    throw refused(`needs the claim ${names.modeClaim}: live or test`);
  }
  // The time check treats a token without `exp` as valid for ever.
  if (typeof exp !== 'number') throw refused('needs the claim exp');
  const scopes = scopesIn(claims[names.scopeClaim]);
  return { subject: sub, organisationId, mode, scopes, expiresAtMs: exp * secondMs };
}

/** Ignores unknown scopes such as `openid`. Without a known scope, the list is empty. */
function scopesIn(claim: unknown): Scope[] {
  const said = [claim].flat().flatMap((text) => (typeof text === 'string' ? text.split(' ') : []));
  return allScopes.filter((scope) => said.includes(scope));
}

const refused = (why: string) => new ApiError('unauthorized', `This access token ${why}`);
