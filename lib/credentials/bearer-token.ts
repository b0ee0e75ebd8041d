/**
 * @param values of the header Authorization, as sent
 * @returns the token (RFC 6750 section 2.1), or undefined unless there is exactly one. The scheme's case does not
 *   matter (RFC 9110 section 11.1)
 */
export function parseBearerToken(values: readonly string[]): string | undefined {
  return values.length === 1 ? /^bearer +(\S+)$/i.exec(values[0]?.trim() ?? '')?.[1] : undefined;
}
