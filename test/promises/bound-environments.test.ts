/** A credential that is bound to environments stays in them: what the other environments have does not exist for it. */

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as z from 'zod';
import { endpoints } from '../../functions/index.ts';
import { allScopes } from '../../lib/base/scopes.ts';
import { concernsEnvironments, refusalOfBound } from '../../lib/http/environments.ts';
import type { Json, TestApi } from '../../samples/api.ts';
import { sampleOf } from '../../samples/samples.ts';
import { openKnowledge } from '../support/knowledge.ts';
import { refuses, responds } from '../support/responses.ts';
import { openApiWith, openIssuer, type TestIssuer } from '../support/tokens.ts';
import { walkOptions } from '../support/walks.ts';
import { createIdentity, jwkOf, newSigner, tokenFor } from '../support/workloads.ts';

const avatarId = 'avtr_01JZ4Y7Q8R5T2V9W3X6B0C1D4E';
const unknownDeployment = { deploymentId: 'dep_01JZ4Y7Q8R5T2V9W3X6B0C1D4E' };

let issuer: TestIssuer;
beforeAll(async () => {
  issuer = await openIssuer();
});
afterAll(() => issuer.close());

describe('every endpoint', () => {
  const concerned = endpoints.filter(concernsEnvironments);
  const naming = endpoints.filter(({ environments }) => typeof environments === 'function');
  const refusing = endpoints.filter((endpoint) => refusalOfBound(endpoint) !== undefined);
  const without = endpoints.filter(({ environments }) => environments === 'none');
  let api: TestApi;
  let key: string;
  beforeAll(async () => {
    api = await openApiWith(issuer);
    key = (await api.createKey({ scopes: allScopes, environments: ['staging'] })).secret;
  });
  const named = (list: typeof endpoints) => list.map((endpoint) => [endpoint.id, endpoint] as const);

  test('of a resource that belongs to environments declares how it keeps a credential in them', () => {
    const silent = concerned.filter(({ environments }) => environments === undefined);
    expect(silent.map(({ id }) => id)).toEqual([]);
    const undecided = refusing.filter((endpoint) => refusalOfBound(endpoint)?.startsWith('Say here'));
    expect(undecided.map(({ id }) => id)).toEqual([]);
  });

  test('that leaves other environments out has tests of its own', () => {
    const ids = endpoints.filter(({ environments }) => environments === 'left_out').map(({ id }) => id);
    const tested = {
      'bound-environments': [
        'environments.list',
        'deployments.list',
        'conversations.list',
        'conversations.search',
      ],
      'bound-jobs': [
        'conversations.import-file',
        'evaluation-runs.create',
        'exports.create',
        'exports.get',
        'jobs.cancel',
        'jobs.get',
        'jobs.list',
      ],
      'bound-statistics': ['conversations.stats'],
    };
    expect(ids.toSorted()).toEqual(Object.values(tested).flat().toSorted());
  });

  test('that takes an environment or a deployment says where it stands', () => {
    const taking = endpoints.filter(({ request: { params, query, body } }) =>
      [params, query, body].some((schema) =>
        /"(environment|deploymentId|deployment_id)":\{/.test(fieldsOf(schema)),
      ),
    );
    const others = taking.filter(({ environments }) => environments === undefined);
    expect(others.map(({ id }) => id)).toEqual([]);
    expect(taking.length).toBeGreaterThan(10);
  });

  describe.each(named(naming))('%s', (id, endpoint) => {
    refuses(
      'not_found',
      'an environment that the key does not have',
      async () => {
        const deployed = {
          ...api,
          createConversation: (more: Json = {}, project?: string) =>
            api.createConversation({ ...unknownDeployment, ...more }, project),
        };
        const { path, body } = await sampleOf(id, deployed);
        const query =
          id === 'knowledge.search' ? `${path.includes('?') ? '&' : '?'}environment=production` : '';
        return api.call(endpoint.method, path + query, { key, ...(body && { body: inAnother(id, body) }) });
      },
      walkOptions(naming, endpoint),
    );
  });

  describe.each(named(refusing))('%s', (id, endpoint) => {
    refuses(
      'insufficient_scope',
      'it reaches all environments',
      async () => {
        const { path, body } = await sampleOf(id, api);
        return api.call(endpoint.method, path, { key, ...(body && { body }) });
      },
      walkOptions(refusing, endpoint),
    );
  });

  describe.each(named(without))('%s', (id, endpoint) => {
    test('belongs to no environment', walkOptions(without, endpoint), async () => {
      const { path, body } = await sampleOf(id, api);
      const { status, text } = await api.call(endpoint.method, path, { key, ...(body && { body }) });
      expect(status, text).toBeLessThan(300);
    });
  });
});

/** @returns the schema as JSON Schema, with the names of its fields */
const fieldsOf = (schema: z.ZodType | undefined) =>
  schema ? JSON.stringify(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' })) : '';

/** @returns the body, for an environment that the key does not have, or a conversation of a deployment */
function inAnother(id: string, body: Json): Json {
  if ('environment' in body) return { ...body, environment: 'production' };
  if (id === 'knowledge.evaluate') return { ...body, environment: 'production' };
  if ('avatarId' in body) return { ...body, ...unknownDeployment };
  const { conversations } = body as { conversations?: readonly Json[] };
  return conversations
    ? { conversations: conversations.map((one) => ({ ...one, ...unknownDeployment })) }
    : body;
}

/** Two environments with a deployment each, and a key that is bound to one of them. */
async function openEnvironments() {
  const api = await openKnowledge();
  const { project } = api;
  await api.create({ title: 'Refunds', content: 'A refund takes a day.' });
  await api.reindex();
  await api.call('POST', `${project}/avatars`, { body: { name: 'Clara', persona: { prompt: 'Be kind.' } } });
  const deploy = async (environment: string) =>
    `${(await api.call('POST', `${project}/deployments`, { body: { environment } })).data.id}`;
  const [staging, production] = [await deploy('staging'), await deploy('production')];
  const { secret: key, id: keyId } = await api.createKey({ scopes: allScopes, environments: ['staging'] });
  const call = (method: string, path: string, body?: Json, more: object = {}) =>
    api.call(method, `${project}${path}`, { key, ...(body && { body }), ...more });
  const converse = async (deploymentId: string | null, more: Json = {}) =>
    `${(await api.call('POST', `${project}/conversations`, { body: { avatarId, deploymentId, ...more } })).data.id}`;
  return { api, project, staging, production, key, keyId, call, converse, deploy };
}

describe('deployments', () => {
  test('it deploys, promotes and rolls back in its environment', async () => {
    const { call, staging } = await openEnvironments();
    const second = await call('POST', '/deployments', { environment: 'staging', reason: 'second' });
    expect(second.status, second.text).toBe(201);
    expect((await call('POST', '/rollback', { environment: 'staging' })).data.current).toBe(staging);
    expect((await call('POST', `/deployments/${second.data.id}/promote`)).status).toBe(200);
    expect((await call('GET', '/environments/staging/config')).status).toBe(200);
    expect((await call('GET', `/deployments/${staging}/config`)).status).toBe(200);
    expect((await call('GET', `/deployments/${second.data.id}/changes?since=${staging}`)).status).toBe(200);
  });

  test('lists leave other environments out', async () => {
    const { api, call, staging } = await openEnvironments();
    const deployments = (await call('GET', '/deployments')).data.items as Json[];
    expect(deployments.map(({ id }) => id)).toEqual([staging]);
    const environments = (await call('GET', '/environments')).data.items as Json[];
    expect(environments.map(({ name }) => name)).toEqual(['staging']);
    expect((await call('GET', '/deployments?environment=production')).data.items).toEqual([]);
    expect(((await api.call('GET', `${api.project}/deployments`)).data.items as Json[]).length).toBe(2);
  });

  const elsewhere: Record<
    string,
    (opened: Awaited<ReturnType<typeof openEnvironments>>) => [string, string, Json?]
  > = {
    'a deployment from another environment': () => [
      'POST',
      '/deployments',
      { environment: 'staging', from: { environment: 'production' } },
    ],
    'a deployment from a deployment of another environment': ({ production }) => [
      'POST',
      '/deployments',
      { environment: 'staging', from: { deploymentId: production } },
    ],
    'a rollback to a deployment of another environment': ({ production }) => [
      'POST',
      '/rollback',
      { environment: 'staging', deploymentId: production },
    ],
    'the changes since a deployment of another environment': ({ staging, production }) => [
      'GET',
      `/deployments/${staging}/changes?since=${production}`,
    ],
    'the search in another deployment': ({ production }) => [
      'GET',
      `/knowledge/search?q=refund&deploymentId=${production}`,
    ],
    'an environment that does not exist': () => ['POST', '/deployments', { environment: 'new' }],
  };
  describe.each(Object.entries(elsewhere))('%s', (what, request) => {
    refuses('not_found', what, async () => {
      const opened = await openEnvironments();
      const [method, path, body] = request(opened);
      return opened.call(method, path, body);
    });
  });

  responds(200, 'a search without an environment, with the scope of documents', async () =>
    (await openEnvironments()).call('GET', '/knowledge/search?q=refund'),
  );

  test('it stays bound to the name of an environment that is deleted and comes back', async () => {
    const { api, project, call, deploy } = await openEnvironments();
    expect((await call('DELETE', '/environments/staging')).status).toBe(200);
    expect((await call('GET', '/environments/staging')).status).toBe(404);
    const back = await deploy('staging');
    expect((await call('GET', '/environments/staging')).data.current).toBe(back);
    expect((await call('GET', '/environments/production')).status).toBe(404);
    expect((await api.call('GET', `${project}/environments/production`)).status).toBe(200);
  });
});

describe('conversations', () => {
  test('follow their deployment', async () => {
    const { call, converse, staging, production } = await openEnvironments();
    const [own, none, other] = [await converse(staging), await converse(null), await converse(production)];
    for (const [id, status] of [
      [own, 200],
      [none, 200],
      [other, 404],
    ] as const) {
      expect((await call('GET', `/conversations/${id}`)).status).toBe(status);
      expect((await call('GET', `/conversations/${id}/transcript`)).status).toBe(status);
      expect((await call('PATCH', `/conversations/${id}`, { tags: ['a'] })).status).toBe(status);
      expect((await call('GET', `/conversations/${id}/scores`)).status).toBe(status);
      expect((await call('POST', `/conversations/${id}/end`, { reason: 'done' })).status).toBe(status);
      expect((await call('DELETE', `/conversations/${id}`)).status).toBe(status);
    }
  });

  test('of other environments are left out of lists and searches', async () => {
    const { api, project, call, converse, staging, production } = await openEnvironments();
    const ids = [
      await converse(staging),
      await converse(null),
      await converse(production, { channel: 'web' }),
    ];
    for (const id of ids) {
      const messages = [{ role: 'user', text: 'My refund' }];
      await api.call('POST', `${project}/conversations/${id}/messages`, { body: { messages } });
    }
    await api.indexMessages(api.projectId);
    const listed = ((await call('GET', '/conversations')).data.items as Json[]).map(({ id }) => id);
    expect(listed.toSorted()).toEqual(ids.slice(0, 2).toSorted());
    expect((await call('GET', '/conversations?channel=web')).data.items).toEqual([]);
    expect((await call('GET', `/conversations?deploymentId=${production}`)).data.items).toEqual([]);
    const found = (await call('GET', '/conversations/search?q=refund')).data.items as Json[];
    expect(found.map(({ conversationId }) => conversationId).toSorted()).toEqual(ids.slice(0, 2).toSorted());
  });

  test('a cursor names no conversation of another environment, and every page goes on', async () => {
    const { api, project, call, converse, staging, production } = await openEnvironments();
    const own: string[] = [];
    const others: string[] = [];
    for (const second of [1, 2, 3]) {
      const startedAt = `2026-10-01T00:00:0${second}.000Z`;
      own.push(await converse(staging, { startedAt }));
      for (let count = 0; count < second; count += 1) others.push(await converse(production, { startedAt }));
    }
    for (const id of [...own, ...others]) {
      const messages = [{ role: 'user', text: 'My refund' }];
      await api.call('POST', `${project}/conversations/${id}/messages`, { body: { messages } });
    }
    await api.indexMessages(api.projectId);
    const lists = [
      '?order=newest&limit=1',
      '?order=oldest&limit=1',
      '?channel=web&limit=1',
      '/search?q=refund&limit=1',
    ];
    for (const query of lists) {
      const found: unknown[] = [];
      let cursor: unknown = null;
      let pages = 0;
      do {
        const { data, text } = await call(
          'GET',
          `/conversations${query}${cursor ? `&cursor=${cursor}` : ''}`,
        );
        expect(data?.items, text).toBeDefined();
        found.push(...(data.items as Json[]).map(({ id, conversationId }) => conversationId ?? id));
        cursor = data.nextCursor;
        const position = Buffer.from(`${cursor ?? ''}`, 'base64url').toString();
        expect(others.filter((id) => position.includes(id))).toEqual([]);
        pages += 1;
      } while (cursor !== null && pages < 20);
      expect(pages, query).toBeLessThan(20);
      expect(found.toSorted(), query).toEqual(query.includes('channel') ? [] : own.toSorted());
    }
  });

  test('an externalId of another environment says only that it is taken', async () => {
    const { call, converse, production, staging } = await openEnvironments();
    const id = await converse(production, { externalId: 'call-1', startedAt: '2026-10-01T00:00:00Z' });
    const body = { avatarId, deploymentId: staging };
    for (const response of [
      await call('POST', '/conversations', { ...body, externalId: 'call-1' }),
      await call('PUT', '/conversations/by-external-id/call-1', { ...body, resume: true }),
      await call('POST', '/conversations/import', {
        conversations: [{ ...body, externalId: 'call-1', startedAt: '2026-10-01T00:00:00Z', messages: [] }],
      }),
    ]) {
      expect(response.error.code, response.text).toBe('external_id_taken');
      expect(response.text).not.toContain(id);
    }
  });

  test('a stored response is not replayed for another environment', async () => {
    const { api, project, call, staging } = await openEnvironments();
    const body = { avatarId, deploymentId: staging };
    await api.call('POST', `${project}/conversations`, { body, idempotencyKey: 'once' });
    const { error } = await call('POST', '/conversations', body, { idempotencyKey: 'once' });
    expect(error.code).toBe('idempotency_key_reused');
  });
});

test('a served avatar is not deleted, and the message does not name another environment', async () => {
  const { api, project, call, production } = await openEnvironments();
  const [avatar] = (await api.call('GET', `${project}/avatars`)).data.items as Json[];
  expect((await call('DELETE', '/environments/staging')).status).toBe(200);
  const refused = await call('DELETE', `/avatars/${avatar?.id}`);
  expect(refused.error.code, refused.text).toBe('avatar_in_use');
  expect(refused.text).not.toMatch(new RegExp(`production|${production}`));
  const { text } = await api.call('DELETE', `${project}/avatars/${avatar?.id}`);
  expect(text).toContain(
    `The environment production serves this avatar in its current deployment ${production}`,
  );
});

describe('jobs', () => {
  test('that reach all environments do not exist, and those of no environment do', async () => {
    const { api, project, call } = await openEnvironments();
    const erasure = await api.call('POST', `${project}/conversations/erase`, {
      body: { externalUserId: 'u' },
    });
    expect(erasure.status, erasure.text).toBe(202);
    expect((await call('GET', `/jobs/${erasure.data.id}`)).status).toBe(404);
    const reindex = await call('POST', '/conversations/reindex');
    expect((await call('GET', `/jobs/${reindex.data.id}`)).status, reindex.text).toBe(200);
    const types = ((await call('GET', '/jobs')).data.items as Json[]).map(({ type }) => type);
    expect(new Set(types)).toEqual(new Set(['knowledge.reindex', 'conversations.reindex']));
  });

  test('the result of an expunge names only environments of the caller', async () => {
    const { api, project, call } = await openEnvironments();
    const [document] = (await api.call('GET', `${project}/knowledge/documents`)).data.items as Json[];
    const path = `${project}/knowledge/documents/${document?.id}?expunge=true`;
    const { data: job, text } = await api.call('DELETE', path);
    expect(job.type, text).toBe('knowledge.expunge');
    await api.workOff(api.projectId, `${job.id}`);
    const environmentsOf = (shown: Json) => (shown.result as { environments: string[] }).environments;
    const all = (await api.call('GET', `${project}/jobs/${job.id}`)).data;
    expect(environmentsOf(all).toSorted()).toEqual(['production', 'staging']);
    expect(environmentsOf((await call('GET', `/jobs/${job.id}`)).data)).toEqual(['staging']);
    const listed = (await call('GET', '/jobs?type=knowledge.expunge')).data.items as Json[];
    expect(listed.map(environmentsOf)).toEqual([['staging']]);
  });
});

describe('grants', () => {
  test('a credential grants only environments that it has, by default all of them', async () => {
    const { api, key } = await openEnvironments();
    const create = (body: Json) =>
      api.call('POST', '/api-keys', { key, body: { name: 'k', scopes: ['deploy:read'], ...body } });
    expect((await create({})).data.environments).toEqual(['staging']);
    expect((await create({ environments: ['staging'] })).status).toBe(201);
    for (const environments of [['production'], ['staging', 'production']])
      expect((await create({ environments })).error.code).toBe('insufficient_scope');
  });

  test('a credential does not change, rotate or end a key with more environments', async () => {
    const { api, key } = await openEnvironments();
    for (const environments of [undefined, ['staging', 'production']]) {
      const { id } = await api.createKey({ scopes: ['deploy:read'], ...(environments && { environments }) });
      for (const [method, path, body] of [
        ['PATCH', '', { name: 'another' }],
        ['POST', '/rotate', {}],
        ['DELETE', '', undefined],
      ] as const) {
        const response = await api.call(method, `/api-keys/${id}${path}`, { key, ...(body && { body }) });
        expect(response.error?.code, `${method} ${response.text}`).toBe('insufficient_scope');
      }
    }
  });

  test('GET /me and the audit log have the environments', async () => {
    const { api, key, keyId } = await openEnvironments();
    expect((await api.call('GET', '/me', { key })).data.environments).toEqual(['staging']);
    expect((await api.call('GET', '/me')).data.environments).toBeNull();
    await api.logChanges();
    const events = (await api.call('GET', '/audit-events?action=api-keys.create')).data.items as Json[];
    const event = events.find(({ resource }) => (resource as Json).id === keyId);
    expect(event?.changes).toMatchObject({ after: { environments: ['staging'] } });
  });

  const faults = {
    'no environment': [],
    '21 environments': Array.from({ length: 21 }, (_, index) => `e${index}`),
    'an environment twice': ['staging', 'staging'],
    'a name that no environment can have': ['Staging'],
    'a name of 41 characters': ['e'.repeat(41)],
  };
  describe.each(Object.entries(faults))('%s', (what, environments) => {
    refuses('validation_error', what, async () => {
      const api = await openApiWith(issuer);
      return api.call('POST', '/api-keys', { body: { name: 'k', scopes: ['deploy:read'], environments } });
    });
  });
});

describe('other credentials', () => {
  test('the tokens of a workload identity are bound as it is', async () => {
    const api = await openApiWith(issuer);
    const signer = newSigner('ES256', 'k');
    const identity = await createIdentity(api, 'https://oidc.acme.example', {
      scopes: ['deploy:write'],
      environments: ['staging'],
      jwks: { keys: [jwkOf(signer)] },
    });
    const key = tokenFor(api, identity, signer);
    expect((await api.call('GET', '/me', { key })).data.environments).toEqual(['staging']);
    const path = `/projects/${await api.createProject()}/deployments`;
    expect((await api.call('POST', path, { key, body: { environment: 'production' } })).status).toBe(404);
    expect((await api.call('POST', path, { key, body: { environment: 'staging' } })).status).toBe(201);
  });

  test('the configured claim of an access token binds it', async () => {
    const api = await openApiWith(issuer, { environmentsClaim: 'environments' });
    const me = (environments: unknown) =>
      api.call('GET', '/me', { key: api.forge(environments === undefined ? {} : { environments }) });
    expect((await me(['staging'])).data.environments).toEqual(['staging']);
    expect((await me('*')).data.environments).toBeNull();
    for (const wrong of [
      undefined,
      [],
      'staging',
      ['Staging'],
      Array.from({ length: 21 }, (_, index) => `e${index}`),
    ]) {
      const response = await me(wrong);
      expect(response.status).toBe(401);
      expect(response.error.message).toContain('names of environments');
    }
  });
});
