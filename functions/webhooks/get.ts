import * as z from 'zod';
import { defineEndpoint } from '../../lib/http/endpoint.ts';
import { id } from '../../lib/schema/common.ts';
import { Webhook } from '../../lib/webhooks/schema/webhook.ts';
import { showWebhook, webhookAndHealthInPath } from '../../lib/webhooks/store/webhooks.ts';

export default defineEndpoint({
  id: 'webhooks.get',
  method: 'GET',
  path: '/webhooks/{webhook_id}',
  summary: 'Get a webhook',
  description: 'Returns the webhook without its secret.',
  auth: 'webhooks:read',
  environments: 'refused',
  loads: { state: webhookAndHealthInPath },
  request: { params: z.strictObject({ webhook_id: id('webhook') }) },
  responses: { 200: Webhook },

  async handle({ loaded: { state }, nowMs }) {
    const { webhook, health } = state;
    return { status: 200, data: showWebhook(webhook, health, nowMs) };
  },
});
