/** What the form for a workload identity has, and the request that follows from it. */

import type { WorkloadIdentityCreateRequest } from '../../../../clients/typescript/src/index.ts';
import type { Scope } from '../../../../lib/base/scopes.ts';
import { endOf } from '../keys/grants.ts';

export type IdentityDraft = {
  name: string;
  issuer: string;
  subject: string;
  /** `name=value`, one in each line. */
  claims: string;
  scopes: readonly Scope[];
  /** A lifetime. Empty for none of its own. */
  expiresIn: string;
  /** Null for all that the credential has. */
  projectIds: readonly string[] | null;
};

export const emptyDraft: IdentityDraft = {
  name: '',
  issuer: '',
  subject: '',
  claims: '',
  scopes: [],
  expiresIn: '',
  projectIds: null,
};

/** The issuers of public CI services. */
export const knownIssuers = [
  'https://token.actions.githubusercontent.com',
  'https://gitlab.com',
  'https://agent.buildkite.com',
] as const;

/** @returns the claims, whose values are texts; a line that has no `=`, or the name of an earlier line, is an error */
export function claimsOf(text: string): { claims: Record<string, string> } | { error: string } {
  const claims = new Map<string, string>();
  for (const line of text.split('\n').map((one) => one.trim())) {
    if (line === '') continue;
    const at = line.indexOf('=');
    const name = line.slice(0, Math.max(at, 0)).trim();
    if (name === '') return { error: `“${line.slice(0, 60)}” is not name=value.` };
    if (claims.has(name)) return { error: `“${name.slice(0, 60)}” is there twice.` };
    claims.set(name, line.slice(at + 1).trim());
  }
  return { claims: Object.fromEntries(claims) };
}

export function creation(
  { name, issuer, subject, scopes, expiresIn, projectIds }: IdentityDraft,
  claims: Record<string, string>,
  nowMs: number,
): WorkloadIdentityCreateRequest {
  const expiresAt = endOf(expiresIn, nowMs);
  return {
    name,
    issuer: issuer.trim(),
    subject: subject.trim(),
    claims,
    scopes: [...scopes],
    ...(expiresAt && { expiresAt }),
    ...(projectIds && { projectIds: [...projectIds] }),
  };
}
