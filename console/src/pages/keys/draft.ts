/** The content of the form for a key, and its requests. */

import type {
  ApiKey,
  ApiKeyCreateRequest,
  ApiKeyUpdateRequest,
} from '../../../../clients/typescript/src/index.ts';
import type { Period, RateLimit } from '../../../../lib/base/rate-limit.ts';
import type { Scope } from '../../../../lib/base/scopes.ts';

/** From which addresses a key is accepted, and how often. */
export type Reach = {
  /** Blocks of addresses, one in each line; empty for every address. */
  addresses: string;
  /** The number of requests; empty for no limit. */
  requests: string;
  per: Period;
};

export type KeyDraft = Reach & {
  name: string;
  scopes: readonly Scope[];
  /** A lifetime; empty for the default of a new key, or for no change. */
  expiresIn: string;
  /** The ids of the projects; null for all projects of the signed-in credential. */
  projectIds: readonly string[] | null;
  /** The names of the environments, with spaces between them; empty for all environments of the signed-in credential. */
  environments: string;
};

export const emptyDraft: KeyDraft = {
  name: '',
  scopes: [],
  expiresIn: '30d',
  projectIds: null,
  environments: '',
  addresses: '',
  requests: '',
  per: '1m',
};

export const draftOf = (key: ApiKey): KeyDraft => ({
  name: key.name,
  scopes: key.scopes,
  expiresIn: '',
  projectIds: key.projectIds,
  environments: key.environments?.join(' ') ?? '',
  ...reachOf(key),
});

/** @returns the addresses and the limit of a stored credential */
export const reachOf = ({ allowedCidrs, rateLimit }: Pick<ApiKey, 'allowedCidrs' | 'rateLimit'>): Reach => ({
  addresses: (allowedCidrs ?? []).join('\n'),
  requests: String(rateLimit?.requests ?? ''),
  per: rateLimit?.per ?? '1m',
});

const wordsIn = (text: string): string[] | null => {
  const words = text.split(/[\s,]+/).filter(Boolean);
  return words.length > 0 ? words : null;
};

export const blocksOf = ({ addresses }: Reach): string[] | null => wordsIn(addresses);

/** @returns the names of the environments; null for all environments */
export const environmentsOf = ({ environments }: Pick<KeyDraft, 'environments'>): string[] | null =>
  wordsIn(environments);

export const limitOf = ({ requests, per }: Reach): RateLimit | null =>
  requests === '' ? null : { requests: Number(requests), per };

export function creation(draft: KeyDraft): ApiKeyCreateRequest {
  const { name, scopes, expiresIn, projectIds } = draft;
  const environments = environmentsOf(draft);
  const allowedCidrs = blocksOf(draft);
  const rateLimit = limitOf(draft);
  return {
    name,
    scopes: [...scopes],
    ...(expiresIn && { expiresIn }),
    ...(projectIds && { projectIds: [...projectIds] }),
    ...(environments && { environments }),
    ...(allowedCidrs && { allowedCidrs }),
    ...(rateLimit && { rateLimit }),
  };
}

/** @returns only the fields that change; undefined if no field changes */
export function change(key: ApiKey, draft: KeyDraft): ApiKeyUpdateRequest | undefined {
  const before = draftOf(key);
  const isSame = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b);
  const request = {
    ...(draft.name !== before.name && { name: draft.name }),
    ...(!isSame([...draft.scopes].sort(), [...before.scopes].sort()) && { scopes: [...draft.scopes] }),
    ...(draft.expiresIn && { expiresIn: draft.expiresIn }),
    ...(!isSame(blocksOf(draft), key.allowedCidrs) && { allowedCidrs: blocksOf(draft) }),
    ...(!isSame(limitOf(draft), key.rateLimit) && { rateLimit: limitOf(draft) }),
  };
  return Object.keys(request).length > 0 ? request : undefined;
}
