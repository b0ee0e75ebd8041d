/**
 * The restrictions of a key or an identity: its optional attributes, and the limits that it inherits from the keys above it (its
 * creator, the creator of that key, and so on). A key stores the inherited limits, so that a request counts in all of them without
 * reading those keys. Lists of limits begin with the topmost key. Pure.
 */

import type { KeyLimit, RateLimit } from '../base/rate-limit.ts';
import type { Credential } from './store/credentials.ts';

/** Null removes an attribute, undefined does not change it. */
export type Restrictions = {
  allowedCidrs: string[] | null | undefined;
  rateLimit: RateLimit | null | undefined;
};

type RestrictedCredential = Pick<Credential, 'allowedCidrs' | 'rateLimit' | 'limitedBy'>;

/** @returns the key or the identity after a change */
export function changedCredential<Kind extends RestrictedCredential, Change extends object>(
  { allowedCidrs: cidrsBefore, rateLimit: limitBefore, limitedBy, ...rest }: Kind,
  change: Change,
  { allowedCidrs = cidrsBefore ?? null, rateLimit = limitBefore ?? null }: Restrictions,
) {
  const restrictions: RestrictedCredential = {
    ...(allowedCidrs && { allowedCidrs }),
    ...(rateLimit && { rateLimit }),
    ...(limitedBy && { limitedBy: inheritedLimits(limitedBy, rateLimit) }),
  };
  return { ...rest, ...change, ...restrictions };
}

const names = ['allowedCidrs', 'rateLimit'] as const;

export function restrictionUpdate({ limitedBy }: RestrictedCredential, restrictions: Restrictions) {
  const { allowedCidrs, rateLimit } = restrictions;
  return {
    set: {
      ...(allowedCidrs && { allowedCidrs }),
      ...(rateLimit && { rateLimit }),
      ...(rateLimit && limitedBy && { limitedBy: inheritedLimits(limitedBy, rateLimit) }),
    },
    drop: names.filter((name) => restrictions[name] === null),
  };
}

/** A request of a key counts in at most so many limits: that of the key, and those of the keys above it. */
export const maxLimits = 4;

type Limited = {
  id: string;
  rateLimit?: RateLimit | null | undefined;
  limitedBy?: readonly KeyLimit[] | undefined;
};

/** @returns the limits of the keys that this key creates, at most `maxLimits` */
export const limitsBelow = ({ id, rateLimit, limitedBy = [] }: Limited): readonly KeyLimit[] =>
  rateLimit ? [...limitedBy, { keyId: id, rateLimit }] : limitedBy;

/**
 * If limits are added to keys above, there may be too many. Then the limits of the topmost keys stay. So adding limits to keys
 * below never removes a limit from above.
 * @param above `limitsBelow` of the creator
 * @returns the limits that a key with this limit stores
 */
export const inheritedLimits = (
  above: readonly KeyLimit[],
  rateLimit: RateLimit | null | undefined,
): readonly KeyLimit[] => above.slice(0, rateLimit ? maxLimits - 1 : maxLimits);
