import { showApiKey } from '../../lib/api-keys/key.ts';
import { RevokedApiKey } from '../../lib/api-keys/schema.ts';
import { revoke } from '../../lib/api-keys/store/credentials.ts';
import { callingApiKey } from '../../lib/api-keys/store.ts';
import { timestamp } from '../../lib/base/time.ts';
import { defineEndpoint, fail, optional } from '../../lib/http/endpoint.ts';
import { countWebhooksOf } from '../../lib/webhooks/store/end-credential.ts';

export default defineEndpoint({
  id: 'api-keys.revoke-me',
  method: 'DELETE',
  path: '/api-keys/me',
  summary: 'Revoke the calling API key',
  description:
    'Revokes the key in the Authorization header permanently. Requires no scope, so anybody who finds a leaked ' +
    'key can disable it, even if it is the last key. Its webhooks stay on: `webhooks` counts them. A ' +
    'token gets 404.',
  auth: 'any',
  loads: { key: optional(callingApiKey) },
  causes: ['api_key.revoked'],
  responses: { 200: RevokedApiKey },
  errors: ['not_found'],
  access: { apiKeys: ['UpdateItem'], webhooks: ['Query'] },

  async handle({ loaded: { key }, caller, store, nowMs }) {
    if (!key) return fail('not_found', 'The request uses a token, so there is no API key to revoke.');
    const webhooks = await countWebhooksOf(store, caller, new Set([key.id]));
    const revokedAt = key.revokedAt ?? timestamp(nowMs);
    return {
      status: 200,
      data: {
        ...showApiKey({ ...key, revokedAt }, nowMs),
        webhooks,
        children: null,
        sources: null,
        evaluators: null,
        rollouts: null,
      },
      // Another request may have revoked the key since this request was authenticated.
      writes: key.revokedAt === null ? [revoke(store, key, revokedAt)] : [],
    };
  },
});
