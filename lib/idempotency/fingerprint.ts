/** What an Idempotency-Key stands for. */

import { hash } from 'node:crypto';
import { canonicalJson } from '../canonical-json.ts';

/**
 * @param projectIds the projects that the caller is bound to: who sees less sends another request, and is not shown what
 *   one with wider eyes was answered
 * @returns a hash of method, path and the body's meaning: the order of members and white space do not count
 */
export const fingerprint = (
  method: string,
  path: string,
  body: unknown,
  projectIds: readonly string[] | null,
): string =>
  hash('sha256', canonicalJson([method, path, body ?? null, projectIds?.toSorted() ?? null]), 'base64url');
