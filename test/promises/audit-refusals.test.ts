/** Refusals that concern security are in the audit log, few of them even in a flood. The log and its queue hold no secret. */

import { hash } from 'node:crypto';
import { afterEach, describe, expect, test } from 'vitest';
import { hourMs } from '../../lib/base/time.ts';
import type { Notice } from '../../lib/workers/notice.ts';
import { type Json, openApi, storedOf, type TestApi } from '../../samples/api.ts';
import { avatarBody } from '../../samples/samples.ts';
import type { Feed } from '../../scripts/local/feed.ts';
import { workers } from '../../workers/index.ts';
import { allEvents } from '../support/events.ts';
import { follow } from '../support/workers.ts';
import { createIdentity, jwkOf, newSigner, tokenFor } from '../support/workloads.ts';

const feeds: Feed[] = [];

afterEach(async () => {
  await Promise.all(feeds.splice(0).map((feed) => feed.stop()));
});

async function openFollowed() {
  const api = await openApi();
  const feed = await follow(
    api,
    workers.filter(({ id }) => id === 'audit-writer'),
  );
  feeds.push(feed);
  return { api, feed };
}

async function refusalsOf(api: TestApi, feed: Feed): Promise<Json[]> {
  await feed.settled();
  return (await allEvents(api)).filter(({ outcome }) => outcome === 'refused');
}

const headers = { 'User-Agent': 'thief/1.0' };
const sourceIp = '198.51.100.66';

describe('a refused request', () => {
  test('with a token of a workload identity names the identity and the subject, once for all subjects', async () => {
    const { api, feed } = await openFollowed();
    const signer = newSigner('ES256', 'k');
    const body = { subject: 'repo:acme/*', jwks: { keys: [jwkOf(signer)] } };
    const create = () => createIdentity(api, 'https://oidc.acme.example', body);
    const [deleted, suspended] = [await create(), await create()];
    await api.call('DELETE', `/workload-identities/${deleted.id}`);
    await api.call('PATCH', `/workload-identities/${suspended.id}`, { body: { status: 'suspended' } });
    for (const identity of [deleted, suspended]) {
      for (const sub of ['repo:acme/first', 'repo:acme/second']) {
        const key = tokenFor(api, identity, signer, { sub });
        expect((await api.call('GET', '/projects', { key })).status).toBe(401);
      }
    }
    const events = await refusalsOf(api, feed);
    const expected = [deleted, suspended].map(({ id }, index) => ({
      actor: { kind: 'identity', id, subject: 'repo:acme/first', name: 'ci' },
      reason: ['identity_deleted', 'identity_suspended'][index],
      resource: { type: 'workload_identity', id },
    }));
    expect(events.toSorted((a, b) => (`${a.reason}` < `${b.reason}` ? -1 : 1))).toMatchObject(expected);
    const found = await allEvents(api, `&actor=${deleted.id}`);
    expect(found.map(({ reason }) => reason)).toEqual(['identity_deleted']);
  });

  test('with a revoked, an expired or a wrongly placed key is an event, and the response is as before', async () => {
    const { api, feed } = await openFollowed();
    const revoked = await api.createKey();
    const expired = await api.createKey({ expiresIn: '1h' });
    const placed = await api.createKey({ allowedCidrs: ['203.0.113.0/24'] });
    await api.call('DELETE', `/api-keys/${revoked.id}`);
    api.advance(hourMs + 1000);
    const responses = await Promise.all(
      [revoked, expired, placed].map(({ secret: key }, index) =>
        api.call('GET', '/projects', { key, headers, sourceIp, requestId: `refused-${index}` }),
      ),
    );
    expect(responses.map(({ status, error }) => [status, error.message])).toEqual([
      [401, 'This API key is revoked'],
      [401, 'This API key is expired'],
      [401, 'Unknown API key'],
    ]);
    const events = await refusalsOf(api, feed);
    const expected = [revoked, expired, placed].map(({ id }, index) => ({
      actor: { kind: 'key', id, name: 'a key' },
      action: 'projects.list',
      reason: ['key_revoked', 'key_expired', 'address_not_allowed'][index],
      resource: { type: 'api_key', id },
      projectId: null,
      changes: null,
      requestId: `refused-${index}`,
      origin: { address: sourceIp, userAgent: 'thief/1.0' },
    }));
    const byRequest = events.toSorted((a, b) => (`${a.requestId}` < `${b.requestId}` ? -1 : 1));
    expect(byRequest).toMatchObject(expected);
    expect(events).toHaveLength(3);
  });

  test('that asks for more than its key holds is an event for each action', async () => {
    const { api, feed } = await openFollowed();
    const { id, secret: key } = await api.createKey({ scopes: ['api-keys:write'] });
    const body = { name: 'more', scopes: ['projects:write'] };
    expect((await api.call('POST', '/api-keys', { key, body })).status).toBe(403);
    expect(
      (await api.call('PATCH', `/api-keys/${id}`, { key, body: { scopes: ['deploy:write'] } })).status,
    ).toBe(403);
    const { secret: reader } = await api.createKey({ scopes: ['projects:read'] });
    expect((await api.call('GET', '/api-keys', { key: reader })).status).toBe(403);
    // Not about keys, so a mistake and no attempt.
    expect((await api.call('POST', '/projects', { key: reader, body: { name: 'p' } })).status).toBe(403);
    const events = await refusalsOf(api, feed);
    expect(events.map(({ action, reason }) => `${action} ${reason}`).sort()).toEqual([
      'api-keys.create escalation',
      'api-keys.list escalation',
      'api-keys.update escalation',
    ]);
  });

  test('a flood is one event for each key and hour', async () => {
    const { api, feed } = await openFollowed();
    const { id, secret: key } = await api.createKey();
    await api.call('DELETE', `/api-keys/${id}`);
    await Promise.all(Array.from({ length: 60 }, () => api.call('GET', '/projects', { key })));
    await api.call('POST', '/projects', { key, body: { name: 'p' } });
    expect(await refusalsOf(api, feed)).toHaveLength(1);
    // This process knows that it was noted.
    const refused = api.requestLines().filter(({ status }) => status === 401);
    expect(refused.at(-1)).toMatchObject({ endpoint: 'projects.create', writeUnits: 0 });
    api.advance(hourMs);
    await api.call('GET', '/projects', { key });
    expect(await refusalsOf(api, feed)).toHaveLength(2);
  });

  test('with an unknown key leaves nothing', async () => {
    const { api, feed } = await openFollowed();
    const { secret } = await api.createKey();
    const other = await openApi();
    const last = secret.at(-1) === 'a' ? 'b' : 'a';
    await api.call('GET', '/projects', { key: `${secret.slice(0, -1)}${last}` });
    await other.call('GET', '/projects', { key: 'sk_live_nonsense' });
    expect(await refusalsOf(api, feed)).toEqual([]);
  });
});

test('neither the log nor its queue holds a secret, a hash, a prompt, a content, a text or what a user is called', async () => {
  const api = await openApi();
  const feed = await follow(api, workers);
  feeds.push(feed);
  const notices: Notice[] = [];
  const { send } = feed.sender;
  feed.sender.send = (worker, sent) => {
    if (worker === 'audit-writer') notices.push(...sent);
    return send(worker, sent);
  };
  const marked = (name: string) => `marked-${name}-4711`;
  const project = `/projects/${await api.createProject({ name: 'shown-name' })}`;
  const key = await api.createKey();
  const rotated = await api.call('POST', `/api-keys/${key.id}/rotate`, { body: { overlap: '1h' } });
  await api.call('POST', `${project}/avatars`, {
    body: { ...avatarBody, persona: { prompt: marked('prompt'), greeting: marked('greeting') } },
  });
  const document = { title: marked('title'), content: marked('content'), externalId: marked('document') };
  await api.call('POST', `${project}/knowledge/documents`, { body: document });
  const conversation = await api.createConversation(
    { externalUserId: marked('user'), metadata: { note: marked('metadata') }, tags: [marked('tag')] },
    project.split('/')[2],
  );
  const messages = [{ role: 'user', text: marked('text') }];
  await api.call('POST', `${conversation}/messages`, { body: { messages } });
  await api.call('PATCH', conversation, { body: { metadata: { note: marked('changed') } } });
  await api.call('POST', `${project}/conversations/erase`, { body: { externalUserId: marked('user') } });
  await feed.settled();
  const logged = JSON.stringify(await storedOf(api, 'audit'));
  const queued = JSON.stringify(notices);
  const secrets = [api.rootKey, key.secret, `${rotated.data.secret}`];
  const hashes = secrets.flatMap((secret) =>
    (['hex', 'base64', 'base64url'] as const).map((form) => hash('sha256', secret, form)),
  );
  for (const text of [logged, queued]) {
    expect(text).toContain('shown-name');
    for (const part of [...secrets, ...hashes, 'marked-']) expect(text).not.toContain(part);
  }
  const events = await allEvents(api);
  const append = events.find(({ action }) => action === 'conversations.append');
  expect(append?.changes).toEqual({ fields: ['messageCount'], before: {}, after: {}, omitted: [] });
});

test('a user agent is cut after 200 characters, and no character is split', async () => {
  const { api, feed } = await openFollowed();
  const agent = `${'a'.repeat(199)}😀${'b'.repeat(50)}`;
  const { data } = await api.call('POST', '/projects', {
    body: { name: 'p' },
    headers: { 'User-Agent': agent },
  });
  await feed.settled();
  const [event] = await allEvents(api, `&resourceId=${data.id}`);
  expect(event?.origin).toMatchObject({ userAgent: `${'a'.repeat(199)}😀` });
});
