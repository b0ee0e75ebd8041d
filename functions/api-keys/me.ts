import { showApiKey } from '../../lib/api-keys/key.ts';
import { ApiKey } from '../../lib/api-keys/schema.ts';
import { callingApiKey } from '../../lib/api-keys/store.ts';
import { defineEndpoint, fail, optional } from '../../lib/http/endpoint.ts';

export default defineEndpoint({
  id: 'api-keys.me',
  method: 'GET',
  path: '/api-keys/me',
  summary: 'Get the calling API key',
  description: 'Returns the key in the Authorization header. Requires no scope. A token gets 404.',
  auth: 'any',
  loads: { key: optional(callingApiKey) },
  responses: { 200: ApiKey },
  errors: ['not_found'],

  async handle({ loaded: { key }, nowMs }) {
    if (!key) return fail('not_found', 'The request uses a token, so there is no API key to return.');
    return { status: 200, data: showApiKey(key, nowMs) };
  },
});
