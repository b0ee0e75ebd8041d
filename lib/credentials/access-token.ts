/**
 * An access token is a JWT (RFC 7519) in the form of RFC 9068, signed by a configured issuer. The claims for organisation,
 * mode, scopes, projects and environments are configured.
 */

import type { Mode } from '../base/caller.ts';
import { environmentNamePattern, idPattern } from '../base/ids.ts';
import { allScopes, type Scope } from '../base/scopes.ts';
import { secondMs } from '../base/time.ts';
import type { OidcIssuer } from './oidc-issuers.ts';

export type Claims = Readonly<Record<string, unknown>>;

/**
 * An ID token is for the application that signed a user in. It may have the same issuer and audience as an access token
 * (with Cognito, both name the app client), so these do not distinguish them.
 */
export function isAccessToken(header: object, claims: Claims, tokenType: OidcIssuer['tokenType']): boolean {
  const typ = typeIn(header);
  const { token_use: use } = claims;
  // Other types, such as logout+jwt, are tokens for something else (RFC 8725 section 3.11).
  if (typ !== undefined && typ !== 'jwt' && typ !== 'at+jwt') return false;
  if (use !== undefined) return use === 'access';
  return typ === 'at+jwt' || (tokenType === 'JWT' && !isIdToken(claims));
}

/** @returns the type in lower case, without the `application/` that may be left out (RFC 7515 section 4.1.9) */
function typeIn(header: object): string | undefined {
  if (!('typ' in header)) return undefined;
  return typeof header.typ === 'string' ? header.typ.toLowerCase().replace(/^application\//, '') : '';
}

/** Keycloak uses a claim `typ`. The other claims are from OpenID Connect Core sections 3.1.3.6 and 3.3.2.11. */
const isIdToken = ({ typ, at_hash, c_hash, nonce }: Claims): boolean =>
  typ === 'ID' || [at_hash, c_hash, nonce].some((claim) => claim !== undefined);

export type TokenHolder = {
  subject: string;
  organisationId: string;
  mode: Mode;
  scopes: readonly Scope[];
  projectIds: readonly string[] | null;
  environments: readonly string[] | null;
  expiresAtMs: number;
};

/** A valid token without a required claim. The message is for the caller. */
export class UnusableToken extends Error {}

/** What a claim lists. The lists are short anyway, because a token is sent with every request. */
type Listed = { max: number; are: string; pattern: RegExp };
const projects: Listed = { max: 100, are: 'ids of projects', pattern: idPattern('project') };
const environmentNames: Listed = { max: 20, are: 'names of environments', pattern: environmentNamePattern };
/** This content of a configured claim means all projects or environments. A missing claim does not. */
const all = '*';

/**
 * @param claims of a token with a valid signature and valid times
 * @throws UnusableToken, which names the missing or invalid claim
 */
export function readHolder(claims: Claims, names: OidcIssuer): TokenHolder {
  const { sub, exp } = claims;
  const organisationId = claims[names.organisationClaim];
  const mode = claims[names.modeClaim];
  if (typeof sub !== 'string' || !/^[\x20-\x7e]{1,255}$/.test(sub)) {
    throw unusable('needs the claim sub: 1 to 255 printable ASCII characters');
  }
  if (typeof organisationId !== 'string' || !idPattern('organisation').test(organisationId)) {
    throw unusable(`needs the claim ${names.organisationClaim}: the id of an organisation`);
  }
  if (mode !== 'live' && mode !== 'test') {
    throw unusable(`needs the claim ${names.modeClaim}: live or test`);
  }
  // The time check treats a token without `exp` as valid for ever.
  if (typeof exp !== 'number') throw unusable('needs the claim exp');
  const scopes = scopesIn(claims[names.scopeClaim]);
  const list = (claim: string | undefined, listed: Listed) =>
    claim === undefined ? null : listIn(claims[claim], claim, listed);
  return {
    subject: sub,
    organisationId,
    mode,
    scopes,
    projectIds: list(names.projectsClaim, projects),
    environments: list(names.environmentsClaim, environmentNames),
    expiresAtMs: exp * secondMs,
  };
}

/** Ignores unknown scopes such as `openid`. If the token has no known scope, the list is empty. */
function scopesIn(claim: unknown): Scope[] {
  const tokens = [claim].flat().flatMap((text) => (typeof text === 'string' ? text.split(' ') : []));
  return allScopes.filter((scope) => tokens.includes(scope));
}

function listIn(claim: unknown, name: string, { max, are, pattern }: Listed): string[] | null {
  if (claim === all) return null;
  const isListed = (item: unknown): item is string => typeof item === 'string' && pattern.test(item);
  if (!Array.isArray(claim) || claim.length === 0 || claim.length > max || !claim.every(isListed)) {
    throw unusable(`needs the claim ${name}: a list of 1 to ${max} ${are}, or "*"`);
  }
  return claim;
}

const unusable = (why: string) => new UnusableToken(`This access token ${why}`);
