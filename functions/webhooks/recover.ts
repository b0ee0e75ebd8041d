import * as z from 'zod';
import { invalidField } from '../../lib/base/errors.ts';
import { timestamp } from '../../lib/base/time.ts';
import { defineEndpoint, fail } from '../../lib/http/endpoint.ts';
import { id, pastTime } from '../../lib/schema/common.ts';
import { Webhook } from '../../lib/webhooks/schema/webhook.ts';
import { noteRecovery, showWebhook, webhookAndHealthInPath } from '../../lib/webhooks/store/webhooks.ts';

export default defineEndpoint({
  id: 'webhooks.recover',
  method: 'POST',
  path: '/webhooks/{webhook_id}/recover',
  summary: 'Recover missed events of a webhook',
  description:
    'Sends again all failed deliveries of events since a time, and the events that were not sent because the ' +
    'webhook was disabled. The recovery runs in the background: `recovery` of the webhook shows when it has ' +
    'finished. Events are kept for 30 days.',
  auth: 'webhooks:write',
  environments: 'refused',
  loads: { state: webhookAndHealthInPath },
  request: {
    params: z.strictObject({ webhook_id: id('webhook') }),
    body: z.strictObject({
      since: pastTime().meta({
        description: 'Events at this time or later are sent again.',
        example: '2026-03-01T09:30:00Z',
      }),
    }),
  },
  causes: ['webhook.updated'],
  responses: { 202: Webhook },
  errors: ['webhook_disabled'],
  access: { webhooks: ['UpdateItem'] },

  async handle({ loaded: { state }, body, store, nowMs }) {
    const { webhook, health } = state;
    if (webhook.disabled) return fail('webhook_disabled');
    if (body.since > nowMs) throw invalidField('since', 'must not be in the future');
    const recovery = {
      since: timestamp(body.since),
      requestedAt: timestamp(nowMs),
      finishedAt: null,
      deliveries: 0,
    };
    return {
      status: 202,
      data: showWebhook({ ...webhook, recovery }, health, nowMs),
      writes: [noteRecovery(store, webhook, recovery)],
    };
  },
});
