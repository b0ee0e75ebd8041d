import * as z from 'zod';
import { isTransient } from '../lib/dynamodb/transient.ts';
import { defineEndpoint, fail } from '../lib/http/endpoint.ts';
import manifest from '../package.json' with { type: 'json' };

export default defineEndpoint({
  id: 'health',
  method: 'GET',
  path: '/health',
  summary: 'Check the service',
  description: 'Returns 200 if the service and its database respond, otherwise 503.',
  auth: 'public',
  responses: {
    200: z
      .object({
        status: z.literal('ok'),
        version: z.string().meta({ example: '0.1.0' }),
        database: z.literal('ok'),
      })
      .meta({ id: 'HealthStatus' }),
  },
  errors: ['service_unavailable'],
  access: { apiKeys: ['GetItem'] },

  async handle({ store }) {
    try {
      await store.get('apiKeys', 'health');
    } catch (error) {
      if (isTransient(error)) return fail('service_unavailable', 'The database does not respond.');
      throw error;
    }
    return { status: 200, data: { status: 'ok', version: manifest.version, database: 'ok' } };
  },
});
