/**
 * The keys of an issuer are in the item of its identity, for all functions. This file has the updates of that item, and says when
 * the keys are read again. Reading keys does not change the identity, so the updates add no stamp. Pure.
 */

import { hourMs, minuteMs, secondMs } from '../../../base/time.ts';
import type { UpdateParameters } from '../../../dynamodb/session.ts';
import type { IssuerKeys, PublicJwk, StoredIdentity } from './stored.ts';

type CachedIn = Pick<StoredIdentity, 'tenant' | 'id' | 'jwksUri' | 'issuerKeys'>;

/** The issuer has not been changed since the item was read, and the last attempt is this one. */
const ConditionExpression = 'jwksUri = :uri AND issuerKeys.attemptedAt = :seen';

/**
 * Claims the next attempt to read the keys. Only one of the functions that saw the same item succeeds.
 * @param attemptedAt epoch milliseconds
 */
export const claimAttempt = (
  { tenant, id, jwksUri, issuerKeys }: CachedIn,
  attemptedAt: number,
): UpdateParameters => ({
  Key: { tenant, id },
  UpdateExpression: 'SET issuerKeys.attemptedAt = :now',
  ConditionExpression,
  ExpressionAttributeValues: { ':uri': jwksUri, ':seen': issuerKeys?.attemptedAt, ':now': attemptedAt },
});

/**
 * Stores the keys. The update fails if the issuer was changed meanwhile, or a later attempt was made.
 * @param attemptedAt the time of the claim
 */
export const keepKeys = (
  { tenant, id, jwksUri }: CachedIn,
  keys: readonly PublicJwk[],
  attemptedAt: number,
): UpdateParameters => ({
  Key: { tenant, id },
  UpdateExpression: 'SET issuerKeys.#keys = :keys, issuerKeys.fetchedAt = :seen',
  ConditionExpression,
  ExpressionAttributeNames: { '#keys': 'keys' },
  ExpressionAttributeValues: { ':uri': jwksUri, ':seen': attemptedAt, ':keys': keys },
});

/** A key that the issuer withdraws is refused after this time, if the issuer responds. */
export const freshMs = 10 * minuteMs;
/** If the issuer does not respond, the key is refused after this time. */
export const usableMs = hourMs;
/** The keys are not read again for this time, for an unknown key or after a failure. */
export const attemptEveryMs = minuteMs;
/** The time in which an attempt ends. After it, the attempt has failed: its function may have crashed. */
export const attemptMs = 4 * secondMs;

/**
 * What a function does with a token, by the keys and the times in the item. All functions share them, so they read the keys as
 * rarely as one function would.
 */
export type KeysPlan =
  /** The key is known. */
  | { kind: 'use' }
  /** The function claims the attempt and reads the keys. If this fails, it uses the key of the item, if there is one. */
  | { kind: 'read'; otherwise: 'use' | 'unavailable' }
  /** Another function is reading the keys. */
  | { kind: 'wait' }
  /** The issuer does not publish such a key. */
  | { kind: 'unknown' }
  /** The issuer did not respond. The next attempt may be made after this time. */
  | { kind: 'unavailable'; retryAfterMs: number };

/** @param isKnown whether the cache has the key of the token */
export function keysPlan(
  { fetchedAt, attemptedAt }: Pick<IssuerKeys, 'fetchedAt' | 'attemptedAt'>,
  isKnown: boolean,
  nowMs: number,
): KeysPlan {
  const isUsable = isKnown && nowMs - fetchedAt < usableMs;
  if (isKnown && nowMs - fetchedAt < freshMs) return { kind: 'use' };
  const sinceAttemptMs = nowMs - attemptedAt;
  if (sinceAttemptMs >= attemptEveryMs) return { kind: 'read', otherwise: isUsable ? 'use' : 'unavailable' };
  if (isUsable) return { kind: 'use' };
  // An attempt that succeeds stores its own time as the time of the keys.
  if (fetchedAt === attemptedAt) return { kind: 'unknown' };
  if (sinceAttemptMs < attemptMs) return { kind: 'wait' };
  return { kind: 'unavailable', retryAfterMs: attemptEveryMs - sinceAttemptMs };
}
