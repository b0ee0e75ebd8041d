/** Whose access tokens are accepted, and what their claims are called: the settings, and the variables that carry them. */

import type { SupportedSignatureAlgorithm } from 'aws-jwt-verify/jwt-verifier';

export type OidcSettings = {
  /** The `iss` of its tokens, to the character. */
  issuer: string;
  /** What its tokens say they are for (`aud`): this API. */
  audience: string;
  /** Where it publishes its public keys (RFC 7517). */
  jwksUri: string;
  /** The one algorithm that tokens may be signed with. */
  algorithm: (typeof algorithms)[number];
  organisationClaim: string;
  modeClaim: string;
  scopeClaim: string;
  /** How a token shows that it is an access token, and no ID token. */
  tokenType: (typeof tokenTypes)[number];
};

/**
 * `marked`: by `typ` in its header (`at+jwt`, RFC 9068 section 2.1) or by the claim `token_use` (Cognito).
 * `any`: its issuer marks neither kind; what says that it is an ID token is refused all the same.
 */
export const tokenTypes = ['marked', 'any'] as const;

/** Those with a public key: a secret that both sides know would let us make tokens, and a public key pass for one. */
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

/** Without these there is no issuer; half of them is a mistake. */
const required = ['issuer', 'audience', 'jwksUri'] as const;

export const defaultOidcSettings = {
  algorithm: 'RS256',
  organisationClaim: 'organisation',
  modeClaim: 'mode',
  scopeClaim: 'scope',
  tokenType: 'marked',
} as const;

/**
 * @returns the settings, or undefined where none are made
 * @throws Error that names the variable, where they are made by half or cannot be right
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

/** @returns the variables that a function reads its settings from */
export const oidcVariables = (settings: OidcSettings): Record<string, string> =>
  Object.fromEntries(
    Object.entries(settings).map(([name, value]) => [variables[name as keyof OidcSettings], value]),
  );

/** Who can change the keys on their way can make tokens; on one machine nobody is in between. */
function isSafe(address: string): boolean {
  const url = URL.parse(address);
  if (url?.protocol === 'https:') return true;
  return url?.protocol === 'http:' && ['127.0.0.1', 'localhost', '[::1]'].includes(url.hostname);
}
