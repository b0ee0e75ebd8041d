import * as z from 'zod';
import { Webhook } from '../../lib/events/webhooks/schema/webhook.ts';
import { listWebhooks, showWebhook } from '../../lib/events/webhooks/store/webhooks.ts';
import { defineEndpoint } from '../../lib/http/endpoint.ts';
import { listOf } from '../../lib/schema/common.ts';
import { defaultLimit, pageQuery } from '../../lib/schema/page.ts';
import { text } from '../../lib/schema/text.ts';

const credential = text(300).min(1, 'must not be empty');

export default defineEndpoint({
  id: 'webhooks.list',
  method: 'GET',
  path: '/webhooks',
  summary: 'List webhooks',
  description:
    'Returns webhooks, newest first. A credential that is bound to projects gets only webhooks whose projects ' +
    'are among its own.\n\nWith a selective filter, a page may have fewer than `limit` items, or none. Continue ' +
    'until `nextCursor` is null.',
  auth: 'webhooks:read',
  request: {
    query: z.strictObject({
      ...pageQuery,
      createdBy: credential.optional().meta({
        description:
          'Only webhooks that this credential created, or whose URL, content or secret it set last: the id of an ' +
          'API key, or `sub:` and the subject of an access token.',
        example: 'key_01JZ4Y7Q8R5T2V9W3X6B0C1D4E',
      }),
    }),
  },
  responses: { 200: listOf(Webhook).meta({ id: 'WebhookList' }) },
  access: { webhooks: ['Query'] },

  async handle({ query, caller, store, nowMs, cursor }) {
    const list = {
      createdBy: query.createdBy,
      after: cursor.position(query.cursor),
      limit: query.limit ?? defaultLimit,
    };
    const { items, next } = await listWebhooks(store, caller, list);
    return {
      status: 200,
      data: { items: items.map((webhook) => showWebhook(webhook, nowMs)), nextCursor: cursor.next(next) },
    };
  },
});
