import * as z from 'zod';
import { timestamp } from '../../../lib/base/time.ts';
import { defineEndpoint, fail } from '../../../lib/http/endpoint.ts';
import { id } from '../../../lib/schema/common.ts';
import { showDelivery } from '../../../lib/webhooks/rules/grants.ts';
import { Delivery } from '../../../lib/webhooks/schema/delivery.ts';
import { again, deliveryInPath, requestAgain } from '../../../lib/webhooks/store/deliveries.ts';

export default defineEndpoint({
  id: 'webhooks.deliveries.redeliver',
  method: 'POST',
  path: '/webhooks/{webhook_id}/deliveries/{delivery_id}/redeliver',
  summary: 'Send a delivery again',
  description:
    'Sends the event again, with the same `webhook-id` and with new retries, in any status of the delivery. The ' +
    'event has its stored data. An erasure may have removed some of this data.',
  auth: 'webhooks:write',
  environments: 'refused',
  loads: { state: deliveryInPath },
  request: { params: z.strictObject({ webhook_id: id('webhook'), delivery_id: id('delivery') }) },
  causes: { nothing: 'A delivery is no resource.' },
  responses: { 202: Delivery },
  errors: ['webhook_disabled'],
  access: { deliveries: ['UpdateItem'] },

  async handle({ loaded: { state }, caller, store, nowMs }) {
    const { webhook, delivery } = state;
    if (webhook.disabled) return fail('webhook_disabled');
    const now = timestamp(nowMs);
    return {
      status: 202,
      data: showDelivery(caller, webhook, { ...delivery, ...again(delivery, now) }),
      writes: [requestAgain(store, delivery, webhook.id, now)],
    };
  },
});
