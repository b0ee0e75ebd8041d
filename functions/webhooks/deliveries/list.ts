import * as z from 'zod';
import { defineEndpoint } from '../../../lib/http/endpoint.ts';
import { id, listOf } from '../../../lib/schema/common.ts';
import { defaultLimit, pageQuery } from '../../../lib/schema/query.ts';
import { showDelivery } from '../../../lib/webhooks/rules/grants.ts';
import { Delivery, deliveryStatus } from '../../../lib/webhooks/schema/delivery.ts';
import { listDeliveries } from '../../../lib/webhooks/store/deliveries.ts';
import { webhookInPath } from '../../../lib/webhooks/store/webhooks.ts';

export default defineEndpoint({
  id: 'webhooks.deliveries.list',
  method: 'GET',
  path: '/webhooks/{webhook_id}/deliveries',
  summary: "List a webhook's deliveries",
  description:
    'Returns the deliveries of 30 days, with their attempts, newest event first. The responses of the receiver ' +
    '(`body`) need the scope that reads the event, because a receiver may return the event. For a webhook with ' +
    'messages, they also need `conversations:read`.\n\nWith a selective filter, a page may have fewer than ' +
    '`limit` items, or no items. Continue until `nextCursor` is null.',
  auth: 'webhooks:read',
  environments: 'refused',
  loads: { webhook: webhookInPath },
  request: {
    params: z.strictObject({ webhook_id: id('webhook') }),
    query: z.strictObject({
      ...pageQuery,
      status: deliveryStatus.optional().meta({ description: 'Only deliveries with this status.' }),
    }),
  },
  responses: { 200: listOf(Delivery).meta({ id: 'DeliveryList' }) },
  access: { deliveries: ['Query'] },

  async handle({ loaded: { webhook }, query, caller, store, nowMs, cursor }) {
    const list = {
      status: query.status,
      after: cursor.position(query.cursor),
      limit: query.limit ?? defaultLimit,
    };
    const { items, next } = await listDeliveries(store, webhook, list, nowMs);
    const deliveries = items.map((delivery) => showDelivery(caller, webhook, delivery));
    return { status: 200, data: { items: deliveries, nextCursor: cursor.next(next) } };
  },
});
