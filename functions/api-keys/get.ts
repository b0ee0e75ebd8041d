import * as z from 'zod';
import { showApiKey } from '../../lib/api-keys/key.ts';
import { ApiKey } from '../../lib/api-keys/schema.ts';
import { apiKeyInPath } from '../../lib/api-keys/store.ts';
import { defineEndpoint } from '../../lib/http/endpoint.ts';
import { id } from '../../lib/schema/common.ts';

export default defineEndpoint({
  id: 'api-keys.get',
  method: 'GET',
  path: '/api-keys/{key_id}',
  summary: 'Get an API key',
  description: 'Returns the key without its secret. A revoked or expired key is returned for 30 more days.',
  auth: 'api-keys:read',
  loads: { key: apiKeyInPath },
  request: { params: z.strictObject({ key_id: id('apiKey') }) },
  responses: { 200: ApiKey },

  async handle({ loaded, nowMs }) {
    return { status: 200, data: showApiKey(loaded.key, nowMs) };
  },
});
