/**
 * ULIDs (https://github.com/ulid/spec): ten digits of time and sixteen random digits, in Crockford's base 32. Every request makes
 * at least one, so it draws few random numbers.
 */

/** The digits, in the order of their values and of their character codes. */
export const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/** The first characters of a ULID are its time. The others are random. */
export const timeLength = 10;
export const randomLength = 16;
export const maxUlidMs = 2 ** 48 - 1;

/** @returns the digits of a time, in epoch milliseconds. @throws RangeError if it does not fit */
export function encodeTime(ms: number): string {
  if (!Number.isInteger(ms) || ms < 0 || ms > maxUlidMs) throw new RangeError(`no ULID has the time ${ms}`);
  return encode(ms, timeLength);
}

/** @returns the time in a ULID, in epoch milliseconds. @throws RangeError if this is no ULID */
export function decodeTime(ulid: string): number {
  let ms = 0;
  for (const character of ulid.slice(0, timeLength)) {
    const digit = alphabet.indexOf(character);
    ms = digit === -1 ? Number.NaN : ms * alphabet.length + digit;
  }
  if (ulid.length !== timeLength + randomLength || !(ms <= maxUlidMs)) throw new RangeError('no ULID');
  return ms;
}

/** A fraction has 32 random bits. Four digits take 20 of them. */
const digitsPerDraw = 4;

/** @param randomFraction returns a number from 0 to below 1 */
export function randomDigits(randomFraction: () => number): string {
  let digits = '';
  while (digits.length < randomLength)
    digits += encode(Math.floor(randomFraction() * alphabet.length ** digitsPerDraw), digitsPerDraw);
  return digits;
}

/** @returns the digits of the next number. @throws RangeError if it has more digits */
export function digitsAfter(digits: string): string {
  let at = digits.length - 1;
  while (digits[at] === 'Z') at -= 1;
  if (at < 0) throw new RangeError('the ULIDs of this millisecond are used up');
  const next = alphabet.charAt(alphabet.indexOf(digits.charAt(at)) + 1);
  return digits.slice(0, at) + next + '0'.repeat(digits.length - 1 - at);
}

function encode(value: number, length: number): string {
  let digits = '';
  for (let rest = value; digits.length < length; rest = Math.floor(rest / alphabet.length))
    digits = alphabet.charAt(rest % alphabet.length) + digits;
  return digits;
}
