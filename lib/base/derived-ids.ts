/**
 * The id of a log entry is derived from the subject of the entry, so an entry that is written again is the same item. The id
 * starts with a time, so a log is sorted by time.
 */

import { hash } from 'node:crypto';
import { firstIdAt, type IdKind } from './ids.ts';

const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const derivedLength = 16;

/**
 * @param atMs the time in the id: epoch milliseconds
 * @param subject distinguishes the entry from other entries of that time
 */
export function derivedId(kind: IdKind, atMs: number, subject: readonly string[]): string {
  const bytes = hash('sha256', JSON.stringify(subject), 'buffer');
  // Each of the 16 digits has five bits of a byte.
  const digits = Array.from(bytes.subarray(0, derivedLength), (byte) => alphabet[byte % alphabet.length]);
  return firstIdAt(kind, atMs).slice(0, -derivedLength) + digits.join('');
}

/** @returns the greatest id below this id */
export function idBelow(id: string): string {
  let at = id.length - 1;
  while (id[at] === '0') at -= 1;
  const digit = alphabet.indexOf(id[at] ?? '');
  if (digit < 1) return id;
  return id.slice(0, at) + alphabet[digit - 1] + 'Z'.repeat(id.length - 1 - at);
}
