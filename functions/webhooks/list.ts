import * as z from 'zod';
import { defineEndpoint } from '../../lib/http/endpoint.ts';
import { flag, listOf } from '../../lib/schema/common.ts';
import { defaultLimit, pageQuery } from '../../lib/schema/query.ts';
import { text } from '../../lib/schema/text.ts';
import { Webhook } from '../../lib/webhooks/schema/webhook.ts';
import { listWebhooks, showWebhook } from '../../lib/webhooks/store/webhooks.ts';

const credential = text(300).min(1, 'must not be empty');

export default defineEndpoint({
  id: 'webhooks.list',
  method: 'GET',
  path: '/webhooks',
  summary: 'List webhooks',
  description:
    'Returns webhooks, newest first. A credential that is bound to projects gets only webhooks whose projects are ' +
    'all among its own projects.\n\nWith a selective filter, a page may have fewer than `limit` items, or no items. ' +
    'Continue until `nextCursor` is null.',
  auth: 'webhooks:read',
  environments: 'refused',
  request: {
    query: z.strictObject({
      ...pageQuery,
      createdBy: credential.optional().meta({
        description:
          'The id of an API key or of a workload identity, or `sub:` and the subject of an access token. Only webhooks that ' +
          'this credential created, or whose URL, content or secret it was the last to set.',
        example: 'key_01JZ4Y7Q8R5T2V9W3X6B0C1D4E',
      }),
      failing: flag().meta({
        description:
          '`true` lists only webhooks whose last attempt has failed, and webhooks that were disabled because of their ' +
          'receiver (`failing`, `gone`). `false` lists only all other webhooks.',
      }),
    }),
  },
  responses: { 200: listOf(Webhook).meta({ id: 'WebhookList' }) },
  access: { webhooks: ['Query'], deliveries: ['Query'] },

  async handle({ query, caller, store, nowMs, cursor }) {
    const list = {
      createdBy: query.createdBy,
      failing: query.failing === undefined ? undefined : query.failing === 'true',
      after: cursor.position(query.cursor),
      limit: query.limit ?? defaultLimit,
    };
    const { items, next } = await listWebhooks(store, caller, list);
    return {
      status: 200,
      data: {
        items: items.map(({ webhook, health }) => showWebhook(webhook, health, nowMs)),
        nextCursor: cursor.next(next),
      },
    };
  },
});
