/** API keys as credentials: one strongly consistent read on every request, so that a revoked key is refused at once. */

import { apiKeyStatus, getApiKey, isUseDue, noteUse } from '../api-keys/store.ts';
import { tenantOf } from '../caller.ts';
import { bindStore } from '../dynamodb/store.ts';
import { ApiError } from '../errors.ts';
import { hasApiKeyPrefix, matchesHash, parseApiKey } from './api-key.ts';
import type { CredentialKind, Verified } from './kind.ts';

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
      async verify(session, nowMs): Promise<Verified> {
        const key = await getApiKey(bindStore(session, tenant), keyId, nowMs);
        if (!key || !matchesHash(token, key.secretHash)) {
          throw new ApiError('unauthorized', 'Unknown API key');
        }
        const status = apiKeyStatus(key, nowMs);
        if (status !== 'active') throw new ApiError('unauthorized', `This API key is ${status}`);
        return {
          caller: {
            id: key.id,
            organisationId,
            mode,
            tenant,
            scopes: key.scopes,
            projectIds: key.projectIds,
            expiresAtMs: key.expiresAt === null ? null : Date.parse(key.expiresAt),
            changedIn: key.changedIn,
          },
          ...(isUseDue(key, nowMs) && { background: noteUse(session, tenant, key.id, nowMs) }),
        };
      },
    };
  },
};
