/**
 * The sign-in with OIDC: the authorization code flow with PKCE (RFC 7636, RFC 9700 section 2.1.1). The code is removed from the
 * address and the history before anything else happens.
 */

import * as oauth from 'oauth4webapi';
import { allScopes } from '../../../lib/base/scopes.ts';
import type { SignIn } from '../../../lib/http/sign-in.ts';
import { signIn } from './session.ts';

/** The state that the page remembers while the user is at the issuer. It contains no credential. */
type Pending = { verifier: string; state: string; nonce: string; hash: string; isKept: boolean };
const storageName = 'platform-console-sign-in';

const redirectUri = () => location.origin + location.pathname;
/** The issuer of the dev server is on this machine, and has no TLS. */
const options = (issuer: string) => ({
  [oauth.allowInsecureRequests]: new URL(issuer).hostname === '127.0.0.1',
});

async function discover({ issuer }: SignIn): Promise<oauth.AuthorizationServer> {
  const url = new URL(issuer);
  return oauth.processDiscoveryResponse(url, await oauth.discoveryRequest(url, options(issuer)));
}

/** Leaves the page for the issuer. */
export async function startSignIn(settings: SignIn, isKept: boolean): Promise<void> {
  const server = await discover(settings);
  if (!server.authorization_endpoint) throw new Error('The issuer has no authorization endpoint.');
  const pending: Pending = {
    verifier: oauth.generateRandomCodeVerifier(),
    state: oauth.generateRandomState(),
    nonce: oauth.generateRandomNonce(),
    hash: location.hash,
    isKept,
  };
  sessionStorage.setItem(storageName, JSON.stringify(pending));
  const target = new URL(server.authorization_endpoint);
  const parameters = {
    client_id: settings.clientId,
    redirect_uri: redirectUri(),
    response_type: 'code',
    scope: ['openid', ...allScopes].join(' '),
    resource: settings.resource,
    audience: settings.resource,
    state: pending.state,
    nonce: pending.nonce,
    code_challenge: await oauth.calculatePKCECodeChallenge(pending.verifier),
    code_challenge_method: 'S256',
  };
  for (const [name, value] of Object.entries(parameters)) target.searchParams.set(name, value);
  location.assign(target.href);
}

/**
 * Continues the sign-in after the user returns from the issuer.
 * @param returnUrl the address with the code, which the page no longer shows
 */
export async function finishSignIn(settings: SignIn, returnUrl: URL): Promise<void> {
  const json = sessionStorage.getItem(storageName);
  sessionStorage.removeItem(storageName);
  if (!json) throw new Error('This sign-in was not started in this tab.');
  const { verifier, state, nonce, hash, isKept } = JSON.parse(json) as Pending;
  const server = await discover(settings);
  const client = { client_id: settings.clientId };
  const parameters = oauth.validateAuthResponse(server, client, returnUrl, state);
  const response = await oauth.authorizationCodeGrantRequest(
    server,
    client,
    oauth.None(),
    parameters,
    redirectUri(),
    verifier,
    { ...options(settings.issuer), additionalParameters: { resource: settings.resource } },
  );
  const tokens = await oauth.processAuthorizationCodeResponse(server, client, response, {
    expectedNonce: nonce,
  });
  await signIn(tokens.access_token, isKept);
  if (hash) location.hash = hash;
}
