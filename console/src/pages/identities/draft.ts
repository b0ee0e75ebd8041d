/** The content of the form for a workload identity, and its requests. */

import type {
  ErrorDetail,
  WorkloadIdentity,
  WorkloadIdentityCreateRequest,
  WorkloadIdentityUpdateRequest,
} from '../../../../clients/typescript/src/index.ts';
import { isEqual, isObject } from '../../shared/difference.ts';
import {
  blocksOf,
  environmentsOf,
  type KeyDraft,
  emptyDraft as keyDraft,
  limitOf,
  reachOf,
} from '../keys/draft.ts';
import { endOf } from '../keys/grants.ts';

export type IdentityDraft = KeyDraft & {
  issuer: string;
  subject: string;
  /** The claims as `name=value`, one in each line. */
  claims: string;
  /** A lifetime, or `never`; empty for the expiry of the signed-in credential, or for no change. */
  expiresIn: string;
  /** The public keys as JSON; empty for the keys that the issuer publishes. */
  jwks: string;
};

export const emptyDraft: IdentityDraft = {
  ...keyDraft,
  issuer: '',
  subject: '',
  claims: '',
  expiresIn: '',
  jwks: '',
};

export const draftOf = (identity: WorkloadIdentity): IdentityDraft => ({
  name: identity.name,
  issuer: identity.issuer,
  subject: identity.subject,
  claims: Object.entries(identity.claims)
    .map(([name, value]) => `${name}=${value}`)
    .join('\n'),
  scopes: identity.scopes,
  expiresIn: '',
  projectIds: identity.projectIds,
  environments: identity.environments?.join(' ') ?? '',
  ...reachOf(identity),
  jwks: identity.jwks ? JSON.stringify(identity.jwks, null, 2) : '',
});

/** The issuers of public CI services. */
export const publicIssuers = [
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
    if (name === '') return { error: `“${line.slice(0, 60)}” is not name=value` };
    if (claims.has(name)) return { error: `“${name.slice(0, 60)}” is there twice` };
    claims.set(name, line.slice(at + 1).trim());
  }
  return { claims: Object.fromEntries(claims) };
}

type Jwks = NonNullable<WorkloadIdentityCreateRequest['jwks']>;

/** @returns the public keys; null without a text. The API says what is wrong with an object that is no set of keys */
function jwksOf(text: string): { jwks: Jwks | null } | { error: string } {
  if (text.trim() === '') return { jwks: null };
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? { jwks: value as Jwks } : { error: 'must be an object: { "keys": [ … ] }' };
  } catch {
    return { error: 'is no JSON' };
  }
}

/** @returns the problems of texts that cannot be sent */
export function problemsOf({ claims, jwks }: Pick<IdentityDraft, 'claims' | 'jwks'>): ErrorDetail[] {
  const results = { claims: claimsOf(claims), jwks: jwksOf(jwks) };
  return Object.entries(results).flatMap(([path, result]) =>
    'error' in result ? [{ path, message: result.error }] : [],
  );
}

const trustOf = ({ issuer, subject, claims, jwks }: IdentityDraft) => {
  const claimResult = claimsOf(claims);
  const keyResult = jwksOf(jwks);
  return {
    issuer: issuer.trim(),
    subject: subject.trim(),
    claims: 'claims' in claimResult ? claimResult.claims : {},
    jwks: 'jwks' in keyResult ? keyResult.jwks : null,
  };
};

/** @param draft a draft without problems */
export function creation(draft: IdentityDraft, nowMs: number): WorkloadIdentityCreateRequest {
  const { name, scopes, projectIds } = draft;
  const { jwks, ...trust } = trustOf(draft);
  const expiresAt = endOf(draft.expiresIn, nowMs);
  const environments = environmentsOf(draft);
  const allowedCidrs = blocksOf(draft);
  const rateLimit = limitOf(draft);
  return {
    name,
    ...trust,
    scopes: [...scopes],
    ...(expiresAt && { expiresAt }),
    ...(projectIds && { projectIds: [...projectIds] }),
    ...(environments && { environments }),
    ...(allowedCidrs && { allowedCidrs }),
    ...(rateLimit && { rateLimit }),
    ...(jwks && { jwks }),
  };
}

/**
 * @param draft a draft without problems
 * @returns only the fields that change; undefined if no field changes
 */
export function change(
  identity: WorkloadIdentity,
  draft: IdentityDraft,
  nowMs: number,
): WorkloadIdentityUpdateRequest | undefined {
  const fieldsOf = (content: IdentityDraft) => ({
    name: content.name,
    ...trustOf(content),
    scopes: [...content.scopes].sort(),
    allowedCidrs: blocksOf(content),
    rateLimit: limitOf(content),
  });
  // A claim may contain a line end, so the stored claims are compared as the form shows them.
  const before: Readonly<Record<string, unknown>> = fieldsOf(draftOf(identity));
  const changedFields = Object.entries(fieldsOf(draft)).filter(
    ([name, value]) => !isEqual(value, before[name]),
  );
  const expiresAt = draft.expiresIn === 'never' ? null : endOf(draft.expiresIn, nowMs);
  const request = { ...Object.fromEntries(changedFields), ...(expiresAt !== undefined && { expiresAt }) };
  return Object.keys(request).length > 0 ? request : undefined;
}
