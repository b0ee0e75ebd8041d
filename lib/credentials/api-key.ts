/**
 * The form of an API key. The parts after the prefix have fixed widths and are in base 62:
 *
 *   sk_live_ | organisation (26) | key id (26) | secret (43) | checksum (6)
 *
 * Organisation and key id are the ULIDs of `org_…` and `key_…`, so a key shows which record to read. The
 * secret is 256 random bits. The checksum is the CRC-32 of everything before it. So a key that was cut,
 * mistyped or moved to another mode is refused without a read, and a scanner can tell a key from look-alikes.
 */

import { hash, timingSafeEqual } from 'node:crypto';
import type { Mode } from '../base/caller.ts';
import { idPrefixes, ulidPattern } from '../base/ids.ts';

/** Secret scanners use this pattern. docs/security.md has it too. */
export const apiKeyPattern = /^sk_(live|test)_[0-9A-Za-z]{101}$/;

const parts = new RegExp(
  `^sk_(live|test)_(${ulidPattern})(${ulidPattern})([0-9A-Za-z]{43})([0-9A-Za-z]{6})$`,
);

const secretBytes = 32;
const secretLength = 43;
const checksumLength = 6;

const ulidOf = (id: string) => id.slice(id.indexOf('_') + 1);

type ApiKeyLocation = { mode: Mode; organisationId: string; keyId: string };

export const hasApiKeyPrefix = (token: string): boolean => /^sk_(live|test)_/.test(token);

/** @returns a new key: the `secret` for its owner, and the stored `secretHash` and `hint` */
export function makeApiKey(location: ApiKeyLocation, randomBytes: (size: number) => Uint8Array) {
  const random = BigInt(`0x${Buffer.from(randomBytes(secretBytes)).toString('hex')}`);
  const text =
    `sk_${location.mode}_${ulidOf(location.organisationId)}${ulidOf(location.keyId)}` +
    toBase62(random, secretLength);
  const secret = text + checksum(text);
  return { secret, secretHash: hashApiKey(secret), hint: `sk_${location.mode}_…${secret.slice(-4)}` };
}

/** @returns the position of the key's item, or undefined if this is not a key */
export function parseApiKey(token: string): ApiKeyLocation | undefined {
  const match = parts.exec(token);
  if (!match) return undefined;
  const [, mode, organisation, key, , sum] = match;
  if (checksum(token.slice(0, -checksumLength)) !== sum) return undefined;
  return {
    mode: mode as Mode,
    organisationId: `${idPrefixes.organisation}_${organisation}`,
    keyId: `${idPrefixes.apiKey}_${key}`,
  };
}

/** @returns the SHA-256 of the whole key in base64url. 256 random bits need no slower hash */
export const hashApiKey = (token: string): string => hash('sha256', token, 'base64url');

/**
 * Compares the token with all secrets, each in constant time.
 * @returns the secret that this key has, if it is one of them
 */
export function matchingSecret<Secret extends { hash: string }>(
  token: string,
  secrets: readonly Secret[],
): Secret | undefined {
  const actual = Buffer.from(hashApiKey(token));
  const [match] = secrets.filter(({ hash }) => {
    const expected = Buffer.from(hash);
    return actual.length === expected.length && timingSafeEqual(actual, expected);
  });
  return match;
}

/** Base 62 has digits, upper case and lower case. It needs no quoting in URLs and shells, and a double click selects it. */
const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** @returns the value in exactly `length` characters. A value that needs more is cut without an error */
export function toBase62(value: bigint, length: number): string {
  let text = '';
  for (let rest = value; text.length < length; rest /= 62n) text = alphabet[Number(rest % 62n)] + text;
  return text;
}

/** @returns the CRC-32 in base 62. It fits into a number, and every request checks it: a bigint takes several times longer */
function checksum(text: string): string {
  let digits = '';
  for (let rest = crc32(text); digits.length < checksumLength; rest = Math.floor(rest / 62))
    digits = alphabet.charAt(rest % 62) + digits;
  return digits;
}

/**
 * CRC-32 as in ISO-HDLC, gzip and zlib (RFC 1952 section 8). `node:zlib` has it too, but would add 2 ms to every cold
 * start.
 * @param text ASCII
 */
export function crc32(text: string): number {
  let crc = ~0;
  for (let index = 0; index < text.length; index += 1) {
    crc ^= text.charCodeAt(index);
    crc = (crc >>> 4) ^ (table[crc & 0xf] as number);
    crc = (crc >>> 4) ^ (table[crc & 0xf] as number);
  }
  return ~crc >>> 0;
}

/** The effect of each half of a byte on the register. A table for whole bytes would take longer to fill than a key to check. */
const table = Int32Array.from({ length: 16 }, (_, half) => {
  let crc = half;
  for (let bit = 0; bit < 4; bit += 1) crc = (crc >>> 1) ^ (0xedb88320 & -(crc & 1));
  return crc;
});
