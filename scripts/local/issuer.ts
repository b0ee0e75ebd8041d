/** An OIDC provider on this machine, whose access tokens the service accepts. Clients get them for their own secret. */

import { generateKeyPair, type KeyObject, randomBytes, randomUUID } from 'node:crypto';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { promisify } from 'node:util';
import { Provider } from 'oidc-provider';
import { defaultOidcSettings, type OidcSettings } from '../../lib/credentials/oidc-settings.ts';
import { allScopes } from '../../lib/scopes.ts';

export type LocalClient = {
  id: string;
  secret: string;
  /** What its tokens say beside the standard claims; asked for each. */
  claims: () => Readonly<Record<string, unknown>>;
};

export type SigningKey = { kid: string; privateKey: KeyObject; publicKey: KeyObject };

export type LocalIssuer = {
  /** What has to be known of it to accept its tokens. */
  settings: OidcSettings;
  tokenEndpoint: string;
  /** The key that it signs with. */
  signingKey: () => SigningKey;
  /** Signs with a new key from now on, and no longer publishes the old one. */
  rotate: () => Promise<void>;
  close: () => void;
};

/** Tokens are for this resource (RFC 8707) when their client names none. */
const audience = 'urn:platform-api:local';

const lifetimeSeconds = 3600;

/** On a free port. It does not keep the process alive. */
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
    settings: { ...defaultOidcSettings, issuer, audience, jwksUri: `${issuer}/jwks` },
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

/** Everything is given that the library would warn of when it is left out. */
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

/** Keeps nothing: these tokens carry all that is to be known of them. */
class Forgetful {
  async upsert(): Promise<void> {}
  async find(): Promise<void> {}
  async findByUid(): Promise<void> {}
  async findByUserCode(): Promise<void> {}
  async consume(): Promise<void> {}
  async destroy(): Promise<void> {}
  async revokeByGrantId(): Promise<void> {}
}
