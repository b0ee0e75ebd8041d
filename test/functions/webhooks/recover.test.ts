import { describe, expect, test } from 'vitest';
import { openApi } from '../../../samples/api.ts';
import { webhookBody } from '../../../samples/samples.ts';
import { refuses, responds } from '../../support/responses.ts';

const body = { since: '2026-03-01T09:30:00Z' };

describe('webhooks.recover', () => {
  responds(202, 'and shows the request at the webhook', async () => {
    const { call } = await openApi();
    const { data } = await call('POST', '/webhooks', { body: webhookBody });
    const response = await call('POST', `/webhooks/${data.id}/recover`, { body });
    expect(response.data.recovery).toMatchObject({
      since: '2026-03-01T09:30:00.000Z',
      finishedAt: null,
      deliveries: 0,
    });
    expect((await call('GET', `/webhooks/${data.id}`)).data).toEqual(response.data);
    return response;
  });

  refuses('webhook_disabled', 'a disabled webhook', async () => {
    const { call } = await openApi();
    const { data } = await call('POST', '/webhooks', { body: webhookBody });
    await call('PATCH', `/webhooks/${data.id}`, { body: { disabled: true } });
    return call('POST', `/webhooks/${data.id}/recover`, { body });
  });

  test('400 validation_error: a time in the future', async () => {
    const { call } = await openApi();
    const { data } = await call('POST', '/webhooks', { body: webhookBody });
    const { error } = await call('POST', `/webhooks/${data.id}/recover`, {
      body: { since: '2999-01-01T00:00:00Z' },
    });
    expect(error).toMatchObject({ details: [{ path: 'since', message: 'must not be in the future' }] });
  });
});
