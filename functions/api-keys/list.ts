import * as z from 'zod';
import { showApiKey } from '../../lib/api-keys/key.ts';
import { ApiKey, apiKeyStatus } from '../../lib/api-keys/schema.ts';
import { endOf, listCredentials } from '../../lib/api-keys/store/credentials.ts';
import { apiKeys } from '../../lib/api-keys/store.ts';
import { defineEndpoint } from '../../lib/http/endpoint.ts';
import { credentialId, listOf } from '../../lib/schema/common.ts';
import { defaultLimit, pageQuery, rangeBefore } from '../../lib/schema/query.ts';

export default defineEndpoint({
  id: 'api-keys.list',
  method: 'GET',
  path: '/api-keys',
  summary: 'List API keys',
  description:
    'Returns keys, newest first, including keys that were revoked or expired in the last 30 days. A ' +
    'credential that is bound to projects gets only keys that are bound to the same projects or to some ' +
    'of them.\n\nWith a selective filter, a page may have fewer than `limit` items, or no items. Continue ' +
    'until `nextCursor` is null.',
  auth: 'api-keys:read',
  request: {
    query: z.strictObject({
      ...pageQuery,
      expiresBefore: rangeBefore('keys that expire'),
      createdBy: credentialId().optional().meta({
        description:
          'Only keys that this key or this workload identity created. Those that they created are not among them.',
      }),
      status: apiKeyStatus.optional().meta({ description: 'Only keys with this status.' }),
    }),
  },
  responses: { 200: listOf(ApiKey).meta({ id: 'ApiKeyList' }) },
  access: { apiKeys: ['Query'] },

  async handle({ query, caller, store, nowMs, cursor }) {
    const list = {
      createdBy: query.createdBy,
      status: query.status,
      expiresBeforeMs: query.expiresBefore,
      after: cursor.position(query.cursor),
      limit: query.limit ?? defaultLimit,
    };
    const keys = { kind: 'apiKey', items: apiKeys.at(store), statusOf: endOf } as const;
    const page = await listCredentials(keys, { caller, nowMs }, list);
    return {
      status: 200,
      data: {
        items: page.items.map((key) => showApiKey(key, nowMs)),
        nextCursor: cursor.next(page.next),
      },
    };
  },
});
