/**
 * A local OIDC provider, whose access tokens the service accepts. Clients get them for their own secret, and the console for a
 * person, who is signed in without a question. It also issues the tokens of a job in CI, so it can be the issuer of a workload
 * identity.
 */

import { generateKeyPair, randomBytes, randomUUID } from 'node:crypto';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { promisify } from 'node:util';
import { type GrantContext, Provider } from 'oidc-provider';
import { allScopes } from '../../lib/base/scopes.ts';
import { defaultIssuer, type OidcIssuer } from '../../lib/credentials/oidc-issuers.ts';
import type { SignIn } from '../../lib/http/sign-in.ts';
import { type CiVariables, ciTokenEndpoint, ciTokenPath, ciVariables, type SigningKey } from './ci-tokens.ts';
import { keepingConnections } from './server.ts';

export type LocalClient = {
  id: string;
  secret: string;
  /** The additional claims of its tokens. Called for each token. */
  claims: () => Readonly<Record<string, unknown>>;
};

/** A public client, such as the console. */
type LocalApplication = {
  id: string;
  redirectUri: string;
  claims: LocalClient['claims'];
};

export type LocalIssuer = {
  /** The settings for accepting its tokens. */
  settings: OidcIssuer;
  tokenEndpoint: string;
  /** The variables of a job in CI. */
  ci: CiVariables;
  /** The OIDC client of the console. */
  signIn: (application: LocalApplication) => SignIn;
  /** The signing key. */
  signingKey: () => SigningKey;
  /** Replaces the signing key, and no longer publishes the old key. */
  rotate: () => Promise<void>;
  close: () => void;
};

/** The default resource (RFC 8707) of tokens. */
const audience = 'urn:platform-api:local';

const lifetimeSeconds = 3600;
const sessionSeconds = {
  Session: lifetimeSeconds,
  Grant: lifetimeSeconds,
  Interaction: 600,
  IdToken: 600,
  AuthorizationCode: 60,
};

/** Uses a free port, and does not keep the process alive. */
export async function startIssuer(
  clients: readonly LocalClient[],
  application?: LocalApplication,
): Promise<LocalIssuer> {
  let key = await newKey();
  let listener: RequestListener = () => {};
  const server = keepingConnections(createServer((request, response) => listener(request, response)));
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  server.unref();
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const ci = ciVariables(issuer, randomBytes(32).toString('base64url'));
  const answerCi = ciTokenEndpoint(issuer, ci.ACTIONS_ID_TOKEN_REQUEST_TOKEN, () => key);
  const open = () => {
    const provider = new Provider(issuer, configuration(clients, application, key));
    const answer = provider.callback();
    listener = (request, response) => {
      const path = request.url ?? '';
      if (path.startsWith(interactionPath))
        return void provider.interactionFinished(request, response, { login: { accountId: person } });
      return path.split('?')[0] === ciTokenPath ? answerCi(request, response) : answer(request, response);
    };
  };
  open();
  return {
    settings: { ...defaultIssuer, issuer, audience, jwksUri: `${issuer}/jwks` },
    tokenEndpoint: `${issuer}/token`,
    ci,
    signIn: ({ id }) => ({ issuer, clientId: id, resource: audience }),
    signingKey: () => key,
    async rotate() {
      key = await newKey();
      open();
    },
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

async function newKey(): Promise<SigningKey> {
  return { kid: randomUUID(), ...(await promisify(generateKeyPair)('rsa', { modulusLength: 2048 })) };
}

/** Sets everything about which the library would otherwise warn. */
function configuration(
  clients: readonly LocalClient[],
  application: LocalApplication | undefined,
  { kid, privateKey }: SigningKey,
) {
  const callers = [...clients, ...(application ? [application] : [])];
  return {
    adapter: Memory,
    jwks: { keys: [{ ...privateKey.export({ format: 'jwk' }), kid, alg: 'RS256', use: 'sig' }] },
    cookies: { keys: [randomBytes(16).toString('hex')] },
    clientBasedCORS: (_context: unknown, origin: string) =>
      application !== undefined && origin === new URL(application.redirectUri).origin,
    clients: [
      ...clients.map(({ id, secret }) => ({
        client_id: id,
        client_secret: secret,
        grant_types: ['client_credentials'],
        redirect_uris: [],
        response_types: [],
      })),
      ...(application ? [registrationOf(application)] : []),
    ],
    scopes: ['openid', ...allScopes],
    findAccount: (_context: unknown, accountId: string) => ({
      accountId,
      claims: () => ({ sub: accountId }),
    }),
    interactions: { url: (_context: unknown, { uid }: { uid: string }) => `${interactionPath}${uid}` },
    loadExistingGrant: grantAll,
    features: {
      devInteractions: { enabled: false },
      clientCredentials: { enabled: true },
      resourceIndicators: {
        enabled: true,
        defaultResource: () => audience,
        useGrantedResource: () => true,
        getResourceServerInfo: (_context: unknown, resource: string) => ({
          audience: resource,
          scope: allScopes.join(' '),
          accessTokenFormat: 'jwt',
        }),
      },
    },
    ttl: { ClientCredentials: lifetimeSeconds, AccessToken: lifetimeSeconds, ...sessionSeconds },
    extraTokenClaims: (_context: unknown, token: { clientId: string }) =>
      callers.find(({ id }) => id === token.clientId)?.claims(),
  };
}

/** The person who uses this machine. */
const person = 'developer';

const interactionPath = '/interaction/';

const registrationOf = ({ id, redirectUri }: LocalApplication) => ({
  client_id: id,
  token_endpoint_auth_method: 'none',
  grant_types: ['authorization_code'],
  response_types: ['code'],
  redirect_uris: [redirectUri],
});

/** Grants the application every scope that it asks for. */
async function grantAll({ oidc }: GrantContext) {
  const grant = new oidc.provider.Grant({
    clientId: oidc.client.clientId,
    accountId: oidc.session.accountId,
  });
  grant.addOIDCScope(['openid', ...allScopes].join(' '));
  grant.addResourceScope(audience, allScopes.join(' '));
  await grant.save();
  return grant;
}

/** The state of the issuer, in the memory of this process. Access tokens are self-contained, and not stored. */
class Memory {
  readonly #items = new Map<string, Readonly<Record<string, unknown>>>();

  async upsert(id: string, payload: Readonly<Record<string, unknown>>): Promise<void> {
    this.#items.set(id, payload);
    // A sign-in that was left has no end of its own.
    for (const oldest of [...this.#items.keys()].slice(0, -maxStored)) this.#items.delete(oldest);
  }
  async find(id: string): Promise<Readonly<Record<string, unknown>> | undefined> {
    return this.#items.get(id);
  }
  async findByUid(uid: string): Promise<Readonly<Record<string, unknown>> | undefined> {
    return [...this.#items.values()].find((item) => item.uid === uid);
  }
  async findByUserCode(): Promise<void> {}
  async consume(id: string): Promise<void> {
    await this.upsert(id, { ...this.#items.get(id), consumed: true });
  }
  async destroy(id: string): Promise<void> {
    this.#items.delete(id);
  }
  async revokeByGrantId(grantId: string): Promise<void> {
    for (const [id, item] of this.#items) if (item.grantId === grantId) this.#items.delete(id);
  }
}

const maxStored = 1000;
