/**
 * Every request with an API key reads the key and its organisation, in parallel and strongly consistent, so that a revoked key
 * and a suspended organisation are refused at once.
 */

import { isAllowedFrom } from '../api-keys/addresses.ts';
import { endOf, expiryMs, isUseDue, noteUse } from '../api-keys/store/credentials.ts';
import { getApiKey, type StoredApiKey, validPrevious } from '../api-keys/store.ts';
import { tenantOf } from '../base/caller.ts';
import { ApiError } from '../base/errors.ts';
import { bindStore } from '../dynamodb/store.ts';
import { getOrganisation } from '../organisations/store.ts';
import { hasApiKeyPrefix, matchingSecret, parseApiKey } from './api-key.ts';
import { type CredentialKind, requireActive, type Verified } from './kind.ts';

export const apiKeyCredential: CredentialKind = {
  accepts: hasApiKeyPrefix,

  identify(token) {
    const location = parseApiKey(token);
    if (!location) throw new ApiError('unauthorized', 'Malformed API key');
    const { organisationId, mode, keyId } = location;
    const tenant = tenantOf(organisationId, mode);

    return {
      tenant,
      keyId,
      async verify({ session, sourceAddress }, nowMs): Promise<Verified> {
        const [key, organisation] = await Promise.all([
          getApiKey(bindStore(session, tenant), keyId, nowMs),
          getOrganisation(session, organisationId),
        ]);
        const secret = matchingSecret(token, key ? secrets(key, nowMs) : []);
        // A key without an organisation has been brought back by a restore.
        if (!key || !organisation || !secret) {
          throw new ApiError('unauthorized', 'Unknown API key');
        }
        const allowedCidrs = key.allowedCidrs ?? null;
        // The error is the same as for an unknown key, so that a thief does not learn where the key works.
        if (!isAllowedFrom(allowedCidrs, sourceAddress)) {
          const refusal = { tenant, keyId, reason: 'address_not_allowed' } as const;
          throw new ApiError('unauthorized', 'Unknown API key', { refused: refusal });
        }
        const status = endOf(key, nowMs);
        if (status !== 'active') {
          const refusal = { tenant, keyId, reason: `key_${status}` } as const;
          throw new ApiError('unauthorized', `This API key is ${status}`, { refused: refusal });
        }
        return {
          caller: {
            id: key.id,
            principal: key.id,
            organisationId,
            organisationName: organisation.name,
            mode,
            tenant,
            scopes: key.scopes,
            projectIds: key.projectIds,
            environments: key.environments ?? null,
            allowedCidrs,
            rateLimit: key.rateLimit ?? null,
            limitedBy: key.limitedBy ?? [],
            expiresAtMs: secret.endMs,
            changedIn: key.changedIn,
            secretHash: secret.hash,
            ...requireActive(organisation),
          },
          ...(isUseDue(key, nowMs) && {
            background: noteUse(session, tenant, key.id, { nowMs, sourceAddress }),
          }),
        };
      },
    };
  },
};

/**
 * A previous secret ends before its key, if only by a millisecond. So a key that it creates never lives as long as this key,
 * and cannot rotate it.
 * @returns the valid secrets: the current secret, and after a rotation the previous secret. `endMs` is in epoch milliseconds;
 *   null for never
 */
function secrets(
  key: Pick<StoredApiKey, 'secretHash' | 'previousSecret' | 'expiresAt'>,
  nowMs: number,
): readonly { hash: string; endMs: number | null }[] {
  const keyEndMs = expiryMs(key);
  const current = { hash: key.secretHash, endMs: keyEndMs };
  const previous = validPrevious(key, nowMs);
  if (!previous) return [current];
  const endMs = Math.min(Date.parse(previous.expiresAt), (keyEndMs ?? Number.POSITIVE_INFINITY) - 1);
  return [current, { hash: previous.hash, endMs }];
}
