import { ApiError } from '../base/errors.ts';
import type { CredentialKind, Identified } from './kind.ts';

/**
 * @param kinds the accepted kinds of credential
 * @throws ApiError unauthorized if the token matches no kind, or is clearly invalid
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
