import { ApiKey } from '../../lib/api-keys/schema.ts';
import { callingApiKey, revokeApiKey, showApiKey } from '../../lib/api-keys/store.ts';
import { defineEndpoint, fail, optional } from '../../lib/http/endpoint.ts';
import { timestamp } from '../../lib/time.ts';

export default defineEndpoint({
  id: 'api-keys.revoke-me',
  method: 'DELETE',
  path: '/api-keys/me',
  summary: 'Revoke the calling API key',
  description:
    'Revokes the key in the Authorization header permanently. Requires no scope, so whoever finds a leaked ' +
    'key can disable it, even the last one. An access token gets 404.',
  auth: 'any',
  loads: { key: optional(callingApiKey) },
  responses: { 200: ApiKey },
  errors: ['not_found'],
  access: { apiKeys: ['UpdateItem'] },

  async handle({ loaded: { key }, store, nowMs }) {
    if (!key) return fail('not_found', 'The request uses an access token, so there is no API key to revoke.');
    const revokedAt = key.revokedAt ?? timestamp(nowMs);
    return {
      status: 200,
      data: showApiKey({ ...key, revokedAt }, nowMs),
      writes: [revokeApiKey(store, key, revokedAt)],
    };
  },
});
