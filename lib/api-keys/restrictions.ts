/** The optional attributes restrict a key or an identity. Pure. */

import type { RateLimit } from '../base/rate-limit.ts';
import { inheritedLimits } from './limits.ts';
import type { Credential } from './store/credentials.ts';

/** Null removes an attribute, undefined does not change it. */
export type Restrictions = {
  allowedCidrs: string[] | null | undefined;
  rateLimit: RateLimit | null | undefined;
};

type RestrictedCredential = Pick<Credential, 'allowedCidrs' | 'rateLimit' | 'limitedBy'>;

export function restrictionsAfter(
  before: RestrictedCredential,
  { allowedCidrs = before.allowedCidrs ?? null, rateLimit = before.rateLimit ?? null }: Restrictions,
): RestrictedCredential {
  const { limitedBy } = before;
  return {
    ...(allowedCidrs && { allowedCidrs }),
    ...(rateLimit && { rateLimit }),
    ...(limitedBy && { limitedBy: inheritedLimits(limitedBy, rateLimit) }),
  };
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
