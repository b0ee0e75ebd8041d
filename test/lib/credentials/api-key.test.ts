/** API keys: their form, checksum and hash, for any input. */

import { randomBytes } from 'node:crypto';
import { crc32 as zlibCrc32 } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { newIdFactory } from '../../../lib/base/ids.ts';
import {
  apiKeyPattern,
  crc32,
  hasApiKeyPrefix,
  hashApiKey,
  makeApiKey,
  matchingSecret,
  parseApiKey,
  toBase62,
} from '../../../lib/credentials/api-key.ts';

const newId = newIdFactory(Math.random);
const location = fc.record({
  mode: fc.constantFrom('live' as const, 'test' as const),
  organisationId: fc.integer({ min: 1 }).map((ms) => newId('organisation', ms)),
  keyId: fc.integer({ min: 1 }).map((ms) => newId('apiKey', ms)),
});

// Another form would refuse all keys that are stored.
test('a key is stored as its SHA-256 in base64url', () => {
  // FIPS 180-2, appendix B.1.
  expect(hashApiKey('abc')).toBe('ungWv48Bz-pBQUDeXa4iI7ADYaOWF3qctBD_YfIAFa0');
});

test.each([
  ['sk_live_abc', true],
  ['sk_test_abc', true],
  ['pk_live_abc', false],
  ['a.sk_live_abc', false],
])('%s has the prefix of a key: %s', (token, is) => {
  expect(hasApiKeyPrefix(token)).toBe(is);
});

describe('API keys', () => {
  test('contain the place of their record', () => {
    fc.assert(
      fc.property(location, (where) => {
        const { secret, secretHash, hint } = makeApiKey(where, randomBytes);
        expect(secret).toMatch(apiKeyPattern);
        expect(parseApiKey(secret)).toEqual(where);
        expect(matchingSecret(secret, [{ hash: '' }, { hash: secretHash }])).toEqual({ hash: secretHash });
        expect(hint).toBe(`sk_${where.mode}_…${secret.slice(-4)}`);
      }),
    );
  });

  test('are refused with any one character changed', () => {
    fc.assert(
      fc.property(
        location,
        fc.nat(108),
        fc.string({ minLength: 1, maxLength: 1 }),
        (where, at, character) => {
          const { secret } = makeApiKey(where, randomBytes);
          fc.pre(secret[at] !== character);
          expect(parseApiKey(secret.slice(0, at) + character + secret.slice(at + 1))).toBeUndefined();
        },
      ),
      { numRuns: 2000 },
    );
  });

  test('are refused cut, extended or swapped', () => {
    fc.assert(
      fc.property(location, fc.nat(107), (where, at) => {
        const { secret } = makeApiKey(where, randomBytes);
        expect(parseApiKey(secret.slice(0, -1))).toBeUndefined();
        expect(parseApiKey(`${secret}0`)).toBeUndefined();
        expect(parseApiKey(`${secret}\n`)).toBeUndefined();
        fc.pre(secret[at] !== secret[at + 1]);
        const swapped = secret.slice(0, at) + secret[at + 1] + secret[at] + secret.slice(at + 2);
        expect(parseApiKey(swapped)).toBeUndefined();
      }),
    );
  });

  test('any other text is malformed', () => {
    fc.assert(fc.property(fc.string(), (text) => void expect(parseApiKey(text)).toBeUndefined()));
    fc.assert(
      fc.property(fc.string(), (text) => void expect(parseApiKey(`sk_live_${text}`)).toBeUndefined()),
    );
  });

  test('the secret keeps all 256 bits', () => {
    const where = {
      mode: 'live' as const,
      organisationId: newId('organisation', 1),
      keyId: newId('apiKey', 1),
    };
    const secretOf = (bytes: Uint8Array) => makeApiKey(where, () => bytes).secret.slice(60, 103);
    expect(secretOf(new Uint8Array(32))).toBe('0'.repeat(43));
    const largest = secretOf(new Uint8Array(32).fill(255));
    const value = [...largest].reduce(
      (sum, digit) =>
        sum * 62n + BigInt('0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'.indexOf(digit)),
      0n,
    );
    expect(value).toBe(2n ** 256n - 1n);
  });

  test('a hash matches only its own key', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (a, b) => {
        expect(matchingSecret(a, [{ hash: hashApiKey(b) }]) !== undefined).toBe(a === b);
        expect(matchingSecret(a, [{ hash: b }])).toBeUndefined();
      }),
    );
  });
});

test('CRC-32 equals that of zlib', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'binary-ascii' }),
      (text) => void expect(crc32(text)).toBe(zlibCrc32(text)),
    ),
  );
});

test('base 62 has a fixed width and keeps the order', () => {
  const value = fc.bigInt({ min: 0n, max: 62n ** 6n - 1n });
  fc.assert(
    fc.property(value, value, (a, b) => {
      const [x, y] = [toBase62(a, 6), toBase62(b, 6)];
      expect(x).toHaveLength(6);
      expect(x < y).toBe(a < b);
    }),
  );
});
