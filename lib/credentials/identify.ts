/** Which kind of credential a bearer token is. */

import { ApiError } from '../errors.ts';
import type { CredentialKind, Identified } from './kind.ts';

/**
 * @param kinds the kinds of credential that are accepted
 * @throws ApiError unauthorized where it is of no kind, or shows that it is not valid
 */
export function identify(
  kinds: readonly CredentialKind[],
  token: string,
  nowMs: number,
): Promise<Identified> | Identified {
  const kind = kinds.find(({ accepts }) => accepts(token));
  if (!kind) throw new ApiError('unauthorized', 'Invalid API key prefix');
  return kind.identify(token, nowMs);
}
