/** What the signed-in credential may do with keys. The service decides: a page only does not offer a request that would be refused. */

import type { ApiKey, Me } from '../../../../clients/typescript/src/index.ts';
import { isWithin, type KeyLimit, type RateLimit } from '../../../../lib/base/rate-limit.ts';
import { missingScopes, namedScopes } from '../../../../lib/base/scopes.ts';
import { dayMs, hourMs } from '../../../../lib/base/time.ts';

type Caller = Pick<Me, 'id' | 'scopes' | 'projectIds' | 'environments' | 'expiresAt'>;

const lacks = (
  { scopes, environments }: Pick<Caller, 'scopes' | 'environments'>,
  key: Pick<ApiKey, 'scopes' | 'environments'>,
): string | undefined => {
  const missing = missingScopes(scopes, key.scopes);
  if (missing.length > 0) return `This key has ${namedScopes(missing)}, which your credential does not have.`;
  const reachesNoMore =
    environments === null || key.environments?.every((name) => environments.includes(name));
  return reachesNoMore ? undefined : 'This key has environments that your credential does not have.';
};

/** @returns why the credential may not revoke the key, or undefined if it may */
export const whyNotRevoke = (
  me: Caller,
  key: Pick<ApiKey, 'id' | 'scopes' | 'environments'>,
): string | undefined => (key.id === me.id ? undefined : lacks(me, key));

/**
 * @param callerKey the key that is signed in; undefined for an access token
 * @returns why the credential may not rotate or extend the key, or undefined if it may
 */
export function whyNotRotate(
  me: Caller,
  callerKey: Pick<ApiKey, 'rateLimit' | 'allowedCidrs'> | undefined,
  key: Pick<
    ApiKey,
    'id' | 'scopes' | 'environments' | 'projectIds' | 'expiresAt' | 'rateLimit' | 'allowedCidrs'
  >,
): string | undefined {
  if (key.id === me.id) return undefined;
  const missing = lacks(me, key);
  if (missing) return missing;
  const { projectIds } = me;
  if (projectIds && !key.projectIds?.every((id) => projectIds.includes(id)))
    return 'This key has projects that your credential does not have.';
  if (me.expiresAt !== null && (key.expiresAt ?? '9999') > me.expiresAt)
    return 'This key is valid for longer than your credential.';
  if (!isWithin(key.rateLimit, callerKey?.rateLimit ?? null))
    return 'This key has a higher limit of requests than your credential.';
  if (callerKey?.allowedCidrs && !key.allowedCidrs)
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
export const grantableLifetimes = ({ expiresAt }: Pick<Caller, 'expiresAt'>, nowMs: number) =>
  lifetimes.filter(([, , ms]) => expiresAt === null || nowMs + ms <= Date.parse(expiresAt));

/** @param value the value of a lifetime @returns the end of the lifetime; undefined for another value */
export const endOf = (value: string, nowMs: number): string | undefined => {
  const ms = lifetimes.find(([one]) => one === value)?.[2];
  return ms === undefined ? undefined : new Date(nowMs + ms).toISOString();
};

/** @returns the limits that apply to every key that the credential creates, the lowest key last */
export const limitsAbove = (
  me: Pick<Caller, 'id'>,
  callerLimit: RateLimit | null | undefined,
  parents: readonly KeyLimit[],
): readonly KeyLimit[] => (callerLimit ? [...parents, { keyId: me.id, rateLimit: callerLimit }] : parents);

/** A request counts in at most this many limits of keys. */
export const maxLimits = 4;
