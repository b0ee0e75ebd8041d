import { describe, expect, test } from 'vitest';
import { type Json, openApi, storedOf } from '../../../samples/api.ts';
import { webhookBody, webhookScopes } from '../../../samples/samples.ts';
import { refuses, responds } from '../../support/responses.ts';

async function open(given: object = {}) {
  const api = await openApi();
  const { data } = await api.call('POST', '/webhooks', { body: { ...webhookBody, ...given } });
  return { ...api, api, webhook: data, path: `/webhooks/${data.id}` };
}

describe('webhooks.update', () => {
  responds(200, 'with the fields of the body replaced', async () => {
    const { call, createProject, path, webhook } = await open();
    const body = {
      url: 'https://example.org/',
      eventTypes: ['*'],
      projectIds: [await createProject()],
      include: ['messages'],
      description: 'new',
    };
    const response = await call('PATCH', path, { body });
    const { secret: _, updatedAt: __, ...rest } = webhook;
    expect(response.data).toMatchObject({ ...rest, ...body });
    expect((await call('GET', path)).data).toEqual(response.data);
    return response;
  });

  responds(200, 'and stores its URL in normal form', async () => {
    const { api, call, path, webhook } = await open();
    const response = await call('PATCH', path, { body: { url: 'https:Acme.example' } });
    const stored = (await storedOf(api, 'webhooks')).filter(({ id, url }) => id === webhook.id && url);
    expect(stored).toMatchObject([{ url: 'https://acme.example/' }]);
    return response;
  });

  responds(200, 'disabled, and enabled again', async () => {
    const { call, path } = await open();
    const disabled = await call('PATCH', path, { body: { disabled: true } });
    expect(disabled.data).toMatchObject({ disabled: true, disabledReason: 'requested' });
    const again = await call('PATCH', path, { body: { disabled: true, description: 'off' } });
    expect(again.data).toMatchObject({ disabled: true, disabledReason: 'requested' });
    const response = await call('PATCH', path, { body: { disabled: false } });
    expect(response.data).toMatchObject({ disabled: false, disabledReason: null });
    return response;
  });

  responds(
    200,
    'and remembers who has set the URL and the content, each if the request sets it',
    async () => {
      const { call, createKey, path, webhook } = await open();
      const setters = ({ data }: { data: Json }) => [data.urlSetBy, data.contentSetBy, data.secretSetBy];
      const { createdBy } = webhook;
      const { id, secret: key } = await createKey({ scopes: webhookScopes });
      const described = await call('PATCH', path, { key, body: { description: 'new', disabled: true } });
      expect(setters(described)).toEqual([createdBy, createdBy, createdBy]);
      const enabled = await call('PATCH', path, { key, body: { disabled: false } });
      expect(setters(enabled)).toEqual([createdBy, createdBy, createdBy]);
      const moved = await call('PATCH', path, { key, body: { url: 'https://example.org/' } });
      expect(setters(moved)).toEqual([id, createdBy, createdBy]);
      const response = await call('PATCH', path, { key, body: { include: [] } });
      expect(setters(response)).toEqual([id, id, createdBy]);
      expect(response.data.createdBy).toBe(createdBy);
      expect((await call('GET', path)).data).toEqual(response.data);
      return response;
    },
  );

  refuses('insufficient_scope', 'another URL for messages, by a key that may not read them', async () => {
    const { call, createKey, path } = await open({ include: ['messages'] });
    const { secret: key } = await createKey({ scopes: ['webhooks:write'] });
    const response = await call('PATCH', path, { key, body: { url: 'https://example.org/' } });
    // Its deliveries with messages could be sent again to the new URL.
    const without = await call('PATCH', path, { key, body: { url: 'https://example.org/', include: [] } });
    expect(without.error.code).toBe('insufficient_scope');
    const with_ = await call('PATCH', path, { key, body: { include: ['messages'] } });
    expect(with_.error.code).toBe('insufficient_scope');
    return response;
  });

  refuses('insufficient_scope', 'projects to which a bound key is not bound', async () => {
    const { call, createKey, createProject } = await openApi();
    const [own, other] = [await createProject(), await createProject()];
    const { secret: key } = await createKey({ scopes: webhookScopes, projectIds: [own] });
    const { data } = await call('POST', '/webhooks', { key, body: webhookBody });
    const path = `/webhooks/${data.id}`;
    const all = await call('PATCH', path, { key, body: { projectIds: null } });
    expect(all.error.code).toBe('insufficient_scope');
    return call('PATCH', path, { key, body: { projectIds: [other] } });
  });

  refuses('not_found', 'a project that does not exist', async () => {
    const { call, path } = await open();
    return call('PATCH', path, { body: { projectIds: ['proj_01JZ4Y7Q8R5T2V9W3X6B0C1D4E'] } });
  });

  test('400 validation_error: a private address', async () => {
    const { call, path } = await open();
    const { error } = await call('PATCH', path, { body: { url: 'https://10.0.0.1/' } });
    const details = [{ path: 'url', message: 'must not be an address of a private network' }];
    expect(error).toMatchObject({ code: 'validation_error', details });
  });

  test.each([
    ['redirects it', { eventTypes: ['webhook.*'], url: 'https://evil.example/' }],
    ['only narrows it', { eventTypes: ['webhook.*'] }],
    ['empties its projects', { projectIds: null }],
  ])('403 for a key that may not read what it sends and %s', async (_, body) => {
    const { call, createKey, path } = await open({ eventTypes: ['avatar.*'] });
    const { secret: key } = await createKey({ scopes: ['webhooks:write'] });
    const { status, error } = await call('PATCH', path, { key, body });
    expect([status, error.message]).toEqual([403, expect.stringContaining('avatars:read')]);
  });
});
