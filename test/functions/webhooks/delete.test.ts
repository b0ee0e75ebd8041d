import { describe, expect } from 'vitest';
import { openApi, storedOf } from '../../../samples/api.ts';
import { webhookBody } from '../../../samples/samples.ts';
import { responds } from '../../support/responses.ts';

describe('webhooks.delete', () => {
  responds(200, 'and removes the secret', async () => {
    const api = await openApi();
    const { data } = await api.call('POST', '/webhooks', { body: webhookBody });
    const response = await api.call('DELETE', `/webhooks/${data.id}`);
    expect((await api.call('GET', `/webhooks/${data.id}`)).status).toBe(404);
    const left = (await storedOf(api, 'webhooks')).map(({ tenant }) => `${tenant}`.split('#')[2]);
    expect(left.sort()).toEqual(['count', 'deleted', 'gone']);
    return response;
  });
});
