/** What an Idempotency-Key stands for. */

import { hash } from 'node:crypto';

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

/**
 * JSON with the members of every object in one order (by UTF-16 code units, as RFC 8785 has it).
 * @param value what JSON.parse returned, no deeper than the endpoint's schema let through
 */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, member]) => `${JSON.stringify(key)}:${canonicalJson(member)}`);
  return `{${members.join(',')}}`;
}
