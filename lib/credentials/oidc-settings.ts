/** The settings for access tokens, and the variables that contain them: the issuer, and the names of claims. */

import type { SupportedSignatureAlgorithm } from 'aws-jwt-verify/jwt-verifier';

export type OidcSettings = {
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
  /** How a token shows that it is an access token and not an ID token. */
  tokenType: (typeof tokenTypes)[number];
};

/**
 * `marked`: by `typ` in its header (`at+jwt`, RFC 9068 section 2.1) or by the claim `token_use` (Cognito). `any`: the
 * issuer does not mark access tokens; tokens that are marked as ID tokens are refused.
 */
export const tokenTypes = ['marked', 'any'] as const;

/**
 * Only algorithms with public keys. With a shared secret, we could create tokens, and a public key could be used as the
 * secret.
 */
export const algorithms = [
  'RS256',
  'RS384',
  'RS512',
  'ES256',
  'ES384',
  'ES512',
  'EdDSA',
] as const satisfies readonly SupportedSignatureAlgorithm[];

const variables = {
  issuer: 'OIDC_ISSUER',
  audience: 'OIDC_AUDIENCE',
  jwksUri: 'OIDC_JWKS_URI',
  algorithm: 'OIDC_ALGORITHM',
  organisationClaim: 'OIDC_ORGANISATION_CLAIM',
  modeClaim: 'OIDC_MODE_CLAIM',
  scopeClaim: 'OIDC_SCOPE_CLAIM',
  tokenType: 'OIDC_TOKEN_TYPE',
} as const satisfies Record<keyof OidcSettings, string>;

/** Set all of these, or none of them if there is no issuer. Setting only some is an error. */
const required = ['issuer', 'audience', 'jwksUri'] as const;

export const defaultOidcSettings = {
  algorithm: 'RS256',
  organisationClaim: 'organisation',
  modeClaim: 'mode',
  scopeClaim: 'scope',
  tokenType: 'marked',
} as const;

/**
 * @returns the settings, or undefined if there are none
 * @throws Error that names the missing or invalid variable
 */
export function oidcSettings(env: Readonly<Record<string, string | undefined>>): OidcSettings | undefined {
  const entries = Object.entries(variables).flatMap(([name, variable]) =>
    env[variable] ? [[name, env[variable]]] : [],
  );
  if (entries.length === 0) return undefined;
  const settings = { ...defaultOidcSettings, ...Object.fromEntries(entries) } as OidcSettings;
  for (const name of required) {
    if (!settings[name])
      throw new Error(`${variables[name]} is missing: other settings of its kind are made`);
  }
  for (const name of ['issuer', 'jwksUri'] as const) {
    if (!isSafe(settings[name])) {
      throw new Error(`${variables[name]} is "${settings[name]}", which is not an https address`);
    }
  }
  if (!algorithms.includes(settings.algorithm)) {
    throw new Error(`${variables.algorithm} is "${settings.algorithm}", not one of ${algorithms.join(', ')}`);
  }
  if (!tokenTypes.includes(settings.tokenType)) {
    throw new Error(`${variables.tokenType} is "${settings.tokenType}", not one of ${tokenTypes.join(', ')}`);
  }
  return settings;
}

/** @returns the variables from which a function reads these settings */
export const oidcVariables = (settings: OidcSettings): Record<string, string> =>
  Object.fromEntries(
    Object.entries(settings).map(([name, value]) => [variables[name as keyof OidcSettings], value]),
  );

/** Whoever can change the keys in transit can forge tokens. Local connections are safe. */
function isSafe(address: string): boolean {
  const url = URL.parse(address);
  if (url?.protocol === 'https:') return true;
  return url?.protocol === 'http:' && ['127.0.0.1', 'localhost', '[::1]'].includes(url.hostname);
}
