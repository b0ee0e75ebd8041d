/** Base 62: digits, upper case, lower case. It needs no quoting in URLs and shells, and a double click selects it. */

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** @returns the value in exactly `length` characters. A value that needs more is cut without an error */
export function toBase62(value: bigint, length: number): string {
  let text = '';
  for (let rest = value; text.length < length; rest /= 62n) text = alphabet[Number(rest % 62n)] + text;
  return text;
}
