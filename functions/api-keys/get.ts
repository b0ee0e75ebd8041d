import * as z from 'zod';
import { ApiKey } from '../../lib/api-keys/schema.ts';
import { getVisibleApiKey, showApiKey } from '../../lib/api-keys/store.ts';
import { defineEndpoint, fail } from '../../lib/http/endpoint.ts';
import { id } from '../../lib/schema/common.ts';

export default defineEndpoint({
  id: 'api-keys.get',
  method: 'GET',
  path: '/api-keys/{key_id}',
  summary: 'Get an API key',
  description: 'Returns the key without its secret. A revoked or expired key is returned for 30 more days.',
  auth: 'api-keys:read',
  request: { params: z.strictObject({ key_id: id('apiKey') }) },
  responses: { 200: ApiKey },
  errors: ['not_found'],
  access: { apiKeys: ['GetItem'] },

  async handle({ params, caller, store, nowMs }) {
    const key = await getVisibleApiKey(store, caller, params.key_id, nowMs);
    if (!key) return fail('not_found');
    return { status: 200, data: showApiKey(key, nowMs) };
  },
});
