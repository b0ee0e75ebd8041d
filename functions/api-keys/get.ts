import * as z from 'zod';
import { defineEndpoint, fail } from '../../lib/endpoint.ts';
import { ApiKey } from '../../lib/models/api-key.ts';
import { id } from '../../lib/models/common.ts';
import { getVisibleApiKey, showApiKey } from '../../lib/store/api-keys.ts';

export default defineEndpoint({
  id: 'api-keys.get',
  method: 'GET',
  path: '/api-keys/{key_id}',
  summary: 'Get an API key',
  description: 'Without its secret. A revoked or expired key can be read for 30 days more.',
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
