import { defineEndpoint, fail } from '../../lib/endpoint.ts';
import { ApiKey } from '../../lib/models/api-key.ts';
import { getApiKey, showApiKey } from '../../lib/store/api-keys.ts';

export default defineEndpoint({
  id: 'api-keys.me',
  method: 'GET',
  path: '/api-keys/me',
  summary: 'Get the calling API key',
  description: 'What the key in the Authorization header is and may do. Needs no scope.',
  auth: 'any',
  responses: { 200: ApiKey },
  errors: ['not_found'],
  access: { apiKeys: ['GetItem'] },

  async handle({ caller, store, nowMs }) {
    const key = await getApiKey(store, caller.id, nowMs);
    return key ? { status: 200, data: showApiKey(key, nowMs) } : fail('not_found');
  },
});
