/**
 * The OIDC issuers whose access tokens are accepted, and the variable that contains them. A token is checked only with the
 * settings of its issuer.
 */

import type { SupportedSignatureAlgorithm } from 'aws-jwt-verify/jwt-verifier';
import { idPattern } from '../base/ids.ts';

export type OidcIssuer = {
  /** The exact `iss` of its tokens. */
  issuer: string;
  /** The `aud` of its tokens for this API. */
  audience: string;
  /** The address of its public keys (RFC 7517). */
  jwksUri: string;
  /** The only accepted signature algorithm. */
  algorithm: (typeof algorithms)[number];
  organisationClaim: string;
  modeClaim: string;
  scopeClaim: string;
  /** The claim with the projects that a token may access. Without this claim, a token may access all projects of the tenant. */
  projectsClaim?: string;
  /** The claim with the environments that a token may access. Without this claim, a token may access all environments. */
  environmentsClaim?: string;
  /** How a token shows that it is an access token and not an ID token. */
  tokenType: (typeof tokenTypes)[number];
  /**
   * The organisations that its tokens may name. Each is in one list at most, so an issuer cannot speak for the organisation of
   * another issuer, and a `sub` names one caller of an organisation. At most one issuer has no list: its tokens may name every
   * organisation that is in no list.
   */
  organisations?: readonly string[];
};

/**
 * `at+jwt` is for issuers that mark access tokens: by `typ` in the header (RFC 9068 section 2.1), or by the claim `token_use`
 * (Cognito). `JWT` is for issuers that do not: `typ` may also be `JWT` or missing, and tokens that look like ID tokens are
 * refused.
 */
export const tokenTypes = ['at+jwt', 'JWT'] as const;

/** All algorithms have public keys. With a shared secret, the service could create tokens. */
export const algorithms = [
  'RS256',
  'RS384',
  'RS512',
  'ES256',
  'ES384',
  'ES512',
  'EdDSA',
] as const satisfies readonly SupportedSignatureAlgorithm[];

export const defaultIssuer = {
  algorithm: 'RS256',
  organisationClaim: 'organisation',
  modeClaim: 'mode',
  scopeClaim: 'scope',
  tokenType: 'at+jwt',
} as const;

const variable = 'OIDC_ISSUERS';

/** A function's variables have 4 KB together ("Lambda quotas", AWS Lambda Developer Guide). */
const maxBytes = 2500;

/** @returns the variable from which a function reads its issuers */
export const oidcVariables = (issuers: readonly OidcIssuer[]): Record<string, string> =>
  issuers.length === 0 ? {} : { [variable]: JSON.stringify(issuers) };

/**
 * @returns the issuers; empty without the variable
 * @throws Error that names the mistake
 */
export function oidcIssuers(env: Readonly<Record<string, string | undefined>>): OidcIssuer[] {
  const text = env[variable];
  if (!text) return [];
  const issuers = (JSON.parse(text) as OidcIssuer[]).map((issuer) => ({ ...defaultIssuer, ...issuer }));
  checkIssuers(issuers);
  return issuers;
}

/** @throws Error that names the mistake */
export function checkIssuers(issuers: readonly OidcIssuer[]): void {
  for (const issuer of issuers) checkIssuer(issuer);
  const duplicate = firstDuplicate(issuers.map(({ issuer }) => issuer));
  if (duplicate) throw new Error(`the issuer ${duplicate} is configured twice`);
  const sharedOrganisation = firstDuplicate(issuers.flatMap(({ organisations = [] }) => organisations));
  if (sharedOrganisation)
    throw new Error(
      `${sharedOrganisation} is listed for two issuers: each issuer could claim the organisation of the other`,
    );
  if (issuers.filter(({ organisations }) => !organisations).length > 1) {
    throw new Error(
      'more than one issuer has no list of organisations: each could claim the organisations of the others',
    );
  }
  const bytes = Buffer.byteLength(JSON.stringify(issuers));
  if (bytes > maxBytes) throw new Error(`the issuers have ${bytes} bytes as JSON, more than ${maxBytes}`);
}

function checkIssuer(issuer: OidcIssuer): void {
  const { algorithm, tokenType, organisations = [] } = issuer;
  for (const name of ['issuer', 'audience', 'jwksUri'] as const) {
    if (!issuer[name]) throw new Error(`an issuer has no ${name}`);
  }
  for (const name of ['issuer', 'jwksUri'] as const) {
    if (!isSafe(issuer[name])) throw new Error(`${name} is "${issuer[name]}", which is not an https address`);
  }
  if (!algorithms.includes(algorithm)) {
    throw new Error(`algorithm is "${algorithm}", not one of ${algorithms.join(', ')}`);
  }
  if (!tokenTypes.includes(tokenType)) {
    throw new Error(`tokenType is "${tokenType}", not one of ${tokenTypes.join(', ')}`);
  }
  const invalidId = organisations.find((id) => !idPattern('organisation').test(id));
  if (invalidId !== undefined)
    throw new Error(`organisations has "${invalidId}", which is not the id of an organisation`);
}

/**
 * @param issuers all of them
 * @returns whether the issuer's tokens may name the organisation
 */
export function mayName(issuers: readonly OidcIssuer[], issuer: OidcIssuer, organisationId: string): boolean {
  const listing = issuers.find(({ organisations }) => organisations?.includes(organisationId));
  return listing ? listing.issuer === issuer.issuer : issuer.organisations === undefined;
}

const firstDuplicate = (texts: readonly string[]) =>
  texts.find((text, index) => texts.indexOf(text) !== index);

/** A person who can change the keys in transit can forge tokens, so the connection must be encrypted or local. */
function isSafe(address: string): boolean {
  const url = URL.parse(address);
  if (url?.protocol === 'https:') return true;
  return url?.protocol === 'http:' && ['127.0.0.1', 'localhost', '[::1]'].includes(url.hostname);
}
