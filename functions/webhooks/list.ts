import * as z from 'zod';
import { defineEndpoint } from '../../lib/http/endpoint.ts';
import { listOf } from '../../lib/schema/common.ts';
import { defaultLimit, pageQuery } from '../../lib/schema/page.ts';
import { Webhook } from '../../lib/webhooks/schema.ts';
import { listWebhooks, showWebhook } from '../../lib/webhooks/store/webhooks.ts';

export default defineEndpoint({
  id: 'webhooks.list',
  method: 'GET',
  path: '/webhooks',
  summary: 'List webhooks',
  description:
    'Returns webhooks, newest first. A credential that is bound to projects gets only webhooks whose projects ' +
    'are among its own.',
  auth: 'webhooks:read',
  request: { query: z.strictObject(pageQuery) },
  responses: { 200: listOf(Webhook).meta({ id: 'WebhookList' }) },
  access: { webhooks: ['Query'] },

  async handle({ query, caller, store, nowMs, cursor }) {
    const list = { after: cursor.position(query.cursor), limit: query.limit ?? defaultLimit };
    const { items, next } = await listWebhooks(store, caller, list);
    return {
      status: 200,
      data: { items: items.map((webhook) => showWebhook(webhook, nowMs)), nextCursor: cursor.next(next) },
    };
  },
});
