/** An id is a prefix for the kind, and a ULID (https://github.com/ulid/spec), which sorts by time. */

import { hash } from 'node:crypto';
import {
  alphabet,
  decodeTime,
  digitsAfter,
  encodeTime,
  maxUlidMs,
  randomDigits,
  randomLength,
} from './ulid.ts';

export const idPrefixes = {
  organisation: 'org',
  apiKey: 'key',
  workloadIdentity: 'wid',
  project: 'proj',
  avatar: 'avtr',
  knowledgeDocument: 'kdoc',
  knowledgeSource: 'src',
  job: 'job',
  conversation: 'conv',
  message: 'msg',
  deployment: 'dep',
  call: 'call',
  auditEvent: 'aud',
  event: 'evt',
  webhook: 'whk',
  delivery: 'dlv',
  upload: 'upl',
  evaluator: 'eval',
  rollout: 'rol',
  reply: 'rpl',
} as const;

export type IdKind = keyof typeof idPrefixes;
export type NewId = (kind: IdKind, nowMs: number, atMs?: number) => string;

/** A ULID as regular expression source: 128 bits in Crockford's base 32, so the first character is 0 to 7. */
export const ulidPattern = '[0-7][0-9A-HJKMNP-TV-Z]{25}';

export const idPattern = (kind: IdKind): RegExp => new RegExp(`^${idPrefixes[kind]}_${ulidPattern}$`);

/**
 * @returns a factory of ids, which increase strictly, also within a millisecond. An id with `atMs` has that time instead, past
 *   or future, and does not affect the other ids
 */
export function newIdFactory(randomFraction: () => number): NewId {
  let lastMs = -1;
  let lastDigits = '';
  const risingUlid = (nowMs: number) => {
    lastDigits = nowMs > lastMs ? randomDigits(randomFraction) : digitsAfter(lastDigits);
    lastMs = Math.max(nowMs, lastMs);
    return encodeTime(lastMs) + lastDigits;
  };
  return (kind, nowMs, atMs) =>
    `${idPrefixes[kind]}_${atMs === undefined ? risingUlid(nowMs) : encodeTime(atMs) + randomDigits(randomFraction)}`;
}

/** @returns the time in an id, in epoch milliseconds */
export const timeOfId = (id: string): number => decodeTime(id.slice(id.indexOf('_') + 1));

const clampMs = (ms: number) => Math.min(Math.max(ms, 0), maxUlidMs);

/** The lowest and the highest id of a millisecond. */
export const firstIdAt = (kind: IdKind, ms: number): string =>
  `${idPrefixes[kind]}_${encodeTime(clampMs(ms))}${'0'.repeat(randomLength)}`;
export const lastIdAt = (kind: IdKind, ms: number): string =>
  `${idPrefixes[kind]}_${encodeTime(clampMs(ms))}${'Z'.repeat(randomLength)}`;

/** The lowest and the highest id of a kind. */
export const idRangeOf = (kind: IdKind) => ({ first: firstIdAt(kind, 0), last: lastIdAt(kind, maxUlidMs) });

/**
 * The id of a log entry is derived from the subject of the entry, so an entry that is written again is the same item. The id
 * starts with a time, so a log is sorted by time.
 * @param atMs the time in the id: epoch milliseconds
 * @param subject distinguishes the entry from other entries of that time
 */
export function derivedId(kind: IdKind, atMs: number, subject: readonly string[]): string {
  const bytes = hash('sha256', JSON.stringify(subject), 'buffer');
  // Each of the digits has five bits of a byte.
  const digits = Array.from(bytes.subarray(0, randomLength), (byte) => alphabet[byte % alphabet.length]);
  return firstIdAt(kind, atMs).slice(0, -randomLength) + digits.join('');
}

/** @returns the greatest id below this id */
export function idBelow(id: string): string {
  let at = id.length - 1;
  while (id[at] === '0') at -= 1;
  const digit = alphabet.indexOf(id[at] ?? '');
  if (digit < 1) return id;
  return id.slice(0, at) + alphabet[digit - 1] + 'Z'.repeat(id.length - 1 - at);
}

/** The names of environments, which callers choose. */
export const environmentNamePattern = /^[a-z0-9-]{1,40}$/;
