/** What a form for a key has, and the request that follows from it. */

import type {
  ApiKey,
  ApiKeyCreateRequest,
  ApiKeyUpdateRequest,
} from '../../../../clients/typescript/src/index.ts';
import type { Period, RateLimit } from '../../../../lib/base/rate-limit.ts';
import type { Scope } from '../../../../lib/base/scopes.ts';

/** From which addresses a key is accepted, and how often. */
export type Reach = {
  /** Blocks of addresses, one in each line. Empty for everywhere. */
  addresses: string;
  /** A number. Empty for no limit. */
  requests: string;
  per: Period;
};

export type KeyDraft = Reach & {
  name: string;
  scopes: readonly Scope[];
  /** Empty for the default of a new key, or for no change. */
  expiresIn: string;
  /** Null for all that the credential has. */
  projectIds: readonly string[] | null;
};

export const emptyDraft: KeyDraft = {
  name: '',
  scopes: [],
  expiresIn: '30d',
  projectIds: null,
  addresses: '',
  requests: '',
  per: '1m',
};

export const draftOf = (key: ApiKey): KeyDraft => ({
  name: key.name,
  scopes: key.scopes,
  expiresIn: '',
  projectIds: key.projectIds,
  ...reachOf(key),
});

/** @returns the fields of what is stored */
export const reachOf = ({ allowedCidrs, rateLimit }: Pick<ApiKey, 'allowedCidrs' | 'rateLimit'>): Reach => ({
  addresses: (allowedCidrs ?? []).join('\n'),
  requests: String(rateLimit?.requests ?? ''),
  per: rateLimit?.per ?? '1m',
});

export const blocksOf = ({ addresses }: Reach): string[] | null => {
  const blocks = addresses.split(/[\s,]+/).filter(Boolean);
  return blocks.length > 0 ? blocks : null;
};

export const limitOf = ({ requests, per }: Reach): RateLimit | null =>
  requests === '' ? null : { requests: Number(requests), per };

export function creation(draft: KeyDraft): ApiKeyCreateRequest {
  const { name, scopes, expiresIn, projectIds } = draft;
  const allowedCidrs = blocksOf(draft);
  const rateLimit = limitOf(draft);
  return {
    name,
    scopes: [...scopes],
    ...(expiresIn && { expiresIn }),
    ...(projectIds && { projectIds: [...projectIds] }),
    ...(allowedCidrs && { allowedCidrs }),
    ...(rateLimit && { rateLimit }),
  };
}

/** @returns only the fields that change; undefined if none does */
export function change(key: ApiKey, draft: KeyDraft): ApiKeyUpdateRequest | undefined {
  const before = draftOf(key);
  const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other);
  const request = {
    ...(draft.name !== before.name && { name: draft.name }),
    ...(!isSame([...draft.scopes].sort(), [...before.scopes].sort()) && { scopes: [...draft.scopes] }),
    ...(draft.expiresIn && { expiresIn: draft.expiresIn }),
    ...(!isSame(blocksOf(draft), key.allowedCidrs) && { allowedCidrs: blocksOf(draft) }),
    ...(!isSame(limitOf(draft), key.rateLimit) && { rateLimit: limitOf(draft) }),
  };
  return Object.keys(request).length > 0 ? request : undefined;
}
