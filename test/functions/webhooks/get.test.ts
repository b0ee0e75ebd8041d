import { describe, expect } from 'vitest';
import { hourMs, secondMs, timestamp } from '../../../lib/base/time.ts';
import { openApi } from '../../../samples/api.ts';
import { webhookBody } from '../../../samples/samples.ts';
import { refuses, responds } from '../../support/responses.ts';
import { changeStored } from '../../support/stored.ts';
import { answering, openReceiver, openWebhook } from '../../support/webhooks.ts';

describe('webhooks.get', () => {
  responds(200, 'with what is known of the receiver since the webhook was last enabled', async () => {
    await using receiver = await openReceiver();
    const { api, path, request, attempt } = await openWebhook(receiver.url);
    const get = () => api.call('GET', path);
    const health = async () => (await get()).data.health;
    const unknown = { status: 'unknown', failures: 0, failingSince: null, reason: null };
    expect(await health()).toEqual(unknown);

    receiver.respond(answering(500));
    const { id } = await request();
    // Under way, nothing is known either.
    expect(await health()).toEqual(unknown);
    const earliest = timestamp(api.runtime.nowMs());
    await attempt(id);
    const failing = (await health()) as { failingSince: string };
    expect(failing).toEqual({
      status: 'failing',
      failures: 1,
      failingSince: expect.any(String),
      reason: null,
    });
    expect(failing.failingSince >= earliest).toBe(true);
    api.advance(hourMs);
    await attempt((await request()).id);
    expect(await health()).toEqual({ ...failing, failures: 2 });

    // A disabled webhook keeps its health. An enabled one begins again.
    const disabled = await api.call('PATCH', path, { body: { disabled: true } });
    expect(disabled.data.health).toEqual({ ...failing, failures: 2 });
    api.advance(secondMs);
    const enabled = await api.call('PATCH', path, { body: { disabled: false } });
    expect([enabled.data.health, await health()]).toEqual([unknown, unknown]);

    receiver.respond(answering(200));
    await attempt((await request()).id);
    expect(await health()).toEqual({ status: 'healthy', failures: 0, failingSince: null, reason: null });
    return get();
  });

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

  responds(200, 'of an older version, with why no request can reach its URL', async () => {
    const api = await openApi();
    const { data } = await api.call('POST', '/webhooks', { body: webhookBody });
    const path = `/webhooks/${data.id}`;
    const shownFor = async (url: string) => {
      await changeStored(api, 'webhooks', `${data.id}`, 'url', url);
      return api.call('GET', path);
    };
    // A name server may have it.
    expect((await shownFor('https://*.example.com/')).data.health).toMatchObject({ reason: null });
    const response = await shownFor('https://a..b.example/hook');
    expect(response.data).toMatchObject({
      url: 'https://a..b.example/hook',
      health: { status: 'failing', failures: 0, failingSince: null, reason: { code: 'invalid_url' } },
    });
    const listed = async (failing: boolean) =>
      ((await api.call('GET', `/webhooks?failing=${failing}`)).data.items as unknown[]).length;
    expect([await listed(true), await listed(false)]).toEqual([1, 0]);
    // Its other fields can be changed, and it can be deleted.
    expect((await api.call('PATCH', path, { body: { description: 'Old.' } })).status).toBe(200);
    expect((await api.call('PATCH', path, { body: { url: 'https:example.com' } })).data).toMatchObject({
      url: 'https://example.com/',
      health: { status: 'unknown', reason: null },
    });
    return response;
  });
});
