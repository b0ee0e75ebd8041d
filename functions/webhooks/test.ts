import * as z from 'zod';
import { timestamp } from '../../lib/base/time.ts';
import { defineEndpoint, fail } from '../../lib/http/endpoint.ts';
import { id } from '../../lib/schema/common.ts';
import { newDelivery, putTestDelivery } from '../../lib/webhooks/fan-out.ts';
import { Delivery } from '../../lib/webhooks/schema/delivery.ts';
import { Webhook } from '../../lib/webhooks/schema/webhook.ts';
import { testType } from '../../lib/webhooks/store/deliveries.ts';
import { showWebhook, webhookAndHealthInPath } from '../../lib/webhooks/store/webhooks.ts';

export default defineEndpoint({
  id: 'webhooks.test',
  method: 'POST',
  path: '/webhooks/{webhook_id}/test',
  summary: 'Test a webhook',
  description:
    'Sends an event `webhook.test` only to this webhook, with any `eventTypes`. The `data` of the event is the ' +
    'webhook. The list of deliveries shows the response of the receiver.',
  auth: 'webhooks:write',
  environments: 'refused',
  loads: { state: webhookAndHealthInPath },
  request: { params: z.strictObject({ webhook_id: id('webhook') }) },
  causes: { nothing: 'A delivery is no resource.' },
  responses: { 202: Delivery },
  errors: ['webhook_disabled'],
  access: { deliveries: ['PutItem'] },

  async handle({ loaded: { state }, store, nowMs, newId }) {
    const { webhook, health } = state;
    if (webhook.disabled) return fail('webhook_disabled');
    const now = timestamp(nowMs);
    const data = Webhook.parse(showWebhook(webhook, health, nowMs));
    const event = { id: newId('event'), type: testType, timestamp: now, projectId: null, data };
    const delivery = newDelivery(newId('delivery'), event, now);
    return { status: 202, data: delivery, writes: putTestDelivery(store, webhook.id, delivery, event) };
  },
});
