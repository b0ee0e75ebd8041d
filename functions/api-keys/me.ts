import { ApiKey } from '../../lib/api-keys/schema.ts';
import { getApiKey, showApiKey } from '../../lib/api-keys/store.ts';
import { defineEndpoint, fail } from '../../lib/http/endpoint.ts';

export default defineEndpoint({
  id: 'api-keys.me',
  method: 'GET',
  path: '/api-keys/me',
  summary: 'Get the calling API key',
  description: 'Returns the key in the Authorization header. Requires no scope. An access token gets 404.',
  auth: 'any',
  responses: { 200: ApiKey },
  errors: ['not_found'],
  access: { apiKeys: ['GetItem'] },

  async handle({ caller, store, nowMs }) {
    if (caller.changedIn === null) {
      return fail('not_found', 'The request uses an access token, so there is no API key to return.');
    }
    const key = await getApiKey(store, caller.id, nowMs);
    return key ? { status: 200, data: showApiKey(key, nowMs) } : fail('not_found');
  },
});
