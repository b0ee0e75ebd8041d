/** A local OIDC provider, whose access tokens the service accepts. Clients get them for their own secret. */

import { generateKeyPair, type KeyObject, randomBytes, randomUUID } from 'node:crypto';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { promisify } from 'node:util';
import { Provider } from 'oidc-provider';
import { allScopes } from '../../lib/base/scopes.ts';
import { defaultIssuer, type OidcIssuer } from '../../lib/credentials/oidc-issuers.ts';

export type LocalClient = {
  id: string;
  secret: string;
  /** The additional claims of its tokens. Called for each token. */
  claims: () => Readonly<Record<string, unknown>>;
};

export type SigningKey = { kid: string; privateKey: KeyObject; publicKey: KeyObject };

export type LocalIssuer = {
  /** The settings for accepting its tokens. */
  settings: OidcIssuer;
  tokenEndpoint: string;
  /** The signing key. */
  signingKey: () => SigningKey;
  /** Replaces the signing key, and no longer publishes the old one. */
  rotate: () => Promise<void>;
  close: () => void;
};

/** The default resource (RFC 8707) of tokens. */
const audience = 'urn:platform-api:local';

const lifetimeSeconds = 3600;

/** Uses a free port, and does not keep the process alive. */
export async function startIssuer(clients: readonly LocalClient[]): Promise<LocalIssuer> {
  let key = await newKey();
  let listener: RequestListener = () => {};
  const server = createServer((request, response) => listener(request, response));
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  server.unref();
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const open = () => {
    listener = new Provider(issuer, configuration(clients, key)).callback();
  };
  open();
  return {
    settings: { ...defaultIssuer, issuer, audience, jwksUri: `${issuer}/jwks` },
    tokenEndpoint: `${issuer}/token`,
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
function configuration(clients: readonly LocalClient[], { kid, privateKey }: SigningKey) {
  return {
    adapter: Forgetful,
    jwks: { keys: [{ ...privateKey.export({ format: 'jwk' }), kid, alg: 'RS256', use: 'sig' }] },
    cookies: { keys: [randomBytes(16).toString('hex')] },
    clientBasedCORS: () => false,
    clients: clients.map(({ id, secret }) => ({
      client_id: id,
      client_secret: secret,
      grant_types: ['client_credentials'],
      redirect_uris: [],
      response_types: [],
    })),
    scopes: allScopes,
    features: {
      devInteractions: { enabled: false },
      clientCredentials: { enabled: true },
      resourceIndicators: {
        enabled: true,
        defaultResource: () => audience,
        getResourceServerInfo: (_context: unknown, resource: string) => ({
          audience: resource,
          scope: allScopes.join(' '),
          accessTokenFormat: 'jwt',
        }),
      },
    },
    ttl: { ClientCredentials: lifetimeSeconds },
    extraTokenClaims: (_context: unknown, token: { clientId: string }) =>
      clients.find(({ id }) => id === token.clientId)?.claims(),
  };
}

/** Stores nothing, because the tokens are self-contained. */
class Forgetful {
  async upsert(): Promise<void> {}
  async find(): Promise<void> {}
  async findByUid(): Promise<void> {}
  async findByUserCode(): Promise<void> {}
  async consume(): Promise<void> {}
  async destroy(): Promise<void> {}
  async revokeByGrantId(): Promise<void> {}
}
