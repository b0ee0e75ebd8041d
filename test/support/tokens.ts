/** Access tokens: from a real OIDC provider, and forged ones. */

import { createHmac, type KeyObject, sign } from 'node:crypto';
import { rootScopes } from '../../lib/base/scopes.ts';
import { accessTokenCredential } from '../../lib/credentials/access-token-credential.ts';
import { apiKeyCredential } from '../../lib/credentials/api-key-credential.ts';
import type { CredentialKind } from '../../lib/credentials/kind.ts';
import { oidcVariables } from '../../lib/credentials/oidc-issuers.ts';
import { workloadIdentityCredential } from '../../lib/credentials/workload-identity-credential.ts';
import { type Json, openApi } from '../../samples/api.ts';
import { type LocalIssuer, startIssuer } from '../../scripts/local/issuer.ts';

const secret = 'not-much-of-a-secret';

/** An issuer with a client for each mode. Its tokens are for the organisation of the API that was opened last. */
export async function openIssuer() {
  const organisation = { id: '' };
  const clients = (['live', 'test'] as const).map((mode) => ({
    id: mode,
    secret,
    claims: () => ({ organisation: organisation.id, mode }),
  }));
  const issuer = await startIssuer(clients);
  return {
    ...issuer,
    speaksFor(id: string): void {
      organisation.id = id;
    },
  };
}

export type TestIssuer = Awaited<ReturnType<typeof openIssuer>>;

/**
 * Opens the API for a new organisation, which the issuer's tokens name.
 * @param settings overrides of the issuer's settings
 * @param adjust as in `openApi`
 * @param others the settings of other issuers
 */
export async function openApiWith(
  issuer: TestIssuer,
  settings: Partial<LocalIssuer['settings']> = {},
  adjust: Parameters<typeof openApi>[0] = () => ({}),
  others: readonly LocalIssuer['settings'][] = [],
) {
  const credential = readingSettings(() => [{ ...issuer.settings, ...settings }, ...others]);
  const api = await openApi((runtime) => ({
    credentials: [apiKeyCredential, workloadIdentityCredential(runtime), credential],
    ...adjust(runtime),
  }));
  issuer.speaksFor(api.organisationId);
  const nowSeconds = () => Math.floor(api.runtime.nowMs() / 1000);

  return {
    ...api,
    /** @returns a token, by the client credentials grant (RFC 6749 section 4.4) */
    async token({ mode = 'live', scopes = rootScopes, resource = '' }: TokenRequest = {}): Promise<string> {
      const body = new URLSearchParams({ grant_type: 'client_credentials', scope: scopes.join(' ') });
      if (resource !== '') body.set('resource', resource);
      const response = await fetch(issuer.tokenEndpoint, {
        method: 'POST',
        headers: { Authorization: `Basic ${btoa(`${mode}:${secret}`)}` },
        body,
      });
      return ((await response.json()) as { access_token: string }).access_token;
    },
    /** @returns a token like the issuer's, with changed claims (undefined removes one) and a changed header */
    forge(claims: Json = {}, header: Json = {}, key = issuer.signingKey()): string {
      const said = {
        iss: issuer.settings.issuer,
        aud: issuer.settings.audience,
        sub: 'somebody',
        iat: nowSeconds(),
        exp: nowSeconds() + 600,
        organisation: api.organisationId,
        mode: 'live',
        scope: rootScopes.join(' '),
        ...claims,
      };
      return signJwt({ alg: 'RS256', typ: 'at+jwt', kid: key.kid, ...header }, said, key.privateKey);
    },
    nowSeconds,
  };
}

/** @returns the credential of the current settings: a test may change them, as a deployment would */
function readingSettings(settings: () => readonly LocalIssuer['settings'][]): CredentialKind {
  const credentials = new Map<string, CredentialKind>();
  const current = () => {
    const env = oidcVariables(settings());
    const text = JSON.stringify(env);
    const found = credentials.get(text) ?? accessTokenCredential(env);
    credentials.set(text, found);
    return found;
  };
  return {
    accepts: (token) => current().accepts(token),
    identify: (token, nowMs) => current().identify(token, nowMs),
  };
}

type TokenRequest = { mode?: 'live' | 'test'; scopes?: readonly string[]; resource?: string };

/** @param key a private key for RS256 and ES256, a secret for HS256; `none` needs none */
export function signJwt(header: Json, claims: unknown, key: KeyObject | string): string {
  const input = [header, claims].map((part) => encode(JSON.stringify(part))).join('.');
  return `${input}.${signature(header.alg, input, key)}`;
}

function signature(algorithm: unknown, input: string, key: KeyObject | string): string {
  if (algorithm === 'none') return '';
  if (typeof key === 'string') return createHmac('sha256', key).update(input).digest('base64url');
  return encode(sign('sha256', Buffer.from(input), { key, dsaEncoding: 'ieee-p1363' }));
}

const encode = (bytes: string | Uint8Array) => Buffer.from(bytes).toString('base64url');
