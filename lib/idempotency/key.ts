/** In a quoted string, only a quote and a backslash are escaped (RFC 8941 section 3.3.3). */
const quotedString = /^"((?:[^"\\]|\\["\\])*)"$/;
const printableAscii = /^[\x20-\x7e]{1,255}$/;

/**
 * @param values the header's values, as sent
 * @returns the key: the content of a quoted string, otherwise the value; undefined if it is missing or invalid
 */
export function parseIdempotencyKey(values: readonly string[]): string | undefined {
  if (values.length !== 1) return undefined;
  const value = values[0]?.trim() ?? '';
  const quoted = quotedString.exec(value);
  const key = quoted ? (quoted[1] ?? '').replace(/\\(["\\])/g, '$1') : value;
  return printableAscii.test(key) ? key : undefined;
}
