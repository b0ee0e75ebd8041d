import { describe, expect } from 'vitest';
import { openApi } from '../../../samples/api.ts';
import { webhookBody } from '../../../samples/samples.ts';
import { refuses, responds } from '../../support/responses.ts';

describe('webhooks.test', () => {
  responds(202, 'with a delivery that is pending, and not an event that others can see', async () => {
    const { call } = await openApi();
    const { data } = await call('POST', '/webhooks', { body: webhookBody });
    const response = await call('POST', `/webhooks/${data.id}/test`);
    expect(response.data).toMatchObject({ eventType: 'webhook.test', status: 'pending', attempts: [] });
    const list = await call('GET', `/webhooks/${data.id}/deliveries`);
    expect(list.data.items).toEqual([response.data]);
    expect((await call('GET', '/events')).data.items).toEqual([]);
    return response;
  });

  refuses('webhook_disabled', 'a disabled webhook', async () => {
    const { call } = await openApi();
    const { data } = await call('POST', '/webhooks', { body: webhookBody });
    await call('PATCH', `/webhooks/${data.id}`, { body: { disabled: true } });
    return call('POST', `/webhooks/${data.id}/test`);
  });
});
