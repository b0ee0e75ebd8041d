/** The optional attributes with which a key or an identity is restricted. Pure. */

import type { RateLimit } from '../base/rate-limit.ts';
import { inheritedLimits } from './limits.ts';
import type { Credential } from './store/credentials.ts';

/** Null removes an attribute, undefined does not change it. */
export type Restrictions = {
  allowedCidrs: string[] | null | undefined;
  rateLimit: RateLimit | null | undefined;
};

type Restricted = Pick<Credential, 'allowedCidrs' | 'rateLimit' | 'limitedBy'>;

/** @returns the attributes after the change */
export function restrictionsAfter(
  before: Restricted,
  { allowedCidrs = before.allowedCidrs ?? null, rateLimit = before.rateLimit ?? null }: Restrictions,
): Restricted {
  const { limitedBy } = before;
  return {
    ...(allowedCidrs && { allowedCidrs }),
    ...(rateLimit && { rateLimit }),
    ...(limitedBy && { limitedBy: inheritedLimits(limitedBy, rateLimit) }),
  };
}

const names = ['allowedCidrs', 'rateLimit'] as const;

/** @returns the attributes to set and those to remove */
export function restrictionUpdate({ limitedBy }: Restricted, restrictions: Restrictions) {
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
