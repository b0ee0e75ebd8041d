/**
 * The id of an event is derived from its call and its resource. So an event that is written again is the same item. It starts
 * with the time of the call.
 */

import { hash } from 'node:crypto';
import { firstIdAt, timeOfId } from '../../ids.ts';

const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const derivedLength = 16;

/** @param subject what tells the events of a call apart */
export function eventId(callId: string, subject: readonly string[]): string {
  const bytes = hash('sha256', JSON.stringify([callId, ...subject]), 'buffer');
  // Five bits of each byte: 80 bits.
  const digits = Array.from(bytes.subarray(0, derivedLength), (byte) => alphabet[byte % alphabet.length]);
  return firstIdAt('auditEvent', timeOfId(callId)).slice(0, -derivedLength) + digits.join('');
}

/** @returns the greatest id below this one */
export function idBelow(id: string): string {
  let at = id.length - 1;
  while (id[at] === '0') at -= 1;
  const digit = alphabet.indexOf(id[at] ?? '');
  if (digit < 1) return id;
  return id.slice(0, at) + alphabet[digit - 1] + 'Z'.repeat(id.length - 1 - at);
}
