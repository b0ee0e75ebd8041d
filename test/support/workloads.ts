/** Workload identities: an issuer on this machine, which a test makes slow or wrong, and its tokens. */

import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { expect } from 'vitest';
import { parseAudience } from '../../lib/api-keys/workload-identities/audience.ts';
import type { Json, openApi } from '../../samples/api.ts';

export type Signer = { kid: string; algorithm: string; privateKey: KeyObject; publicKey: KeyObject };

const curves: Readonly<Record<string, string>> = { ES256: 'P-256', ES384: 'P-384', ES512: 'P-521' };

/** @returns a new key for this algorithm */
export function newSigner(algorithm: string, kid: string): Signer {
  const namedCurve = curves[algorithm];
  if (namedCurve) return { kid, algorithm, ...generateKeyPairSync('ec', { namedCurve }) };
  if (algorithm === 'EdDSA') return { kid, algorithm, ...generateKeyPairSync('ed25519') };
  return { kid, algorithm, ...generateKeyPairSync('rsa', { modulusLength: 2048 }) };
}

/** @returns the public key as an issuer publishes it */
export const jwkOf = ({ kid, algorithm, publicKey }: Signer): Json => ({
  ...publicKey.export({ format: 'jwk' }),
  kid,
  use: 'sig',
  // Some issuers do not say it.
  ...(algorithm === 'RS256' && { alg: algorithm }),
});

const encode = (bytes: string | Uint8Array) => Buffer.from(bytes).toString('base64url');

/** @returns a JWT. A header or a payload that is a text is encoded as it is */
export function signToken(
  header: Json | string,
  claims: Json | string,
  { algorithm, privateKey }: Signer,
): string {
  const input = [header, claims]
    .map((part) => encode(typeof part === 'string' ? part : JSON.stringify(part)))
    .join('.');
  const digest = algorithm === 'EdDSA' ? null : `sha${algorithm.slice(2)}`;
  return `${input}.${encode(sign(digest, Buffer.from(input), { key: privateKey, dsaEncoding: 'ieee-p1363' }))}`;
}

export const keysPath = '/keys';
export const documentPath = '/.well-known/openid-configuration';

export type WorkloadIssuer = Awaited<ReturnType<typeof openWorkloadIssuer>>;

/** An issuer with its own server. `requests` has the paths of the requests. `answers` replaces answers by path. */
export async function openWorkloadIssuer(signers: Signer[] = [newSigner('RS256', 'first')]) {
  const requests: string[] = [];
  const answers = new Map<string, RequestListener>();
  const send = (json: unknown): RequestListener => {
    return (_, response) =>
      void response.setHeader('content-type', 'application/json').end(JSON.stringify(json));
  };
  const server = createServer((request, response) => {
    const path = request.url ?? '';
    requests.push(path);
    const usual: Record<string, RequestListener> = {
      [documentPath]: send({ issuer: url, jwks_uri: `${url}${keysPath}` }),
      [keysPath]: send({ keys: signers.map(jwkOf) }),
    };
    const answer = answers.get(path) ?? usual[path];
    if (answer) answer(request, response);
    else response.writeHead(404).end();
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const close = async () => {
    server.closeAllConnections();
    await new Promise((done) => server.close(done));
  };
  return {
    url,
    /** What it publishes. The first signs tokens if nothing else is said. */
    signers,
    requests,
    answers,
    /** @returns how often its keys were requested */
    reads: () => requests.filter((path) => path === keysPath).length,
    close,
    [Symbol.asyncDispose]: close,
  };
}

type Api = Pick<Awaited<ReturnType<typeof openApi>>, 'call' | 'runtime'>;

export type Identity = { id: string; audience: string; issuer: string };

export const subject = 'repo:acme/bots:environment:production';

/** @returns a new identity of this issuer */
export async function createIdentity(
  api: Api,
  issuer: string,
  body: Json = {},
  key?: string,
): Promise<Identity> {
  const response = await api.call('POST', '/workload-identities', {
    body: {
      name: 'ci',
      issuer,
      subject,
      claims: {},
      scopes: ['projects:write'],
      ...body,
    },
    ...(key !== undefined && { key }),
  });
  expect(response.status, response.text).toBe(201);
  return { id: `${response.data.id}`, audience: `${response.data.audience}`, issuer };
}

/** @returns claims like those of a run in CI, with these changes. Undefined removes a claim */
export function claimsFor(api: Api, { audience, issuer }: Identity, changes: Json = {}): Json {
  const nowSeconds = Math.floor(api.runtime.nowMs() / 1000);
  return {
    iss: issuer,
    sub: subject,
    aud: audience,
    iat: nowSeconds,
    nbf: nowSeconds - 5,
    exp: nowSeconds + 300,
    ...changes,
  };
}

/** @returns a token that the identity accepts, but for these changes */
export function tokenFor(
  api: Api,
  identity: Identity,
  signer: Signer,
  changes: Json = {},
  header: Json = {},
): string {
  const { kid, algorithm } = signer;
  return signToken({ alg: algorithm, typ: 'JWT', kid, ...header }, claimsFor(api, identity, changes), signer);
}

/** Makes the stored keys of an identity older: as if they had been read, and last been requested, so long ago. */
export async function age(
  { runtime }: Api,
  { id, audience }: Identity,
  ages: { fetchedMs: number; attemptedMs: number },
): Promise<void> {
  await runtime.client.send(
    new UpdateCommand({
      TableName: runtime.tableNames.apiKeys,
      Key: { tenant: parseAudience(audience)?.tenant, id },
      UpdateExpression: 'SET issuerKeys.fetchedAt = :fetched, issuerKeys.attemptedAt = :attempted',
      ExpressionAttributeValues: {
        ':fetched': runtime.nowMs() - ages.fetchedMs,
        ':attempted': runtime.nowMs() - ages.attemptedMs,
      },
    }),
  );
}
