import { describe, expect } from 'vitest';
import { openApi } from '../../support/api.ts';
import { refuses, responds } from '../../support/responses.ts';
import { webhookBody } from '../../support/samples.ts';

describe('webhooks.get', () => {
  responds(200, 'to a key that is bound to its projects', async () => {
    const { call, createKey, createProject } = await openApi();
    const [one, other] = [await createProject(), await createProject()];
    const { data } = await call('POST', '/webhooks', { body: { ...webhookBody, projectIds: [one] } });
    const { secret: key } = await createKey({ scopes: ['webhooks:read'], projectIds: [one, other] });
    const response = await call('GET', `/webhooks/${data.id}`, { key });
    expect(response.data).not.toHaveProperty('secret');
    return response;
  });

  refuses('not_found', 'a webhook of other projects, or of all, for a bound key', async () => {
    const { call, createKey, createProject } = await openApi();
    const [one, other] = [await createProject(), await createProject()];
    const { secret: key } = await createKey({ scopes: ['webhooks:read'], projectIds: [one] });
    const { data: all } = await call('POST', '/webhooks', { body: webhookBody });
    const body = { ...webhookBody, projectIds: [one, other] };
    const { data: both } = await call('POST', '/webhooks', { body });
    expect((await call('GET', `/webhooks/${all.id}`, { key })).status).toBe(404);
    expect((await call('GET', '/webhooks', { key })).data.items).toEqual([]);
    return call('GET', `/webhooks/${both.id}`, { key });
  });
});
