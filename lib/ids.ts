/** Identifiers: a prefix that says what it is, and a ULID (https://github.com/ulid/spec) that sorts by time. */

import { decodeTime, encodeTime, monotonicFactory, ulid } from 'ulid';

export const idPrefixes = {
  organisation: 'org',
  apiKey: 'key',
  project: 'proj',
  avatar: 'avtr',
  knowledgeDocument: 'kdoc',
  job: 'job',
  conversation: 'conv',
  message: 'msg',
  deployment: 'dep',
  event: 'evt',
} as const;

export type IdKind = keyof typeof idPrefixes;
export type NewId = (kind: IdKind, nowMs: number, atMs?: number) => string;

/** A ULID as regular expression source: 128 bits in Crockford's base 32, so the first character is 0 to 7. */
export const ulidPattern = '[0-7][0-9A-HJKMNP-TV-Z]{25}';

export const idPattern = (kind: IdKind): RegExp => new RegExp(`^${idPrefixes[kind]}_${ulidPattern}$`);

/** A ULID's first characters are its time, the other 16 are random. */
const timeLength = 10;
const maxUlidMs = 2 ** 48 - 1;

/**
 * @param randomFraction a number from 0 to below 1
 * (The library takes a time of 0 for none given; every other millisecond since 1970 is taken as it is.)
 * @returns a maker of ids; those of one maker rise strictly, also within one millisecond. With `atMs` the id is one of
 *   that time instead, past or future, and leaves the others as they are
 */
export function newIdFactory(randomFraction: () => number): NewId {
  const rising = monotonicFactory(randomFraction);
  const randomPart = () => ulid(1, randomFraction).slice(timeLength);
  return (kind, nowMs, atMs) =>
    `${idPrefixes[kind]}_${atMs === undefined ? rising(nowMs) : encodeTime(atMs, timeLength) + randomPart()}`;
}

/** @returns the time that an id carries, in epoch milliseconds */
export const timeOfId = (id: string): number => decodeTime(id.slice(id.indexOf('_') + 1));

const clampMs = (ms: number) => Math.min(Math.max(ms, 0), maxUlidMs);

/** The least and the greatest id that could have been made in that millisecond. */
export const firstIdAt = (kind: IdKind, ms: number): string =>
  `${idPrefixes[kind]}_${encodeTime(clampMs(ms), timeLength)}${'0'.repeat(16)}`;
export const lastIdAt = (kind: IdKind, ms: number): string =>
  `${idPrefixes[kind]}_${encodeTime(clampMs(ms), timeLength)}${'Z'.repeat(16)}`;

/** The least and the greatest id of a kind. */
export const idRangeOf = (kind: IdKind) => ({ first: firstIdAt(kind, 0), last: lastIdAt(kind, maxUlidMs) });
