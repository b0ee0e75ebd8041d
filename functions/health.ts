import * as z from 'zod';
import { isTransient } from '../lib/dynamodb/transient.ts';
import { defineEndpoint, fail } from '../lib/http/endpoint.ts';

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
        status: z.literal('ok').meta({ description: 'Whether the service responds.' }),
        version: z.string().meta({ description: 'The version of the service.', example: '0.1.0' }),
        commit: z.string().meta({
          description:
            'The git commit that was deployed, with `-dirty` if files differed from it. `unknown` if there was no git.',
          example: '4cd1a73b0e12',
        }),
        database: z.literal('ok').meta({ description: 'Whether the database responds.' }),
      })
      .meta({ id: 'HealthStatus', description: 'The state of the service.' }),
  },
  errors: ['service_unavailable'],
  access: { apiKeys: ['GetItem'] },

  async handle({ store, version, commit }) {
    try {
      await store.get('apiKeys', 'health');
    } catch (error) {
      if (isTransient(error)) return fail('service_unavailable', 'The database does not respond.');
      throw error;
    }
    return { status: 200, data: { status: 'ok', version, commit, database: 'ok' } };
  },
});
