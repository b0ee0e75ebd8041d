import { describe, expect, test, vi } from 'vitest';
import { rootScopes } from '../../../lib/base/scopes.ts';
import { dayMs } from '../../../lib/base/time.ts';
import { openApi } from '../../../samples/api.ts';
import { webhookBody, webhookScopes } from '../../../samples/samples.ts';
import keyRevoker from '../../../workers/key-revoker.ts';
import { refuses, responds } from '../../support/responses.ts';
import { openRollouts } from '../../support/started-rollouts.ts';
import { follow } from '../../support/workers.ts';

describe('api-keys.revoke', () => {
  responds(200, 'with the revoked key, which works no longer', async () => {
    const { call, createKey } = await openApi();
    const { id, secret } = await createKey();
    const response = await call('DELETE', `/api-keys/${id}`);
    expect(response.data).toMatchObject({ id, status: 'revoked', revokedAt: expect.any(String) });
    const refused = await call('GET', '/projects', { key: secret });
    expect([refused.status, refused.error.message]).toEqual([401, 'This API key is revoked']);
    return response;
  });

  responds(200, 'again with the same, revokedAt unchanged', async () => {
    const { call, createKey, advance } = await openApi();
    const { id } = await createKey();
    const first = await call('DELETE', `/api-keys/${id}`);
    advance(dayMs);
    const response = await call('DELETE', `/api-keys/${id}`);
    expect(response.data).toEqual(first.data);
    return response;
  });

  responds(200, 'to the key itself', async () => {
    const { call, createKey } = await openApi();
    const { id, secret } = await createKey({ scopes: ['api-keys:write'] });
    const response = await call('DELETE', `/api-keys/${id}`, { key: secret });
    expect((await call('GET', '/api-keys/me', { key: secret })).status).toBe(401);
    return response;
  });

  refuses('not_found', 'a key with more projects than the caller has', async () => {
    const { call, createKey, createProject } = await openApi();
    const { id } = await createKey();
    const projectIds = [await createProject()];
    const { secret } = await createKey({ scopes: ['api-keys:write'], projectIds });
    return call('DELETE', `/api-keys/${id}`, { key: secret });
  });

  refuses('insufficient_scope', 'a key with a scope that the caller does not have', async () => {
    const { call, createKey } = await openApi();
    const { secret } = await createKey({ scopes: ['api-keys:write'] });
    const root = await call('GET', '/api-keys/me');
    const response = await call('DELETE', `/api-keys/${root.data.id}?force=true`, { key: secret });
    expect((await call('GET', '/projects')).status).toBe(200);
    return response;
  });

  refuses('last_key', 'the last key that can create keys', async () => {
    const { call, createKey } = await openApi();
    await createKey({ scopes: ['projects:read'] });
    const ended = await createKey({ scopes: ['api-keys:write'] });
    await call('DELETE', `/api-keys/${ended.id}`);
    const root = await call('GET', '/api-keys/me');
    return call('DELETE', `/api-keys/${root.data.id}`);
  });

  refuses('last_key', 'a key whose children are all that can create keys besides it', async () => {
    const { call, createKey } = await openApi();
    const root = await call('GET', '/api-keys/me');
    const child = await createKey({ scopes: ['api-keys:write'] });
    const path = `/api-keys/${root.data.id}?children=true`;
    const response = await call('DELETE', path);
    expect((await call('GET', '/api-keys/me', { key: child.secret })).status).toBe(200);
    // Without them it is not the last one.
    expect((await call('DELETE', `/api-keys/${root.data.id}`)).status).toBe(200);
    return response;
  });

  refuses('last_key', 'a revoked key, if its children are all that can create keys', async () => {
    const { call, createKey } = await openApi();
    const root = await call('GET', '/api-keys/me');
    const { secret } = await createKey({ scopes: rootScopes });
    await call('DELETE', '/api-keys/me');
    return call('DELETE', `/api-keys/${root.data.id}?children=true`, { key: secret });
  });

  responds(200, 'to force=true, also for the last key that can create keys', async () => {
    const { call } = await openApi();
    const root = await call('GET', '/api-keys/me');
    const response = await call('DELETE', `/api-keys/${root.data.id}?force=true`);
    expect((await call('GET', '/api-keys/me')).status).toBe(401);
    return response;
  });

  responds(202, 'to children=true, and soon ends the keys that it created, and theirs', async () => {
    const api = await openApi();
    const feed = await follow(api, [keyRevoker]);
    try {
      const { call, createKey } = api;
      const all = ['api-keys:write', 'projects:read'];
      const bystander = await createKey({ scopes: all });
      const parent = await createKey({ scopes: all });
      const child = await createKey({ scopes: all }, parent.secret);
      const grandchild = await createKey({ scopes: ['projects:read'] }, child.secret);
      await call('DELETE', `/api-keys/${child.id}`);
      const response = await call('DELETE', `/api-keys/${parent.id}?children=true`);
      expect(response.data).toMatchObject({ status: 'revoked', childrenRevocation: { finishedAt: null } });
      const done = async () => (await call('GET', `/api-keys/${parent.id}`)).data.childrenRevocation;
      await vi.waitFor(async () => expect(await done()).toMatchObject({ revoked: 1, skipped: 0 }), 20_000);
      expect((await call('GET', '/projects', { key: grandchild.secret })).status).toBe(401);
      expect((await call('GET', '/projects', { key: bystander.secret })).status).toBe(200);
      return response;
    } finally {
      await feed.stop();
    }
  });

  responds(200, 'with the number of the webhooks that it leaves on', async () => {
    const { call, createKey } = await openApi();
    const scopes = ['api-keys:write', ...webhookScopes];
    const { id, secret: key } = await createKey({ scopes });
    for (const disabled of [false, false, true])
      await call('POST', '/webhooks', { key, body: { ...webhookBody, disabled } });
    await call('POST', '/webhooks', { body: webhookBody });
    const response = await call('DELETE', `/api-keys/${id}`);
    expect(response.data).toMatchObject({ status: 'revoked', webhooks: 2, children: null });
    expect((await call('DELETE', `/api-keys/${id}`)).data).toMatchObject({ webhooks: 2 });
    expect(
      ((await call('GET', '/webhooks')).data.items as { disabled: boolean }[]).map((one) => one.disabled),
    ).toEqual([false, true, false, false]);
    return response;
  });

  responds(200, 'to dryRun=true with what it would concern, and changes nothing', async () => {
    const { call, createKey, createProject } = await openApi();
    const scopes = ['api-keys:write', 'knowledge:write', ...webhookScopes];
    const parent = await createKey({ scopes });
    const child = await createKey({ scopes }, parent.secret);
    const ended = await createKey({ scopes }, child.secret);
    await createKey({ scopes: webhookScopes }, child.secret);
    for (const key of [parent.secret, child.secret, ended.secret])
      await call('POST', '/webhooks', { key, body: webhookBody });
    await call('DELETE', `/api-keys/${ended.id}`);
    const project = await createProject();
    const path = `/projects/${project}/knowledge/sources`;
    const source = { type: 'url', url: 'https://acme.example/' };
    for (const key of [parent.secret, child.secret]) await call('POST', path, { key, body: source });
    const { data: paused } = await call('POST', path, { key: child.secret, body: source });
    await call('PATCH', `${path}/${paused.id}`, { key: child.secret, body: { paused: true } });
    const before = (await call('GET', `/api-keys/${parent.id}`)).data;
    const response = await call('DELETE', `/api-keys/${parent.id}?dryRun=true&children=true`);
    // The own use of the key may have been noted.
    const counts = { webhooks: 3, children: 2, sources: 2, evaluators: 0, rollouts: 0 };
    expect(response.data).toEqual({ ...before, ...counts });
    const alone = await call('DELETE', `/api-keys/${parent.id}?dryRun=true`);
    expect(alone.data).toMatchObject({ status: 'active', webhooks: 1, children: 2, sources: 1 });
    expect((await call('GET', '/api-keys/me', { key: parent.secret })).status).toBe(200);
    expect((await call('GET', `/api-keys/${parent.id}`)).data.childrenRevocation).toBeNull();
    return response;
  });

  test('a dry run is refused as the revocation would be', async () => {
    const { call, createKey } = await openApi();
    const { secret: key } = await createKey({ scopes: ['api-keys:write'] });
    const stronger = await createKey({ scopes: ['api-keys:write', ...webhookScopes] });
    const refused = await call('DELETE', `/api-keys/${stronger.id}?dryRun=true`, { key });
    expect(refused.error.code).toBe('insufficient_scope');
    const root = await call('GET', '/api-keys/me');
    const last = await call('DELETE', `/api-keys/${root.data.id}?dryRun=true&children=true`);
    expect(last.error.code).toBe('last_key');
  });

  test('a caller learns of no source of projects that it is not bound to, and a source counts once, for who has set it last', async () => {
    const { call, createKey, createProject } = await openApi();
    const [own, other] = [await createProject(), await createProject()];
    const scopes = ['api-keys:write', 'knowledge:write'];
    const [first, second] = [await createKey({ scopes }), await createKey({ scopes })];
    const bound = await createKey({ scopes, projectIds: [own] });
    const body = { type: 'url', url: 'https://acme.example/' };
    const sources = (project: string) => `/projects/${project}/knowledge/sources`;
    const { data: kept } = await call('POST', sources(own), { key: first.secret, body });
    const { data: taken } = await call('POST', sources(other), { key: first.secret, body });
    const counted = async (id: string, key?: string) =>
      (await call('DELETE', `/api-keys/${id}?dryRun=true`, key === undefined ? {} : { key })).data.sources;
    expect(await counted(first.id)).toBe(2);
    expect(
      (await call('DELETE', `/api-keys/${bound.id}?dryRun=true`, { key: bound.secret })).data.sources,
    ).toBe(0);
    await call('PATCH', `${sources(own)}/${kept.id}`, {
      key: bound.secret,
      body: { url: 'https://acme.example/b' },
    });
    expect(await counted(bound.id, bound.secret)).toBe(1);
    expect(await counted(first.id)).toBe(1);
    await call('PATCH', `${sources(other)}/${taken.id}`, { key: second.secret, body: { exclude: ['/x'] } });
    expect([await counted(first.id), await counted(second.id)]).toEqual([0, 1]);
  });

  test('a dry run counts the rollouts that children=true would pause', async () => {
    const { call, createKey, start, update, move, read } = await openRollouts();
    const scopes = ['api-keys:write', 'deploy:write', 'deploy:read'];
    const [parent, other] = [await createKey({ scopes }), await createKey({ scopes })];
    const child = await createKey({ scopes }, parent.secret);
    const counted = async ({ id }: { id: string }, query = '') =>
      (await call('DELETE', `/api-keys/${id}?dryRun=true${query}`)).data.rollouts;
    expect(await counted(child)).toBe(0);
    expect((await start({}, { key: child.secret })).status).toBe(201);
    expect([await counted(child), await counted(other)]).toEqual([1, 0]);
    expect([await counted(parent), await counted(parent, '&children=true')]).toEqual([0, 1]);
    await update({ paused: true }, { key: child.secret });
    expect(await counted(child)).toBe(0);
    // It acts on behalf of who has resumed it.
    await update({ paused: false }, { key: other.secret });
    expect([await counted(child), await counted(other)]).toEqual([0, 1]);
    expect(await read()).toMatchObject({ status: 'running' });
    await move('abort', {}, { key: other.secret });
    expect(await counted(other)).toBe(0);
  });

  test('a caller learns of no webhook of projects that it is not bound to', async () => {
    const { call, createKey, createProject } = await openApi();
    const projectIds = [await createProject()];
    const scopes = ['api-keys:write', ...webhookScopes];
    const { id, secret } = await createKey({ scopes, projectIds });
    const { secret: key } = await createKey({ scopes, projectIds });
    const { data } = await call('POST', '/webhooks', { key: secret, body: webhookBody });
    const counted = async () => (await call('DELETE', `/api-keys/${id}?dryRun=true`, { key })).data.webhooks;
    expect(await counted()).toBe(1);
    await call('PATCH', `/webhooks/${data.id}`, { body: { projectIds: null } });
    expect(await counted()).toBe(0);
  });

  test('ten at the same time agree on when it was', async () => {
    const { call, createKey } = await openApi();
    const { id } = await createKey();
    const all = await Promise.all(Array.from({ length: 10 }, () => call('DELETE', `/api-keys/${id}`)));
    expect(new Set(all.map(({ text }) => text)).size).toBe(1);
    expect(all[0]?.status).toBe(200);
  });
});
