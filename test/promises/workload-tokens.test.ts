/** Tokens of workload identities: forged ones are refused, and no forged token causes a request to an issuer. */

import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { hourMs } from '../../lib/base/time.ts';
import { openApi, type TestApi, toLoopback } from '../../samples/api.ts';
import { signJwt } from '../support/tokens.ts';
import {
  age,
  claimsFor,
  createIdentity,
  type Identity,
  jwkOf,
  newSigner,
  openWorkloadIssuer,
  type Signer,
  signToken,
  subject,
  tokenFor,
  type WorkloadIssuer,
} from '../support/workloads.ts';

const algorithms = ['RS256', 'RS384', 'RS512', 'ES256', 'ES384', 'ES512', 'EdDSA'];

const claims = { repository_id: '123456789', environment: 'production', attempt: 1, protected: true };
const pattern = 'repo:acme/*:environment:production';

let issuer: WorkloadIssuer;
let otherIssuer: WorkloadIssuer;
let api: TestApi;
let identity: Identity;
let other: Identity;
let signer: Signer;
/** The attacker's key, with the id of the issuer's key. */
let stranger: Signer;

beforeAll(async () => {
  issuer = await openWorkloadIssuer(algorithms.map((algorithm) => newSigner(algorithm, algorithm)));
  otherIssuer = await openWorkloadIssuer([newSigner('RS256', 'RS256')]);
  [signer, stranger] = [signerOf('RS256'), newSigner('RS256', 'RS256')];
  api = await openApi(toLoopback);
  identity = await createIdentity(api, issuer.url, { subject: pattern, claims });
  other = await createIdentity(api, otherIssuer.url);
});
afterAll(async () => {
  await issuer.close();
  await otherIssuer.close();
});

/** The keys of both are so old that any acceptable token causes a request to the issuer. */
beforeEach(async () => {
  for (const one of [identity, other])
    await age(api, one, { fetchedMs: 2 * hourMs, attemptedMs: 2 * hourMs });
});

function signerOf(algorithm: string): Signer {
  const found = issuer.signers.find((one) => one.algorithm === algorithm);
  if (!found) throw new Error(`no key for ${algorithm}`);
  return found;
}

const seconds = () => Math.floor(api.runtime.nowMs() / 1000);
const token = (changes: object = {}, header: object = {}, by = signer) =>
  tokenFor(api, identity, by, { ...claims, ...changes }, { ...header });
const said = (changes: object = {}) => claimsFor(api, identity, { ...claims, ...changes });
const get = (key: string) => api.call('GET', '/projects', { key });
const reads = () => issuer.reads() + otherIssuer.reads();
const hmac = (alg: string, secret: string) => signJwt({ alg, typ: 'JWT', kid: signer.kid }, said(), secret);
const pem = () => signer.publicKey.export({ type: 'spki', format: 'pem' }).toString();
const parts = (text: string) => text.split('.') as [string, string, string];
const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');

describe('a token of the issuer is accepted', () => {
  test.each(algorithms)('with %s', async (algorithm) => {
    const before = reads();
    const response = await get(token({}, {}, signerOf(algorithm)));
    expect(response.status, response.text).toBe(200);
    // So the table below shows that its tokens cause no request.
    expect(reads()).toBe(before + 1);
  });

  test.each<[string, () => string]>([
    ['with its audience in a list', () => token({ aud: [identity.audience] })],
    ['without nbf', () => token({ nbf: undefined })],
    ['with a clock that is a minute ahead', () => token({ iat: seconds() + 60, nbf: seconds() + 60 })],
    ['an hour after it was issued', () => token({ iat: seconds() - 3590 })],
    ['whatever else it claims', () => token({ scope: 'admin', organisation: 'org_1', mode: 'test' })],
  ])('%s', async (_, make) => {
    expect((await get(make())).status).toBe(200);
  });
});

/** What a forgery is, how it is made, and how often the keys of an issuer may be requested. */
type Forgery = [what: string, make: () => string, reads?: number];

const header: Forgery[] = [
  ['alg none, unsigned', () => signJwt({ alg: 'none', kid: signer.kid }, said(), '')],
  [
    'alg None',
    () =>
      signJwt({ alg: 'none', kid: signer.kid }, said(), '').replace(
        /^[^.]+/,
        encode({ alg: 'None', kid: signer.kid }),
      ),
  ],
  ['alg none, with a signature', () => token({}, { alg: 'none' })],
  ['alg NONE, with a signature', () => token({}, { alg: 'NONE' })],
  ['no alg', () => token({}, { alg: undefined })],
  ['alg as a list', () => token({}, { alg: ['RS256'] })],
  ['alg in lower case', () => token({}, { alg: 'rs256' })],
  ['alg with the name of a method', () => token({}, { alg: 'constructor' })],
  ['HMAC with the public key as PEM', () => hmac('HS256', pem())],
  ['HMAC with the public key as PEM without its last line break', () => hmac('HS256', pem().trimEnd())],
  ['HMAC with the public key as JWK', () => hmac('HS256', JSON.stringify(jwkOf(signer)))],
  ['HMAC with the modulus', () => hmac('HS256', `${jwkOf(signer).n}`)],
  ['HMAC with an empty secret', () => hmac('HS256', '')],
  ['HMAC signature that says RS256', () => hmac('RS256', pem()), 1],
  ['PS256', () => token({}, { alg: 'PS256' })],
  ['ES256K', () => token({}, { alg: 'ES256K' })],
  ['an RSA signature that says ES256', () => token({}, { alg: 'ES256' }), 1],
  ['an RSA signature that says EdDSA', () => token({}, { alg: 'EdDSA' }), 1],
  ['an RS256 signature that says RS512', () => token({}, { alg: 'RS512' }), 1],
  ['an EC signature that says RS256', () => token({}, { alg: 'RS256' }, signerOf('ES256')), 1],
  ['an Ed25519 signature that says ES256', () => token({}, { alg: 'ES256' }, signerOf('EdDSA')), 1],
  ['a P-256 signature that says ES384', () => token({}, { alg: 'ES384' }, signerOf('ES256')), 1],
  ['its own key (jwk)', () => token({}, { jwk: jwkOf(stranger) }, stranger)],
  ['its own key (jwk), null', () => token({}, { jwk: null })],
  ['the address of its own keys (jku)', () => token({}, { jku: `${otherIssuer.url}/keys` }, stranger)],
  ['the address of its own certificate (x5u)', () => token({}, { x5u: `${otherIssuer.url}/cert` }, stranger)],
  ['its own certificate (x5c)', () => token({}, { x5c: ['MIIB'] }, stranger)],
  ['a critical extension', () => token({}, { crit: ['exp'] })],
  ['a payload that is not encoded (b64)', () => token({}, { crit: ['b64'], b64: false })],
  ['no kid', () => token({}, { kid: undefined })],
  ['an empty kid', () => token({}, { kid: '' })],
  ['a kid that is a number', () => token({}, { kid: 1 })],
  ['an unknown kid', () => token({}, { kid: 'unknown' }), 1],
  ['a kid that is a path', () => token({}, { kid: '../../keys' }), 1],
  ['a kid with the name of a method', () => token({}, { kid: 'constructor' }), 1],
];

const signature: Forgery[] = [
  ['another key under the same kid', () => token({}, {}, stranger), 1],
  ['the key of another identity', () => token({}, {}, otherIssuer.signers[0]), 1],
  ['no signature', () => `${parts(token()).slice(0, 2).join('.')}.`],
  ['a short signature', () => token().slice(0, -8), 1],
  ['a signature that is zero', () => `${parts(token()).slice(0, 2).join('.')}.${'A'.repeat(342)}`, 1],
  ['a changed claim', () => changedPayload({ sub: 'repo:acme/other:environment:production' }), 1],
  [
    'a changed header',
    () => {
      const [, payload, sum] = parts(token());
      return `${encode({ alg: 'RS256', typ: 'at+jwt', kid: signer.kid })}.${payload}.${sum}`;
    },
    1,
  ],
  [
    'an ECDSA signature that is zero',
    () =>
      `${parts(token({}, {}, signerOf('ES256')))
        .slice(0, 2)
        .join('.')}.${'A'.repeat(86)}`,
    1,
  ],
];

function changedPayload(changes: object): string {
  const [head, , sum] = parts(token());
  return `${head}.${encode(said(changes))}.${sum}`;
}

const audience: Forgery[] = [
  ['a second audience', () => token({ aud: [identity.audience, 'sts.amazonaws.com'] })],
  ['a second audience before its own', () => token({ aud: ['https://github.com/acme', identity.audience] })],
  ['the audiences of two identities', () => token({ aud: [identity.audience, other.audience] })],
  ['its audience twice', () => token({ aud: [identity.audience, identity.audience] })],
  ['its audience in a list in a list', () => token({ aud: [[identity.audience]] })],
  ['its audience in an object', () => token({ aud: { 0: identity.audience } })],
  ['two audiences in a text', () => token({ aud: `${identity.audience} ${other.audience}` })],
  ['the audience of another identity', () => token({ aud: other.audience })],
  [
    'the audience of another organisation',
    () => token({ aud: identity.audience.replace(api.organisationId, 'org_01JZ4Y7Q8R5T2V9W3X6B0C1D4E') }),
  ],
  ['the audience of the other mode', () => token({ aud: identity.audience.replace(':live:', ':test:') })],
  [
    'the audience of an identity that does not exist',
    () => token({ aud: identity.audience.replace(/.{4}$/, '0000') }),
  ],
  ['an audience in upper case', () => token({ aud: identity.audience.toUpperCase() })],
  ['an audience with more behind it', () => token({ aud: `${identity.audience}:x` })],
  ['an audience that names a key', () => token({ aud: identity.audience.replace('wid_', 'key_') })],
  ['the beginning of an audience', () => token({ aud: 'urn:platform:' })],
  ['an audience with encoded colons', () => token({ aud: identity.audience.replaceAll(':', '%3A') })],
  ['no audience', () => token({ aud: undefined })],
];

const times: Forgery[] = [
  ['expired this second', () => token({ exp: seconds() })],
  ['expired long ago', () => token({ exp: 1 })],
  ['no exp', () => token({ exp: undefined })],
  ['no iat', () => token({ iat: undefined })],
  [
    'older than an hour, and valid for a day',
    () => token({ iat: seconds() - 3601, exp: seconds() + 86_400 }),
  ],
  ['issued more than a minute ahead', () => token({ iat: seconds() + 62 })],
  ['valid from more than a minute ahead', () => token({ nbf: seconds() + 62 })],
  ['exp as a text', () => token({ exp: `${seconds() + 300}` })],
  ['iat as a text', () => token({ iat: `${seconds()}` })],
  ['an exp that is infinite', () => raw(JSON.stringify(said()).replace(/"exp":\d+/, '"exp":1e999'))],
  ['an iat that is null', () => token({ iat: null })],
];

/** @returns a token with this text as its payload */
const raw = (payload: string) => signToken({ alg: 'RS256', kid: signer.kid }, payload, signer);

const who: Forgery[] = [
  ['another issuer', () => token({ iss: otherIssuer.url })],
  ['its issuer with a slash', () => token({ iss: `${issuer.url}/` })],
  ['its issuer in upper case', () => token({ iss: issuer.url.toUpperCase() })],
  [
    'its issuer with another name for its address',
    () => token({ iss: issuer.url.replace('127.0.0.1', 'localhost') }),
  ],
  ['its issuer in a list', () => token({ iss: [issuer.url] })],
  ['no issuer', () => token({ iss: undefined })],
  ['no subject', () => token({ sub: undefined })],
  ['an empty subject', () => token({ sub: '' })],
  ['a subject that is a number', () => token({ sub: 1 })],
  ['a subject that is too long', () => token({ sub: `repo:acme/${'a'.repeat(300)}:environment:production` })],
  ['a subject in another case', () => token({ sub: 'repo:Acme/bots:environment:production' })],
  ['a subject with nothing for *', () => token({ sub: 'repo:acme/:environment:production' })],
  ['a subject with a slash for *', () => token({ sub: 'repo:acme/bots/x:environment:production' })],
  [
    'a subject with a colon for *',
    () => token({ sub: 'repo:acme/bots:pull_request:environment:production' }),
  ],
  [
    'a branch that looks like an environment',
    () => token({ sub: 'repo:acme/bots:ref:refs/heads/x:environment:production' }),
  ],
  [
    'a subject with an encoded colon for *',
    () => token({ sub: 'repo:acme/bots%3Aenvironment%3Aproduction:environment:production' }),
  ],
  [
    'a subject with an encoded slash for *',
    () => token({ sub: 'repo:acme/bots%2fx:environment:production' }),
  ],
  [
    'a subject of an owner with a longer name',
    () => token({ sub: 'repo:acme-corp/bots:environment:production' }),
  ],
  [
    'a subject of another owner with the same name of the repository',
    () => token({ sub: 'repo:mallory/bots:environment:production' }),
  ],
  ['a subject with more behind it', () => token({ sub: `${subject}:x` })],
  ['a subject with a line break', () => token({ sub: `${subject}\n` })],
  ['a subject with a NUL', () => token({ sub: `repo:acme/bots\0:environment:production` })],
  [
    'a subject with a letter that looks the same',
    () => token({ sub: 'repo:\u0430cme/bots:environment:production' }),
  ],
  ['a subject with a full-width letter', () => token({ sub: 'repo:acme/b\uff4fts:environment:production' })],
  [
    'a subject with a colon of another script',
    () => token({ sub: 'repo:acme/bots\ua789environment:production' }),
  ],
  ['a repository that was renamed', () => token({ sub: 'repo:acme2/bots:environment:production' })],
  ['a repository that was created again under the name', () => token({ repository_id: '987654321' })],
  ['a missing claim', () => token({ repository_id: undefined })],
  ['a claim as a number', () => token({ repository_id: 123456789 })],
  ['a number as a text', () => token({ attempt: '1' })],
  ['true as a text', () => token({ protected: 'true' })],
  ['a claim in a list', () => token({ environment: ['production'] })],
  ['a claim in another case', () => token({ environment: 'Production' })],
  ['a claim with a space', () => token({ environment: 'production ' })],
  [
    'a claim under a name in another case',
    () => token({ environment: undefined, Environment: 'production' }),
  ],
  [
    'a claim of its prototype',
    () =>
      raw(
        JSON.stringify({ ...said({ environment: undefined }) }).replace(
          /}$/,
          ',"__proto__":{"environment":"production"}}',
        ),
      ),
  ],
];

const forms: Forgery[] = [
  ['four parts', () => `${token()}.x`],
  ['two parts', () => parts(token()).slice(0, 2).join('.')],
  ['a payload in a list', () => raw(JSON.stringify([said()]))],
  ['a payload that is not JSON', () => raw(`{"aud":"${identity.audience}"`)],
  ['a header that is not an object', () => signToken('["RS256"]', said(), signer)],
  ['a header with text behind it', () => signToken('{"alg":"RS256"} x', said(), signer)],
  ['an encrypted token', () => `${encode({ alg: 'RSA-OAEP', enc: 'A256GCM' })}.a.b.c.d`],
  [
    'a secret as its signature',
    () =>
      `${parts(token()).slice(0, 2).join('.')}.${createHmac('sha256', pem()).update('x').digest('base64url')}`,
    1,
  ],
];

const table = { header, signature, audience, times, who, forms };

test('the table has at least 40 forgeries', () => {
  expect(Object.values(table).flat().length).toBeGreaterThanOrEqual(40);
});

describe.each(Object.entries(table))('a forgery is refused: %s', (_, forgeries) => {
  test.each(forgeries.map(([what, make, most = 0]) => [what, make, most] as const))(
    '%s',
    async (_what, make, most) => {
      const before = reads();
      const forged = make();
      const response = await get(forged);
      expect(response.status, response.text).toBe(401);
      expect(response.error.code).toBe('unauthorized');
      expect(response.headers['WWW-Authenticate']).toBeDefined();
      expect(reads() - before).toBe(most);
      // Neither the response nor the log has the token, or what the identity expects.
      const logged = JSON.stringify([api.requestLines().at(-1), api.faultLines().at(-1)]);
      for (const text of [response.text, logged]) {
        expect(text).not.toContain(forged);
        expect(text).not.toContain('123456789');
        expect(text).not.toContain(pattern);
      }
    },
  );
});

test('a key that the issuer has no more is of no use after the keys were read again', async () => {
  expect((await get(token())).status).toBe(200);
  const kept = issuer.signers.splice(0, issuer.signers.length, newSigner('RS256', 'next'));
  try {
    expect((await get(token())).status).toBe(200);
    await age(api, identity, { fetchedMs: 11 * 60_000, attemptedMs: 11 * 60_000 });
    expect((await get(token())).status).toBe(401);
  } finally {
    issuer.signers.splice(0, issuer.signers.length, ...kept);
  }
});
