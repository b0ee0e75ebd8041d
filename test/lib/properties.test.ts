/** Pure functions, for any input. */

import { randomBytes } from 'node:crypto';
import { crc32 as zlibCrc32 } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { refuseGrant } from '../../lib/api-keys/grants.ts';
import type { Caller } from '../../lib/caller.ts';
import { canonicalJson } from '../../lib/canonical-json.ts';
import {
  apiKeyPattern,
  hashApiKey,
  makeApiKey,
  matchesHash,
  parseApiKey,
} from '../../lib/credentials/api-key.ts';
import { toBase62 } from '../../lib/credentials/base62.ts';
import { crc32 } from '../../lib/credentials/crc32.ts';
import { decodeCursor, encodeCursor } from '../../lib/http/cursor.ts';
import { fingerprint } from '../../lib/idempotency/fingerprint.ts';
import { parseIdempotencyKey } from '../../lib/idempotency/key.ts';
import { seal, unseal } from '../../lib/idempotency/seal.ts';
import { firstIdAt, lastIdAt, newIdFactory, timeOfId } from '../../lib/ids.ts';
import { allScopes, holds, missingScopes, type Scope } from '../../lib/scopes.ts';
import { parseDurationMs } from '../../lib/time.ts';

const newId = newIdFactory(Math.random);
const location = fc.record({
  mode: fc.constantFrom('live' as const, 'test' as const),
  organisationId: fc.integer({ min: 1 }).map((ms) => newId('organisation', ms)),
  keyId: fc.integer({ min: 1 }).map((ms) => newId('apiKey', ms)),
});

describe('API keys', () => {
  test('say where their record is', () => {
    fc.assert(
      fc.property(location, (where) => {
        const { secret, secretHash, hint } = makeApiKey(where, randomBytes);
        expect(secret).toMatch(apiKeyPattern);
        expect(parseApiKey(secret)).toEqual(where);
        expect(matchesHash(secret, secretHash)).toBe(true);
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

  test('no other text is one', () => {
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

  test('a hash matches its own key alone', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (a, b) => {
        expect(matchesHash(a, hashApiKey(b))).toBe(a === b);
        expect(matchesHash(a, b)).toBe(false);
      }),
    );
  });
});

test('CRC-32 is the one of zlib', () => {
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

describe('durations', () => {
  test('are a whole number and a unit', () => {
    const units = { h: 3_600_000, d: 86_400_000, w: 604_800_000 };
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 999_999 }), fc.constantFrom('h', 'd', 'w'), (count, unit) => {
        expect(parseDurationMs(`${count}${unit}`)).toBe(count * units[unit as 'h']);
      }),
    );
  });

  test('and nothing else', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        fc.pre(!/^[1-9]\d{0,5}[hdw]$/.test(text));
        expect(parseDurationMs(text)).toBeUndefined();
      }),
    );
  });
});

describe('cursors', () => {
  const list = fc.array(fc.string(), { maxLength: 3 });
  const position = fc.integer({ min: 1 }).map((ms) => newId('project', ms));

  test('give their position back to their own list', () => {
    fc.assert(
      fc.property(position, list, (at, of) => void expect(decodeCursor(encodeCursor(at, of), of)).toBe(at)),
    );
  });

  test('give nothing to another list', () => {
    fc.assert(
      fc.property(position, list, list, (at, of, other) => {
        fc.pre(JSON.stringify(of) !== JSON.stringify(other));
        expect(decodeCursor(encodeCursor(at, of), other)).toBeUndefined();
      }),
    );
  });

  test('that were changed, or never were, give nothing', () => {
    fc.assert(
      fc.property(
        position,
        list,
        fc.nat(62),
        fc.string({ minLength: 1, maxLength: 1 }),
        (at, of, n, character) => {
          const cursor = encodeCursor(at, of);
          const changed = cursor.slice(0, n) + character + cursor.slice(n + 1);
          fc.pre(changed !== cursor);
          expect(decodeCursor(changed, of)).toBeUndefined();
        },
      ),
    );
    fc.assert(
      fc.property(fc.string(), list, (text, of) => void expect(decodeCursor(text, of)).toBeUndefined()),
    );
  });
});

describe('canonical JSON', () => {
  /** The same value with the members of every object in another order. */
  const shuffled = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(shuffled);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(
      Object.entries(value)
        .reverse()
        .map(([key, member]) => [key, shuffled(member)]),
    );
  };

  test('does not depend on the order of members', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(canonicalJson(shuffled(value))).toBe(canonicalJson(value));
      }),
    );
  });

  test('is JSON of the same value', () => {
    fc.assert(
      fc.property(fc.json(), (json) => {
        const value = JSON.parse(json);
        expect(JSON.parse(canonicalJson(value))).toEqual(JSON.parse(JSON.stringify(value)));
      }),
    );
  });

  test('tells apart what differs in method, path or meaning', () => {
    expect(fingerprint('POST', '/a', { b: 1 }, null)).not.toBe(fingerprint('POST', '/a', { b: '1' }, null));
    expect(fingerprint('POST', '/a', { b: 1 }, null)).not.toBe(fingerprint('POST', '/b', { b: 1 }, null));
    expect(fingerprint('POST', '/a', undefined, null)).not.toBe(fingerprint('POST', '/a', {}, null));
  });
});

test('an Idempotency-Key reads the same quoted and bare', () => {
  const printable = fc.integer({ min: 0x20, max: 0x7e }).map((code) => String.fromCharCode(code));
  fc.assert(
    fc.property(fc.string({ unit: printable, minLength: 1, maxLength: 120 }), (text) => {
      const quoted = `"${text.replace(/["\\]/g, '\\$&')}"`;
      expect(parseIdempotencyKey([quoted])).toBe(text);
      const bare = text.trim();
      if (bare !== '' && !bare.startsWith('"')) expect(parseIdempotencyKey([text])).toBe(bare);
    }),
  );
});

describe('scopes', () => {
  const scopes = fc.uniqueArray(fc.constantFrom(...allScopes));

  test('write includes read, and nothing includes anything else', () => {
    fc.assert(
      fc.property(fc.constantFrom(...allScopes), fc.constantFrom(...allScopes), (held, wanted) => {
        const includes =
          held === wanted || (wanted.endsWith(':read') && held === wanted.replace('read', 'write'));
        expect(holds([held], wanted)).toBe(includes);
      }),
    );
  });

  test('a grant never leaves the receiver with what the giver does not hold', () => {
    const projects = fc.option(
      fc.uniqueArray(fc.constantFrom('proj_a', 'proj_b', 'proj_c'), { minLength: 1 }),
    );
    const expiresAtMs = fc.option(fc.nat());
    fc.assert(
      fc.property(
        fc.record({ scopes, projectIds: projects, expiresAtMs }),
        fc.record({ scopes, projectIds: projects, expiresAtMs }),
        (held, grant) => {
          const refusal = refuseGrant(held as unknown as Caller, grant);
          const may =
            missingScopes(held.scopes, grant.scopes as Scope[]).length === 0 &&
            (held.projectIds === null ||
              grant.projectIds?.every((id) => held.projectIds?.includes(id)) === true) &&
            (held.expiresAtMs === null ||
              (grant.expiresAtMs !== null && grant.expiresAtMs <= held.expiresAtMs));
          expect(refusal === undefined).toBe(may);
        },
      ),
    );
  });
});

describe('ids', () => {
  test('of one maker rise strictly, also within a millisecond and when the clock goes back', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 2 }), (times) => {
        const make = newIdFactory(Math.random);
        const ids = times.map((ms) => make('project', ms));
        expect(ids).toEqual([...new Set(ids)].sort());
      }),
    );
  });

  test('of another time carry that time, and leave the others rising', () => {
    fc.assert(
      fc.property(fc.array(fc.nat({ max: 2 ** 48 - 1 }), { minLength: 1 }), (times) => {
        const make = newIdFactory(Math.random);
        const present = [make('conversation', 1000)];
        for (const atMs of times) {
          expect(timeOfId(make('conversation', 1000, atMs))).toBe(atMs);
          present.push(make('conversation', 1000));
        }
        expect(present).toEqual([...new Set(present)].sort());
        expect(timeOfId(present.at(-1) ?? '')).toBe(1000);
      }),
    );
  });

  test('lie between the first and the last of their millisecond', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1 }), (ms) => {
        const id = newIdFactory(Math.random)('project', ms);
        expect(firstIdAt('project', ms) <= id && id <= lastIdAt('project', ms)).toBe(true);
        expect(lastIdAt('project', ms) < firstIdAt('project', ms + 1)).toBe(true);
      }),
    );
  });
});

describe('a seal', () => {
  const secrets = fc.record({ credential: fc.string(), idempotencyKey: fc.string() });

  test('opens with its own secrets, in its own place', () => {
    fc.assert(
      fc.property(fc.string(), secrets, fc.string(), (text, own, context) => {
        expect(unseal(seal(text, own, context, randomBytes), own, context)).toBe(text);
      }),
    );
  });

  test('opens with no others, nowhere else, and not when it was touched', () => {
    fc.assert(
      fc.property(fc.string(), secrets, secrets, (text, own, other) => {
        const sealed = seal(text, own, 'here', randomBytes);
        const isOwn = own.credential === other.credential && own.idempotencyKey === other.idempotencyKey;
        if (!isOwn) expect(unseal(sealed, other, 'here')).toBeUndefined();
        expect(unseal(sealed, own, 'there')).toBeUndefined();
        const touched = Buffer.from(sealed.box, 'base64url');
        touched[0] = (touched[0] ?? 0) ^ 1;
        expect(unseal({ ...sealed, box: touched.toString('base64url') }, own, 'here')).toBeUndefined();
      }),
    );
  });
});
