import * as z from 'zod';
import { ApiKey } from '../../lib/api-keys/schema.ts';
import { apiKeyInPath, revokeApiKey, showApiKey } from '../../lib/api-keys/store.ts';
import { defineEndpoint } from '../../lib/http/endpoint.ts';
import { id } from '../../lib/schema/common.ts';
import { timestamp } from '../../lib/time.ts';

export default defineEndpoint({
  id: 'api-keys.revoke',
  method: 'DELETE',
  path: '/api-keys/{key_id}',
  summary: 'Revoke an API key',
  description:
    'Revokes the key permanently. Every request that starts after this response is refused. Revoking a ' +
    'revoked key changes nothing. A key may revoke itself.',
  auth: 'api-keys:write',
  loads: { key: apiKeyInPath },
  request: { params: z.strictObject({ key_id: id('apiKey') }) },
  responses: { 200: ApiKey },
  access: { apiKeys: ['UpdateItem'] },

  async handle({ loaded: { key }, store, nowMs }) {
    if (key.revokedAt !== null) return { status: 200, data: showApiKey(key, nowMs) };
    const revokedAt = timestamp(nowMs);
    return {
      status: 200,
      data: showApiKey({ ...key, revokedAt }, nowMs),
      writes: [revokeApiKey(store, key, revokedAt)],
    };
  },
});
