/** A key with `runtime:write` does the work of a runtime, and nothing else. Only its own conversations exist for it. */

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { endpoints } from '../../functions/index.ts';
import { setsIn } from '../../lib/base/scopes.ts';
import { openApi, type TestApi } from '../../samples/api.ts';
import { sampleOf } from '../../samples/samples.ts';
import { openKnowledge } from '../support/knowledge.ts';
import { refuses, responds } from '../support/responses.ts';
import { openApiWith, openIssuer, type TestIssuer } from '../support/tokens.ts';
import { walkOptions } from '../support/walks.ts';
import { createIdentity, jwkOf, newSigner, tokenFor } from '../support/workloads.ts';

const avatarId = 'avtr_01JZ4Y7Q8R5T2V9W3X6B0C1D4E';

let issuer: TestIssuer;
beforeAll(async () => {
  issuer = await openIssuer();
});
afterAll(() => issuer.close());

/** The whole work of a runtime, by the least scope that it needs. */
const work = {
  'runtime:read': ['deployments.config', 'environments.config', 'knowledge.search'],
  'runtime:write': [
    'conversations.create',
    'conversations.put',
    'conversations.get',
    'conversations.end',
    'conversations.append',
    'conversations.transcript',
    'replies.create',
    'replies.list',
    'replies.get',
    'replies.events',
    'replies.cancel',
  ],
} as const;

test('the endpoints of a runtime are these', () => {
  const accepting = (scope: string) =>
    endpoints
      .filter(({ auth }) => setsIn(auth).some((set) => set.some((one) => one === scope)))
      .map(({ id }) => id)
      .sort();
  expect(accepting('runtime:read')).toEqual([...work['runtime:read']].sort());
  expect(accepting('runtime:write')).toEqual([...work['runtime:write']].sort());
});

describe('every other endpoint', () => {
  const allowed: readonly string[] = Object.values(work).flat();
  const others = endpoints.filter(
    ({ id, auth }) => auth !== 'public' && auth !== 'any' && !allowed.includes(id),
  );
  let api: TestApi;
  beforeAll(async () => {
    api = await openApi();
  });

  describe.each(others.map((endpoint) => [endpoint.id, endpoint] as const))('%s', (id, endpoint) => {
    refuses(
      'insufficient_scope',
      'a key with runtime:write',
      async () => {
        const { path, body } = await sampleOf(id, api);
        const { secret: key } = await api.createKey({ scopes: ['runtime:write'] });
        return api.call(endpoint.method, path, { key, ...(body && { body }) });
      },
      walkOptions(others, endpoint),
    );
  });
});

async function openRuntimes() {
  const api = await openApiWith(issuer);
  const project = await api.createProject();
  const list = `/projects/${project}/conversations`;
  const runtime = await api.createKey({ scopes: ['runtime:write'] });
  const other = await api.createKey({ scopes: ['runtime:write'] });
  const as = (key: string) => ({
    start: (externalId: string, body: object = {}) =>
      api.call('PUT', `${list}/by-external-id/${externalId}`, { key, body: { avatarId, ...body } }),
    create: (body: object, idempotencyKey?: string) =>
      api.call('POST', list, {
        key,
        body: { avatarId, ...body },
        ...(idempotencyKey && { idempotencyKey }),
      }),
    get: (id: unknown, below = '') => api.call('GET', `${list}/${id}${below}`, { key }),
    append: (id: unknown, text: string, idempotencyKey?: string) =>
      api.call('POST', `${list}/${id}/messages`, {
        key,
        body: { messages: [{ role: 'user', text }] },
        ...(idempotencyKey && { idempotencyKey }),
      }),
    end: (id: unknown) => api.call('POST', `${list}/${id}/end`, { key, body: { reason: 'completed' } }),
  });
  return { api, project, list, as, runtime, other, mine: as(runtime.secret), theirs: as(other.secret) };
}

describe('its own conversations', () => {
  test('it creates, resumes, continues, reads and ends', async () => {
    const { mine } = await openRuntimes();
    const started = await mine.start('call-1', { resume: true });
    expect(started.status, started.text).toBe(201);
    const { id } = started.data.conversation as { id: string };
    expect((await mine.append(id, 'hello')).status).toBe(201);
    const resumed = await mine.start('call-1', { resume: true });
    expect(resumed.data).toMatchObject({ outcome: 'unchanged', conversation: { id, messageCount: 1 } });
    expect((await mine.get(id)).data).toMatchObject({ id });
    expect((await mine.get(id, '/transcript')).data).toMatchObject({ messages: [{ text: 'hello' }] });
    expect((await mine.end(id)).data).toMatchObject({ id, status: 'ended' });
  });

  test('a rotated key keeps them', async () => {
    const { api, runtime, mine, as } = await openRuntimes();
    const { data } = await mine.create({});
    const rotated = await api.call('POST', `/api-keys/${runtime.id}/rotate`, { body: { overlap: '1h' } });
    expect(rotated.status, rotated.text).toBe(200);
    expect((await as(`${rotated.data.secret}`).get(data.id)).status).toBe(200);
    expect((await mine.get(data.id)).status).toBe(200);
  });

  test('all tokens of a workload identity share them, until it is deleted', async () => {
    const { api, as } = await openRuntimes();
    const signer = newSigner('ES256', 'k');
    const scopes = ['runtime:write'];
    const subject = 'system:serviceaccount:shop:runtime-*';
    const identity = await createIdentity(api, 'https://oidc.acme.example', {
      scopes,
      subject,
      jwks: { keys: [jwkOf(signer)] },
    });
    const tokenOf = (name: string) =>
      as(tokenFor(api, identity, signer, { sub: `system:serviceaccount:shop:runtime-${name}` }));
    const { data, text } = await tokenOf('a').create({});
    expect(data.createdBy, text).toBe(`${identity.id}:system:serviceaccount:shop:runtime-a`);
    expect((await tokenOf('b').append(data.id, 'hello')).status).toBe(201);
    await api.call('DELETE', `/workload-identities/${identity.id}`);
    expect((await tokenOf('a').append(data.id, 'more')).status).toBe(401);
  });

  test('a key that may read all conversations changes only its own', async () => {
    const { api, mine, as } = await openRuntimes();
    const { data } = await mine.create({});
    const reader = as((await api.createKey({ scopes: ['runtime:write', 'conversations:read'] })).secret);
    expect((await reader.get(data.id)).status).toBe(200);
    expect((await reader.append(data.id, 'hello')).status).toBe(404);
  });
});

describe('conversations of another credential', () => {
  const unknownId = 'conv_01JZ4Y7Q8R5T2V9W3X6B0C1D4E';

  test.each(['get', 'transcript', 'append', 'end'] as const)(
    '%s answers as for an unknown id',
    async (act) => {
      const { mine, theirs } = await openRuntimes();
      const { data } = await mine.create({});
      const acts = {
        get: (id: unknown) => theirs.get(id),
        transcript: (id: unknown) => theirs.get(id, '/transcript?afterSeq=0&waitSeconds=1'),
        append: (id: unknown) => theirs.append(id, 'hello'),
        end: (id: unknown) => theirs.end(id),
      };
      const [known, unknown] = [await acts[act](data.id), await acts[act](unknownId)];
      expect(known.status).toBe(404);
      expect(known.error).toEqual({ ...unknown.error, requestId: known.error.requestId });
    },
  );

  test.each(['stored', 'ended', 'erased'])(
    'an externalId of a conversation that is %s says only that it is taken',
    async (state) => {
      const { api, list, mine, theirs } = await openRuntimes();
      const { data } = await mine.create({ externalId: 'call-1', externalUserId: 'ada' });
      if (state === 'ended') await mine.end(data.id);
      if (state === 'erased') await api.call('DELETE', `${list}/${data.id}`);
      for (const response of [
        await theirs.create({ externalId: 'call-1' }),
        await theirs.start('call-1'),
        await theirs.start('call-1', { resume: true }),
      ]) {
        expect(response.status).toBe(409);
        expect(response.error.code).toBe('external_id_taken');
        expect(response.text).not.toContain(`${data.id}`);
        expect(response.error.details).toBeUndefined();
      }
    },
  );

  refuses('conversation_erased', 'its own conversation that was erased', async () => {
    const { api, list, mine } = await openRuntimes();
    const { data } = await mine.create({ externalId: 'call-1' });
    await api.call('DELETE', `${list}/${data.id}`);
    return mine.start('call-1', { resume: true });
  });

  test('of two simultaneous creations with one externalId, one succeeds', async () => {
    const { mine, theirs } = await openRuntimes();
    const responses = await Promise.all([mine.start('call-1'), theirs.start('call-1')]);
    expect(responses.map(({ status }) => status).sort()).toEqual([201, 409]);
    const lost = responses.find(({ status }) => status === 409);
    expect(lost?.error.code).toBe('external_id_taken');
  });
});

describe('an Idempotency-Key of another credential', () => {
  test('replays no conversation', async () => {
    const { api, mine, theirs, as } = await openRuntimes();
    const first = await mine.create({ externalId: 'call-1' }, 'once');
    const second = await theirs.create({ externalId: 'call-1' }, 'once');
    expect(second.error.code).toBe('external_id_taken');
    const withoutName = await mine.create({}, 'twice');
    const reused = await theirs.create({}, 'twice');
    expect(reused.error.code).toBe('idempotency_key_reused');
    for (const { data } of [first, withoutName])
      expect([second.text, reused.text].join()).not.toContain(`${data.id}`);
    const replayed = await mine.create({ externalId: 'call-1' }, 'once');
    expect(replayed.data).toEqual(first.data);
    expect(replayed.headers['Idempotent-Replayed']).toBe('true');
    // A caller that may use all conversations gets what the handler says, too.
    const root = await as(api.rootKey).create({ externalId: 'call-1' }, 'once');
    expect(root.error.code).toBe('external_id_taken');
  });

  refuses('not_found', 'a repeated append to a conversation of another credential', async () => {
    const { mine, theirs } = await openRuntimes();
    const { data } = await mine.create({});
    await mine.append(data.id, 'hello', 'once');
    return theirs.append(data.id, 'hello', 'once');
  });

  test('no copy of a record is replayed when its credential loses its scope for all conversations', async () => {
    const { api, list, as } = await openRuntimes();
    const key = await api.createKey({ scopes: ['conversations:write'] });
    const { data } = await as(api.rootKey).create({});
    await as(key.secret).append(data.id, 'hello', 'once');
    await api.call('PATCH', `/api-keys/${key.id}`, { body: { scopes: ['runtime:write'] } });
    expect((await as(key.secret).append(data.id, 'hello', 'once')).status).toBe(404);
    expect((await api.call('GET', `${list}/${data.id}`)).data.messageCount).toBe(1);
  });
});

describe('a search', () => {
  async function openSearch() {
    const api = await openKnowledge();
    const { project } = api;
    await api.create({ title: 'Refunds', content: 'A refund takes a day.' });
    await api.reindex();
    const { data } = await api.call('POST', `${project}/deployments`, {
      body: { environment: 'production' },
    });
    const { secret: key } = await api.createKey({ scopes: ['runtime:read'] });
    const search = (query: string) =>
      api.call('GET', `${project}/knowledge/search?q=refund${query}`, { key });
    return { search, deploymentId: data.id };
  }

  responds(200, 'in the index of an environment', async () =>
    (await openSearch()).search('&environment=production'),
  );
  responds(200, 'in the index of a deployment', async () => {
    const { search, deploymentId } = await openSearch();
    return search(`&deploymentId=${deploymentId}`);
  });
  refuses('insufficient_scope', 'in the published index', async () => (await openSearch()).search(''));
});

describe('who may grant it', () => {
  const parts = {
    'runtime:write': ['conversations:write', 'deploy:read', 'knowledge:read'],
    'runtime:read': ['deploy:read', 'knowledge:read'],
  };

  test.each(Object.entries(parts))('%s is a part of %s', async (scope, scopes) => {
    const api = await openApi();
    const grant = async (held: readonly string[]) => {
      const { secret: key } = await api.createKey({ scopes: ['api-keys:write', ...held] });
      const body = { name: 'a runtime', scopes: [scope] };
      return (await api.call('POST', '/api-keys', { key, body })).status;
    };
    expect(await grant(scopes)).toBe(201);
    for (const missing of scopes) expect(await grant(scopes.filter((one) => one !== missing))).toBe(403);
  });

  test('a key with these parts rotates and revokes it', async () => {
    const api = await openApi();
    const { secret: key } = await api.createKey({
      scopes: ['api-keys:write', ...parts['runtime:write']],
      expiresIn: '200d',
    });
    const { id } = await api.createKey({ scopes: ['runtime:write'] });
    expect((await api.call('POST', `/api-keys/${id}/rotate`, { key, body: {} })).status).toBe(200);
    expect((await api.call('DELETE', `/api-keys/${id}`, { key })).status).toBe(200);
  });
});
