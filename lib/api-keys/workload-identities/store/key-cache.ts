/**
 * The item of an identity has the keys of its issuer, for all functions. Reading keys does not change the identity, so these
 * updates add no stamp. Pure.
 */

import type { UpdateParameters } from '../../../dynamodb/session.ts';
import type { PublicJwk, StoredIdentity } from './stored.ts';

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
