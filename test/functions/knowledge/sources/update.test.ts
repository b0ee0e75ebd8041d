import { describe, expect, test } from 'vitest';
import { rootScopes } from '../../../../lib/base/scopes.ts';
import { hourMs } from '../../../../lib/base/time.ts';
import { storedOf } from '../../../../samples/api.ts';
import keyRevoker from '../../../../workers/key-revoker.ts';
import { openKnowledge } from '../../../support/knowledge.ts';
import { responds } from '../../../support/responses.ts';
import { handleAll } from '../../../support/suspensions.ts';

const body = { type: 'site', url: 'https://acme.example/', refresh: '2h' };

async function open() {
  const api = await openKnowledge();
  const key = await api.createKey({ scopes: rootScopes });
  const { data } = await api.call('POST', `${api.project}/knowledge/sources`, { body, key: key.secret });
  return { ...api, api, key, id: data.id, path: `${api.project}/knowledge/sources/${data.id}` };
}

describe('knowledge.sources.update', () => {
  responds(200, 'and the caller that sets what is requested is its setter', async () => {
    const { call, path, key } = await open();
    const tagged = await call('PATCH', path, { body: { tags: ['a'] } });
    expect(tagged.data).toMatchObject({ tags: ['a'], setBy: key.id });
    const response = await call('PATCH', path, { body: { exclude: ['/old/*'] } });
    expect(response.data.setBy).not.toBe(key.id);
    return response;
  });

  responds(200, 'and stores its URL in normal form', async () => {
    const { api, call, path, id: source } = await open();
    const response = await call('PATCH', path, { body: { url: 'https:Other.example' } });
    const stored = (await storedOf(api, 'knowledge')).filter(({ id, url }) => id === source && url);
    expect(stored).toMatchObject([{ url: 'https://other.example/' }]);
    return response;
  });

  test('a pause, and another time of the next refresh', async () => {
    const { call, path } = await open();
    const { data: paused } = await call('PATCH', path, { body: { paused: true } });
    expect(paused).toMatchObject({ paused: true, pausedReason: 'requested', nextRefreshAt: null });
    const { data } = await call('PATCH', path, { body: { paused: false, refresh: '1h' } });
    expect(data.pausedReason).toBeNull();
    expect(Date.parse(`${data.nextRefreshAt}`) - Date.parse(`${data.updatedAt}`)).toBe(hourMs);
    expect((await call('PATCH', path, { body: { refresh: 'manual' } })).data.nextRefreshAt).toBeNull();
    expect((await call('PATCH', path, { body: { url: 'http://10.0.0.1/' } })).status).toBe(400);
  });

  test('a key that is revoked with its children pauses its sources, and another caller resumes them', async () => {
    const { api, call, path, key } = await open();
    await call('DELETE', `/api-keys/${key.id}?children=true`);
    await handleAll(api, keyRevoker, 'apiKeys', ({ id }) => id === key.id);
    expect((await call('GET', path)).data).toMatchObject({ paused: true, pausedReason: 'key_revoked' });
    const { data } = await call('PATCH', path, { body: { paused: false } });
    expect(data).toMatchObject({ paused: false, pausedReason: null });
    expect(data.setBy).not.toBe(key.id);
    await handleAll(api, keyRevoker, 'apiKeys', ({ id }) => id === key.id);
    expect((await call('GET', path)).data.paused).toBe(false);
  });
});
