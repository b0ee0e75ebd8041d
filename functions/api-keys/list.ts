import * as z from 'zod';
import { ApiKey, apiKeyStatuses } from '../../lib/api-keys/schema.ts';
import { listApiKeys, showApiKey } from '../../lib/api-keys/store.ts';
import { defineEndpoint } from '../../lib/http/endpoint.ts';
import { listOf } from '../../lib/schema/common.ts';
import { defaultLimit, pageQuery } from '../../lib/schema/page.ts';

export default defineEndpoint({
  id: 'api-keys.list',
  method: 'GET',
  path: '/api-keys',
  summary: 'List API keys',
  description:
    'Newest first, revoked and expired ones of the last 30 days included. A credential that is bound to projects sees ' +
    'the keys that are bound to no others. Where a filter matches few of many, a page may hold fewer items than ' +
    '`limit`, or none: go on while `nextCursor` is not null.',
  auth: 'api-keys:read',
  request: {
    query: z.strictObject({
      ...pageQuery,
      status: z.enum(apiKeyStatuses).optional().meta({ description: 'Only keys of this status.' }),
    }),
  },
  responses: { 200: listOf(ApiKey).meta({ id: 'ApiKeyList' }) },
  access: { apiKeys: ['Query'] },

  async handle({ query, caller, store, nowMs, cursor }) {
    const list = {
      status: query.status,
      after: cursor.position(query.cursor),
      limit: query.limit ?? defaultLimit,
    };
    const page = await listApiKeys(store, caller, list, nowMs);
    return {
      status: 200,
      data: {
        items: page.items.map((key) => showApiKey(key, nowMs)),
        nextCursor: cursor.next(page.next),
      },
    };
  },
});
