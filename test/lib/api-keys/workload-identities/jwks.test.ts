/** Public keys: which are accepted, and for which algorithm. */

import { generateKeyPairSync } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import {
  keyFor,
  maxMemberLengths,
  publicKeysOf,
  readIssuerKeys,
  refuseJwks,
} from '../../../../lib/api-keys/workload-identities/jwks.ts';

const rsa = (bits: number, publicExponent = 65_537) =>
  generateKeyPairSync('rsa', { modulusLength: bits, publicExponent });
const { privateKey, publicKey } = rsa(2048);
const good = { ...publicKey.export({ format: 'jwk' }), kid: 'a' };
const weak = { ...rsa(1024).publicKey.export({ format: 'jwk' }), kid: 'a' };
const curve = (namedCurve: string) => ({
  ...generateKeyPairSync('ec', { namedCurve }).publicKey.export({ format: 'jwk' }),
  kid: namedCurve,
});

test('keys for signatures are accepted', () => {
  const ed25519 = { ...generateKeyPairSync('ed25519').publicKey.export({ format: 'jwk' }), kid: 'ed' };
  const keys = [
    { ...good, use: 'sig', alg: 'RS256', x5t: 'ignored' },
    curve('P-256'),
    curve('P-521'),
    ed25519,
  ];
  expect(refuseJwks({ keys })).toBeUndefined();
  expect(publicKeysOf({ keys })).toHaveLength(4);
  expect(publicKeysOf({ keys })[0]).not.toHaveProperty('x5t');
});

describe('keys of a caller are refused', () => {
  test.each<[string, unknown, string]>([
    ['no object', [], 'list of keys'],
    ['no keys', { keys: [] }, '1 to 20'],
    [
      'too many keys',
      { keys: Array.from({ length: 21 }, (_, index) => ({ ...good, kid: `${index}` })) },
      '1 to 20',
    ],
    ['too many bytes', { keys: [{ ...good, x5c: ['A'.repeat(17_000)] }] }, 'bytes'],
    ['a private key', { keys: [{ ...privateKey.export({ format: 'jwk' }), kid: 'a' }] }, 'private'],
    ['a secret', { keys: [{ kty: 'oct', kid: 'a' }] }, 'secret'],
    ['a secret with its value', { keys: [{ kty: 'oct', kid: 'a', k: 'AAAA' }] }, 'private'],
    ['no kid', { keys: [{ ...good, kid: undefined }] }, 'no kid'],
    ['the same kid twice', { keys: [good, good] }, 'same kid'],
    ['a key for encryption', { keys: [{ ...good, use: 'enc' }] }, 'not for signatures'],
    ['a weak key', { keys: [weak] }, '1024 bits'],
    ['a key with the exponent 1', { keys: [{ ...good, e: 'AQ' }] }, ''],
    ['another curve', { keys: [curve('secp256k1')] }, 'curves'],
    ['a point that is not on its curve', { keys: [{ ...curve('P-256'), x: 'AAAA' }] }, 'not valid'],
    ['a number', { keys: [{ ...good, n: 5 }] }, 'not a string'],
    ['null', { keys: [null] }, 'not an object'],
  ])('%s', (_, jwks, reason) => {
    expect(refuseJwks(jwks)).toContain(reason);
    expect(refuseJwks(jwks)).toBeDefined();
  });
});

describe.each(Object.entries(maxMemberLengths))(
  'the member %s of a key has at most %i characters',
  (name, max) => {
    const withLength = (length: number) => ({ keys: [{ ...good, [name]: 'A'.repeat(length) }] });
    const reason = name === 'kid' ? 'no kid' : `has a \`${name}\` of more than ${max} characters`;

    test('if a caller sends it', () => {
      expect(refuseJwks(withLength(max + 1))).toContain(reason);
      expect(refuseJwks(withLength(max)) ?? '').not.toContain(reason);
    });
  },
);

test('the largest key is within the lengths, and its longest members may be longer in the key of an issuer', () => {
  const n = Buffer.alloc(8192 / 8, 0xff).toString('base64url');
  expect(n.length).toBeLessThan(maxMemberLengths.n);
  expect(refuseJwks({ keys: [{ ...good, n }] })).toBeUndefined();
  const alg = 'A'.repeat(maxMemberLengths.alg + 1);
  expect(readIssuerKeys({ keys: [{ ...good, alg }] })).toEqual({ keys: [{ ...good, alg }] });
});

test('of an issuer, the keys that cannot sign are ignored, and private members are not kept', () => {
  const keys = [
    weak,
    { kty: 'oct', kid: 'o', k: 'AAAA' },
    { ...privateKey.export({ format: 'jwk' }), kid: 'a' },
  ];
  expect(readIssuerKeys({ keys })).toEqual({ keys: [good] });
  expect(readIssuerKeys({ keys: [weak] })).toHaveProperty('refused');
  expect(readIssuerKeys({ keys: 'x' })).toHaveProperty('refused');
});

test('a key is for its own algorithms only', () => {
  const keys = publicKeysOf({ keys: [{ ...good, alg: 'RS256' }, curve('P-256')] });
  expect(keyFor(keys, 'a', 'RS256')).toBeDefined();
  for (const algorithm of ['RS512', 'ES256', 'EdDSA', 'HS256', 'none', 'constructor'])
    expect(keyFor(keys, 'a', algorithm), algorithm).toBeUndefined();
  expect(keyFor(keys, 'P-256', 'ES256')).toBeDefined();
  expect(keyFor(keys, 'P-256', 'ES384')).toBeUndefined();
});
