/** What the signed-in credential may do with keys. The service decides; this only keeps a page from offering what would be refused. */

import type { ApiKey, Me } from '../../../../clients/typescript/src/index.ts';
import { isWithin, type KeyLimit, type RateLimit } from '../../../../lib/base/rate-limit.ts';
import { missingScopes, namedScopes } from '../../../../lib/base/scopes.ts';
import { dayMs, hourMs } from '../../../../lib/base/time.ts';

type Held = Pick<Me, 'id' | 'scopes' | 'projectIds' | 'expiresAt'>;

const lacks = ({ scopes }: Pick<Held, 'scopes'>, key: Pick<ApiKey, 'scopes'>): string | undefined => {
  const missing = missingScopes(scopes, key.scopes);
  return missing.length === 0
    ? undefined
    : `This key has ${namedScopes(missing)}, which your credential does not have.`;
};

/** @returns why the credential may not revoke the key, or undefined if it may */
export const whyNotRevoke = (me: Held, key: Pick<ApiKey, 'id' | 'scopes'>): string | undefined =>
  key.id === me.id ? undefined : lacks(me, key);

/**
 * @param own the key that is signed in; undefined for an access token
 * @returns why the credential may not rotate or extend the key, or undefined if it may
 */
export function whyNotRotate(
  me: Held,
  own: Pick<ApiKey, 'rateLimit' | 'allowedCidrs'> | undefined,
  key: Pick<ApiKey, 'id' | 'scopes' | 'projectIds' | 'expiresAt' | 'rateLimit' | 'allowedCidrs'>,
): string | undefined {
  if (key.id === me.id) return undefined;
  const missing = lacks(me, key);
  if (missing) return missing;
  const { projectIds } = me;
  if (projectIds && !key.projectIds?.every((id) => projectIds.includes(id)))
    return 'This key has projects that your credential does not have.';
  if (me.expiresAt !== null && (key.expiresAt ?? '9999') > me.expiresAt)
    return 'This key is valid for longer than your credential.';
  if (!isWithin(key.rateLimit, own?.rateLimit ?? null))
    return 'This key has a higher limit of requests than your credential.';
  if (own?.allowedCidrs && !key.allowedCidrs)
    return 'This key may be used from more addresses than your credential.';
  return undefined;
}

const lifetimes: readonly (readonly [value: string, label: string, ms: number])[] = [
  ['1h', 'an hour', hourMs],
  ['1d', 'a day', dayMs],
  ['7d', 'a week', 7 * dayMs],
  ['30d', '30 days', 30 * dayMs],
  ['90d', '90 days', 90 * dayMs],
  ['180d', '180 days', 180 * dayMs],
  ['365d', 'a year', 365 * dayMs],
];

/** @returns the lifetimes that the credential may grant, as a value of the API and a label */
export const grantableLifetimes = ({ expiresAt }: Pick<Held, 'expiresAt'>, nowMs: number) =>
  lifetimes.filter(([, , ms]) => expiresAt === null || nowMs + ms <= Date.parse(expiresAt));

/** @param value of one of the lifetimes @returns when it ends, or undefined without a value */
export const endOf = (value: string, nowMs: number): string | undefined => {
  const ms = lifetimes.find(([one]) => one === value)?.[2];
  return ms === undefined ? undefined : new Date(nowMs + ms).toISOString();
};

/** @returns the limits that apply to every key that the credential creates, the lowest key last */
export const limitsAbove = (
  me: Pick<Held, 'id'>,
  own: RateLimit | null | undefined,
  parents: readonly KeyLimit[],
): readonly KeyLimit[] => (own ? [...parents, { keyId: me.id, rateLimit: own }] : parents);

/** A request counts in at most this many limits of keys. */
export const maxLimits = 4;
