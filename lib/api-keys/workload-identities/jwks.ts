/** A caller sends public keys with an identity, or an issuer publishes them (RFC 7517). Pure. */

import { createPublicKey, type KeyObject } from 'node:crypto';
import type { PublicJwk } from './store/stored.ts';

/** These limits hold for the keys that a caller sends. */
export const maxSentKeys = 20;
export const maxSentBytes = 16 * 1024;
/** The keys that an issuer publishes have limits, because every request reads them with the identity. */
const maxIssuerKeys = 50;
const maxIssuerBytes = 32 * 1024;

const minRsaBits = 2048;
/** A larger key is of no use, and a signature takes long to check. */
const maxRsaBits = 8192;
const curves = ['P-256', 'P-384', 'P-521', 'Ed25519'];

/**
 * The members of a key that a caller sends have at most so many characters. The largest numbers need fewer characters
 * (base64url): there is room for leading zeros.
 */
export const maxMemberLengths = {
  kty: 20,
  kid: 255,
  use: 20,
  alg: 100,
  n: maxRsaBits / 4,
  e: 100,
  crv: 20,
  x: 200,
  y: 200,
} as const;
const publicMembers = Object.keys(maxMemberLengths) as (keyof typeof maxMemberLengths)[];
/** The members of private keys (RFC 7518 sections 6.2.2, 6.3.2 and 6.4.1). */
const privateMembers = ['d', 'p', 'q', 'dp', 'dq', 'qi', 'oth', 'k'];

type Members = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const keysIn = (jwks: unknown): unknown[] | undefined =>
  isObject(jwks) && Array.isArray(jwks.keys) ? jwks.keys : undefined;

/**
 * @param jwks `{keys: […]}`, as a caller sent it
 * @returns why it is refused, or undefined if it is not
 */
export function refuseJwks(jwks: unknown): string | undefined {
  const keys = keysIn(jwks);
  if (!keys) return 'must be an object with a list of keys';
  if (keys.length === 0 || keys.length > maxSentKeys) return `must have 1 to ${maxSentKeys} keys`;
  if (Buffer.byteLength(JSON.stringify(jwks)) > maxSentBytes)
    return `must have at most ${maxSentBytes} bytes`;
  for (const [index, key] of keys.entries()) {
    const reason = refuseKey(key);
    if (reason) return `has a key (keys.${index}) that ${reason}`;
  }
  const kids = keys.map((key) => publicMembersOf(key).kid);
  return new Set(kids).size < kids.length ? 'must not have two keys with the same kid' : undefined;
}

/** @returns the usable keys, with their public members only */
export const publicKeysOf = (jwks: unknown): PublicJwk[] =>
  (keysIn(jwks) ?? []).filter((key) => refuseKey(key, true) === undefined).map(publicMembersOf);

/**
 * @param jwks the document of an issuer. Keys that cannot sign tokens, such as keys for encryption, are ignored
 * @returns the usable keys, or why there are none
 */
export function readIssuerKeys(jwks: unknown): { keys: PublicJwk[] } | { refused: string } {
  if (!keysIn(jwks)) return { refused: 'are not a JSON Web Key Set' };
  const keys = publicKeysOf(jwks);
  if (keys.length === 0) return { refused: 'have no public key for signatures that has a kid' };
  const isLarge = keys.length > maxIssuerKeys || Buffer.byteLength(JSON.stringify(keys)) > maxIssuerBytes;
  return isLarge ? { refused: `are more than ${maxIssuerKeys} keys or ${maxIssuerBytes} bytes` } : { keys };
}

/** @param mayBePrivate an issuer that publishes private members harms itself: they are not stored */
function refuseKey(key: unknown, mayBePrivate = false): string | undefined {
  if (!isObject(key)) return 'is not an object';
  if (!mayBePrivate && privateMembers.some((name) => name in key)) return 'has private members';
  const { kty, kid, use, key_ops: operations, crv } = key;
  if (kty === 'oct') return 'is a secret';
  if (publicMembers.some((name) => key[name] !== undefined && typeof key[name] !== 'string'))
    return 'has a member that is not a string';
  const tooLong = publicMembers.find((name) => `${key[name] ?? ''}`.length > maxMemberLengths[name]);
  if (tooLong && tooLong !== 'kid' && !mayBePrivate)
    return `has a \`${tooLong}\` of more than ${maxMemberLengths[tooLong]} characters`;
  if (typeof kid !== 'string' || kid === '' || kid.length > maxMemberLengths.kid) return 'has no kid';
  if (use !== undefined && use !== 'sig') return 'is not for signatures';
  if (operations !== undefined && !(Array.isArray(operations) && operations.includes('verify')))
    return 'is not for signatures';
  if (kty !== 'RSA' && !(typeof crv === 'string' && curves.includes(crv)))
    return `is neither RSA nor on one of the curves ${curves.join(', ')}`;
  const keyObject = prepare(publicMembersOf(key));
  if (!keyObject) return 'is not valid';
  return kty === 'RSA' ? refuseRsa(keyObject) : undefined;
}

function refuseRsa({ asymmetricKeyDetails: { modulusLength = 0, publicExponent = 0n } = {} }: KeyObject) {
  if (modulusLength < minRsaBits || modulusLength > maxRsaBits)
    return `has ${modulusLength} bits: RSA needs ${minRsaBits} to ${maxRsaBits}`;
  // With the exponent 1, a signature is the text itself.
  return publicExponent < 3n || publicExponent > 0xffff_ffffn
    ? 'has an exponent that is not safe'
    : undefined;
}

function prepare(key: PublicJwk): KeyObject | undefined {
  try {
    return createPublicKey({ key, format: 'jwk' });
  } catch {
    return undefined;
  }
}

/** @returns the public members of a key. They must be strings */
function publicMembersOf(key: unknown): PublicJwk {
  const members = isObject(key) ? key : {};
  const text = (name: string) => (typeof members[name] === 'string' ? members[name] : '');
  const optional = publicMembers.filter((name) => name !== 'kty' && name !== 'kid' && text(name) !== '');
  return {
    kty: text('kty'),
    kid: text('kid'),
    ...Object.fromEntries(optional.map((name) => [name, text(name)])),
  };
}

/** The only kind of key that an algorithm may have (RFC 7518 section 3.1, RFC 8037 section 3.1). */
const kindOf: Readonly<Record<string, { kty: string; crv?: string }>> = {
  RS256: { kty: 'RSA' },
  RS384: { kty: 'RSA' },
  RS512: { kty: 'RSA' },
  ES256: { kty: 'EC', crv: 'P-256' },
  ES384: { kty: 'EC', crv: 'P-384' },
  ES512: { kty: 'EC', crv: 'P-521' },
  EdDSA: { kty: 'OKP', crv: 'Ed25519' },
};

/** @returns the key for this id and algorithm: an issuer may use an id for several keys; undefined if there is none */
export function keyFor(keys: readonly PublicJwk[], kid: string, algorithm: string): PublicJwk | undefined {
  if (!Object.hasOwn(kindOf, algorithm)) return undefined;
  const kind = kindOf[algorithm];
  return keys.find(
    (key) =>
      key.kid === kid &&
      key.kty === kind?.kty &&
      key.crv === kind.crv &&
      (key.alg === undefined || key.alg === algorithm),
  );
}
