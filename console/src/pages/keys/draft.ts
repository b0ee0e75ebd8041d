/** What a form for a key has, and the request that follows from it. */

import type {
  ApiKey,
  ApiKeyCreateRequest,
  ApiKeyUpdateRequest,
} from '../../../../clients/typescript/src/index.ts';
import type { Period, RateLimit } from '../../../../lib/base/rate-limit.ts';
import type { Scope } from '../../../../lib/base/scopes.ts';

export type KeyDraft = {
  name: string;
  scopes: readonly Scope[];
  /** Empty for the default of a new key, or for no change. */
  expiresIn: string;
  /** Null for all that the credential has. */
  projectIds: readonly string[] | null;
  /** Blocks of addresses, one in each line. Empty for everywhere. */
  addresses: string;
  /** A number. Empty for no limit. */
  requests: string;
  per: Period;
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
  addresses: (key.allowedCidrs ?? []).join('\n'),
  requests: String(key.rateLimit?.requests ?? ''),
  per: key.rateLimit?.per ?? '1m',
});

const blocksOf = ({ addresses }: KeyDraft): string[] | null => {
  const blocks = addresses.split(/[\s,]+/).filter(Boolean);
  return blocks.length > 0 ? blocks : null;
};

const limitOf = ({ requests, per }: KeyDraft): RateLimit | null =>
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
