import * as z from 'zod';
import { defineEndpoint } from '../../lib/http/endpoint.ts';
import { id } from '../../lib/schema/common.ts';
import { Webhook } from '../../lib/webhooks/schema/webhook.ts';
import { deleteWebhook, showWebhook, webhookAndHealthInPath } from '../../lib/webhooks/store/webhooks.ts';

export default defineEndpoint({
  id: 'webhooks.delete',
  method: 'DELETE',
  path: '/webhooks/{webhook_id}',
  summary: 'Delete a webhook',
  description:
    'Deletes the webhook and its secret. A request that is already under way may still reach the receiver.',
  auth: 'webhooks:write',
  environments: 'refused',
  loads: { state: webhookAndHealthInPath },
  request: { params: z.strictObject({ webhook_id: id('webhook') }) },
  causes: ['webhook.deleted'],
  responses: { 200: Webhook },
  access: { webhooks: ['PutItem', 'UpdateItem', 'DeleteItem'] },

  async handle({ loaded: { state }, store, nowMs }) {
    const { webhook, health } = state;
    return {
      status: 200,
      data: showWebhook(webhook, health, nowMs),
      writes: deleteWebhook(store, webhook, nowMs),
    };
  },
});
