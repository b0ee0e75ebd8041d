import { describe, expect, test } from 'vitest';
import { openApi, storedOf, toLoopback } from '../../../samples/api.ts';
import { webhookBody as body, webhookScopes } from '../../../samples/samples.ts';
import { refuses, responds } from '../../support/responses.ts';

describe('webhooks.create', () => {
  responds(201, 'with a secret that no list, get or table shows', async () => {
    const api = await openApi();
    const response = await api.call('POST', '/webhooks', { body });
    const { secret, ...webhook } = response.data;
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(webhook).toMatchObject({
      ...body,
      projectIds: null,
      include: [],
      description: null,
      disabled: false,
      disabledReason: null,
      previousSecretExpiresAt: null,
    });
    const { createdBy, urlSetBy, contentSetBy, secretSetBy } = webhook;
    const { id } = (await api.call('GET', '/api-keys/me')).data;
    expect([createdBy, urlSetBy, contentSetBy, secretSetBy]).toEqual([id, id, id, id]);
    expect((await api.call('GET', `/webhooks/${webhook.id}`)).data).toEqual(webhook);
    expect((await api.call('GET', '/webhooks')).data).toEqual({ items: [webhook], nextCursor: null });
    const stored = JSON.stringify(await storedOf(api, 'webhooks'));
    const bytes = Buffer.from(String(secret).slice(6), 'base64');
    expect(stored).not.toContain(String(secret).slice(6));
    expect(stored).not.toContain(bytes.toString('hex'));
    return response;
  });

  responds(201, 'and stores its URL in normal form', async () => {
    const api = await openApi();
    const response = await api.call('POST', '/webhooks', { body: { ...body, url: 'https:Acme.example' } });
    expect(response.data.url).toBe('https://acme.example/');
    const stored = (await storedOf(api, 'webhooks')).filter(({ id, url }) => id === response.data.id && url);
    expect(stored).toMatchObject([{ url: 'https://acme.example/' }]);
    return response;
  });

  responds(201, 'and replays the secret', async () => {
    const { call } = await openApi();
    const first = await call('POST', '/webhooks', { body, idempotencyKey: 'once' });
    const again = await call('POST', '/webhooks', { body, idempotencyKey: 'once' });
    expect(again.text).toBe(first.text);
    expect(((await call('GET', '/webhooks')).data.items as unknown[]).length).toBe(1);
    return again;
  });

  responds(201, 'for the projects of a bound key, unless others are named', async () => {
    const { call, createKey, createProject } = await openApi();
    const [one, other] = [await createProject(), await createProject()];
    const { secret: key } = await createKey({ scopes: webhookScopes, projectIds: [one, other] });
    const bound = await call('POST', '/webhooks', { key, body });
    expect(bound.data.projectIds).toEqual([one, other]);
    const response = await call('POST', '/webhooks', { key, body: { ...body, projectIds: [other] } });
    expect(response.data.projectIds).toEqual([other]);
    return response;
  });

  responds(201, 'with messages, by a key that may read conversations', async () => {
    const { call, createKey } = await openApi();
    const { secret: key } = await createKey({ scopes: webhookScopes });
    return call('POST', '/webhooks', { key, body: { ...body, include: ['messages'] } });
  });

  responds(201, 'that sends nothing until it is enabled', async () => {
    const { call } = await openApi();
    const response = await call('POST', '/webhooks', { body: { ...body, disabled: true } });
    expect(response.data).toMatchObject({ disabled: true, disabledReason: 'requested' });
    const { data } = await call('PATCH', `/webhooks/${response.data.id}`, { body: { disabled: false } });
    expect(data).toMatchObject({ disabled: false, disabledReason: null });
    return response;
  });

  responds(201, 'to this machine without TLS, in development', async () => {
    const { call } = await openApi(toLoopback);
    return call('POST', '/webhooks', { body: { ...body, url: 'http://localhost:8080/hook' } });
  });

  refuses('insufficient_scope', 'messages, by a key that may not read conversations', async () => {
    const { call, createKey } = await openApi();
    const { secret: key } = await createKey({ scopes: ['webhooks:write', 'projects:read'] });
    const about = { ...body, eventTypes: ['project.*'], include: ['messages'] };
    const response = await call('POST', '/webhooks', { key, body: about });
    expect(response.error.message).toBe(
      'This webhook requires the scope conversations:read, because its receiver gets the data of the events.',
    );
    return response;
  });

  refuses('insufficient_scope', 'all projects, or another one, by a bound key', async () => {
    const { call, createKey, createProject } = await openApi();
    const [own, other] = [await createProject(), await createProject()];
    const { secret: key } = await createKey({ scopes: webhookScopes, projectIds: [own] });
    const all = await call('POST', '/webhooks', { key, body: { ...body, projectIds: null } });
    expect(all.error.code).toBe('insufficient_scope');
    return call('POST', '/webhooks', { key, body: { ...body, projectIds: [own, other] } });
  });

  refuses('not_found', 'a project that does not exist', async () => {
    const { call } = await openApi();
    const projectIds = ['proj_01JZ4Y7Q8R5T2V9W3X6B0C1D4E'];
    return call('POST', '/webhooks', { body: { ...body, projectIds } });
  });

  refuses('too_many_webhooks', 'the 51st, also of two at the same time, until one is deleted', async () => {
    const { call } = await openApi();
    for (let count = 1; count <= 49; count += 1) await call('POST', '/webhooks', { body });
    const both = await Promise.all([1, 2].map(() => call('POST', '/webhooks', { body })));
    expect(both.map(({ status }) => status).sort()).toEqual([201, 409]);
    const { id } = both.find(({ status }) => status === 201)?.data ?? {};
    await call('DELETE', `/webhooks/${id}`);
    expect((await call('POST', '/webhooks', { body })).status).toBe(201);
    return call('POST', '/webhooks', { body });
  });

  refuses('secret_unavailable', 'a repetition with another credential, which gets the rest', async () => {
    const { call, createKey } = await openApi();
    const { secret: other } = await createKey({ scopes: webhookScopes });
    const request = { body, idempotencyKey: 'sealed' };
    const first = await call('POST', '/webhooks', request);
    const response = await call('POST', '/webhooks', { ...request, key: other });
    const { secret, ...rest } = first.data;
    expect(response.error.resource).toEqual(rest);
    expect(response.text).not.toContain(secret as string);
    return response;
  });

  test.each([
    ['url', 'https://169.254.169.254/latest', 'must not be an address of a private network'],
    ['url', 'http://localhost/', 'must start with https://'],
    ['url', 'http://example.com/', 'must start with https://'],
    ['eventTypes', [], 'must have at least one event type'],
    ['eventTypes', ['*', '*'], 'must not repeat an event type'],
  ])('400 validation_error: %s of %j', async (path, value, message) => {
    const { call } = await openApi();
    const invalid = { ...body, [path.split('.')[0] ?? '']: value };
    const { error } = await call('POST', '/webhooks', { body: invalid });
    expect(error).toMatchObject({ code: 'validation_error', details: [{ path, message }] });
  });

  test.each(['Project', 'job.done', 'jobs.*', 'job', 'webhook.test', '**'])(
    '400 validation_error: the event type %s, which does not exist',
    async (type) => {
      const { call } = await openApi();
      const { error } = await call('POST', '/webhooks', { body: { ...body, eventTypes: ['job.*', type] } });
      const message = `must be a type of events, or such as project.* or *: there is no ${type}`;
      expect(error).toMatchObject({
        code: 'validation_error',
        details: [{ path: 'eventTypes.1', message }],
      });
    },
  );
});
