/** Which kind of credential a bearer token is. */

import { ApiError } from '../errors.ts';
import type { CredentialKind, Identified } from './kind.ts';

/**
 * @param kinds the kinds of credential that are accepted
 * @param authorization the header's values, as sent
 */
export function identify(
  kinds: readonly CredentialKind[],
  authorization: readonly string[],
  nowMs: number,
): { token: string; identified: Promise<Identified> | Identified } {
  const token = bearerToken(authorization);
  return { token, identified: identifyToken(kinds, token, nowMs) };
}

/** @throws ApiError unauthorized where it is of no kind, or shows that it is not valid */
export function identifyToken(
  kinds: readonly CredentialKind[],
  token: string,
  nowMs: number,
): Promise<Identified> | Identified {
  const kind = kinds.find(({ accepts }) => accepts(token));
  if (!kind) throw new ApiError('unauthorized', 'Invalid API key prefix');
  return kind.identify(token, nowMs);
}

/** RFC 6750 section 2.1; the scheme's case does not matter (RFC 9110 section 11.1). */
function bearerToken(values: readonly string[]): string {
  const match = values.length === 1 ? /^bearer +(\S+)$/i.exec(values[0]?.trim() ?? '') : null;
  if (!match?.[1]) throw new ApiError('unauthorized');
  return match[1];
}
