import { ApiKey } from '../../lib/api-keys/schema.ts';
import { getApiKey, showApiKey } from '../../lib/api-keys/store.ts';
import { defineEndpoint, fail } from '../../lib/http/endpoint.ts';

export default defineEndpoint({
  id: 'api-keys.me',
  method: 'GET',
  path: '/api-keys/me',
  summary: 'Get the calling API key',
  description:
    'What the key in the Authorization header is and may do. Needs no scope. An access token is no key: 404.',
  auth: 'any',
  responses: { 200: ApiKey },
  errors: ['not_found'],
  access: { apiKeys: ['GetItem'] },

  async handle({ caller, store, nowMs }) {
    if (caller.changedIn === null) {
      return fail('not_found', 'You call with an access token: there is no API key to show.');
    }
    const key = await getApiKey(store, caller.id, nowMs);
    return key ? { status: 200, data: showApiKey(key, nowMs) } : fail('not_found');
  },
});
