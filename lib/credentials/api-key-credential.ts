/** API keys as credentials: one strongly consistent read on every request, so that a revoked key is refused at once. */

import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { type Tenant, tenantOf } from '../caller.ts';
import { ApiError } from '../errors.ts';
import { apiKeyStatus, getApiKey, type StoredApiKey } from '../store/api-keys.ts';
import type { Session } from '../store/session.ts';
import { bindStore } from '../store/store.ts';
import { hourMs, timestamp } from '../time.ts';
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
          },
          ...(isDueForTouch(key, nowMs) && { aside: touch(session, tenant, key.id, nowMs) }),
        };
      },
    };
  },
};

const touchEveryMs = hourMs;

const isDueForTouch = ({ lastUsedAt }: StoredApiKey, nowMs: number) =>
  lastUsedAt === null || Date.parse(lastUsedAt) <= nowMs - touchEveryMs;

/** Notes the use, unless another request has. No stamp: using a key does not change it. */
async function touch(session: Session, tenant: Tenant, id: string, nowMs: number): Promise<void> {
  const command = new UpdateCommand({
    TableName: session.tableName('apiKeys'),
    Key: { tenant, id },
    UpdateExpression: 'SET lastUsedAt = :now',
    // Two timestamps of this form compare as text the way they compare as times. NULL is of another type.
    ConditionExpression: 'attribute_exists(id) AND (lastUsedAt <= :due OR attribute_type(lastUsedAt, :null))',
    ExpressionAttributeValues: {
      ':now': timestamp(nowMs),
      ':due': timestamp(nowMs - touchEveryMs),
      ':null': 'NULL',
    },
    ReturnConsumedCapacity: 'TOTAL',
  });
  try {
    await session.run([['apiKeys', 'UpdateItem']], (client) => client.send(command));
  } catch (error) {
    if (!(error instanceof ConditionalCheckFailedException)) throw error;
  }
}
