/** Base 62 has digits, upper case and lower case. It needs no quoting in URLs and shells, and a double click selects it. */

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/**
 * @param value a number, or a bigint if it may be above 2^53: a bigint takes longer
 * @returns the value in exactly `length` characters. A value that needs more is cut without an error
 */
export function toBase62(value: number | bigint, length: number): string {
  let text = '';
  if (typeof value === 'number') {
    for (let rest = value; text.length < length; rest = Math.floor(rest / 62))
      text = alphabet[rest % 62] + text;
  } else {
    for (let rest = value; text.length < length; rest /= 62n) text = alphabet[Number(rest % 62n)] + text;
  }
  return text;
}
