import { hash } from 'node:crypto';
import { canonicalJson } from '../base/canonical-json.ts';

/**
 * @param projectIds the bound projects, so that a key for some projects never gets the replay of a key for more
 * @returns a hash of method, path and parsed body. The order of fields and white space do not matter
 */
export const fingerprint = (
  method: string,
  path: string,
  body: unknown,
  projectIds: readonly string[] | null,
): string =>
  hash('sha256', canonicalJson([method, path, body ?? null, projectIds?.toSorted() ?? null]), 'base64url');
