import { describe, expect } from 'vitest';
import { refuses, responds } from '../../../support/responses.ts';
import { openReceiver, openWebhook } from '../../../support/webhooks.ts';

describe('webhooks.deliveries.redeliver', () => {
  responds(202, 'and the same event is sent again', async () => {
    const receiver = await openReceiver();
    const { api, path, request, attempt, delivery } = await openWebhook(receiver.url);
    const { id, eventId } = await request();
    await attempt(id);
    const response = await api.call('POST', `${path}/deliveries/${id}/redeliver`);
    expect(response.data).toMatchObject({ id, status: 'pending', attempts: [{ status: 200 }] });
    await attempt(id);
    expect(receiver.received.map(({ headers }) => headers['webhook-id'])).toEqual([eventId, eventId]);
    expect(receiver.received[1]?.body).toBe(receiver.received[0]?.body);
    expect(await delivery(id)).toMatchObject({
      status: 'succeeded',
      attempts: [{ status: 200 }, { status: 200 }],
    });
    await receiver.close();
    return response;
  });

  refuses('webhook_disabled', 'a delivery of a disabled webhook', async () => {
    const { api, path, request } = await openWebhook('http://127.0.0.1:1/');
    const { id } = await request();
    await api.call('PATCH', path, { body: { disabled: true } });
    return api.call('POST', `${path}/deliveries/${id}/redeliver`);
  });

  refuses('not_found', 'a delivery of another webhook', async () => {
    const { api, request } = await openWebhook('http://127.0.0.1:1/');
    const { id } = await request();
    const body = { url: 'http://127.0.0.1:1/', eventTypes: ['*'] };
    const { data } = await api.call('POST', '/webhooks', { body });
    return api.call('POST', `/webhooks/${data.id}/deliveries/${id}/redeliver`);
  });
});
