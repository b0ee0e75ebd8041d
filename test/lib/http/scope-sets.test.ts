/** An endpoint that accepts one of several sets of scopes, and more of some requests. No endpoint of the API is needed for it. */

import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { rootScopes, type Scope, type ScopeSets } from '../../../lib/base/scopes.ts';
import { reachOf } from '../../../lib/http/admission.ts';
import { defineEndpoint } from '../../../lib/http/endpoint.ts';
import { concernsEnvironments } from '../../../lib/http/environments.ts';
import { coreOf } from '../../../lib/http/middleware/cores.ts';
import { createHandler } from '../../../lib/http/middleware/pipeline.ts';
import { bindWait } from '../../../lib/http/waiting.ts';
import type { Tool } from '../../../lib/mcp/tools.ts';
import { apiOf, type ContractApi, openApi, type TestApi } from '../../../samples/api.ts';
import { call as send } from '../../../scripts/local/call.ts';
import { routesOf } from '../../../scripts/local/service.ts';
import { openApiDocument } from '../../../scripts/openapi/document.ts';
import { operation } from '../../../scripts/openapi/operation.ts';
import { Components, type Json } from '../../../scripts/openapi/schemas.ts';
import { toolsFile } from '../../../scripts/openapi/tools.ts';
import { acceptsSet, contract, setsForSample } from '../../support/contract.ts';

const usual: ScopeSets = [['conversations:write', 'deploy:read'], ['runtime:write']];
const draft = ['conversations:write', 'deploy:read', 'knowledge:read', 'avatars:read'] as const;

/** It has the place of an endpoint that has a sample, so that the contract can be shown for it. */
const endpoint = defineEndpoint({
  id: 'projects.create',
  method: 'POST',
  path: '/projects',
  summary: 'Ask an avatar',
  description: 'For this test.',
  auth: usual,
  scopesFor: ({ body: { name } }) => (name === 'draft' ? [draft] : undefined),
  request: { body: z.looseObject({ name: z.string() }) },
  causes: { nothing: 'It stores nothing.' },
  responses: { 201: z.object({ id: z.string() }).meta({ id: 'Thing', description: 'A thing.' }) },

  handle: async ({ newId }) => ({ status: 201, data: { id: newId('project') } }),
});

/** It never has what it waits for. */
const waiting = defineEndpoint({
  id: 'me.get',
  method: 'GET',
  path: '/me',
  summary: 'Wait for an answer',
  description: 'For this test.',
  auth: usual,
  scopesFor: ({ query: { name } }) => (name === 'draft' ? [draft] : undefined),
  waits: bindWait,
  request: { query: z.strictObject({ name: z.string() }) },
  responses: { 200: z.object({ isDone: z.boolean() }).meta({ id: 'Wait', description: 'A wait.' }) },

  async handle({ wait }) {
    const isDone = await wait.until(
      () => false,
      (done) => done,
      3,
    );
    return { status: 200, data: { isDone } };
  },
});

/** @returns the API with the endpoints in their places */
function withEndpoints(api: TestApi): ContractApi {
  const routes = routesOf(api.runtime).map((route) => {
    const own = [endpoint, waiting].find(({ id }) => id === route.endpoint.id);
    return own ? { endpoint: own, handler: createHandler(own, api.runtime, coreOf(own)) } : route;
  });
  const { rootKey, organisationId } = api;
  const call: TestApi['call'] = (method, path, options = {}) =>
    send(routes, method, path, { key: rootKey, ...options });
  return { ...api, ...apiOf({ call, rootKey, organisationId }), createKey: api.createKey };
}

const open = async () => withEndpoints(await openApi());

describe('a credential needs all scopes of one set', () => {
  type Row = [name: 'usual' | 'draft', held: readonly Scope[], lack: string | undefined];
  test.each<Row>([
    ['usual', ['conversations:write', 'deploy:read'], undefined],
    ['usual', ['conversations:write', 'deploy:write'], undefined],
    ['usual', ['runtime:write'], undefined],
    ['usual', ['conversations:write'], 'the scope deploy:read or the scope runtime:write'],
    [
      'usual',
      ['conversations:read', 'deploy:read'],
      'the scope conversations:write or the scope runtime:write',
    ],
    ['usual', ['runtime:read'], 'the scope runtime:write'],
    ['usual', ['projects:write'], 'the scope runtime:write'],
    ['draft', draft, undefined],
    ['draft', rootScopes, undefined],
    ['draft', ['conversations:write', 'deploy:read'], 'the scopes knowledge:read, avatars:read'],
    ['draft', ['conversations:write', 'deploy:read', 'knowledge:read'], 'the scope avatars:read'],
    [
      'draft',
      ['runtime:write', 'knowledge:read'],
      'the scopes conversations:write, deploy:read, avatars:read',
    ],
    // What every request needs is asked first.
    [
      'draft',
      ['avatars:read', 'deploy:read', 'knowledge:read'],
      'the scope conversations:write or the scope runtime:write',
    ],
  ])('%s with %j lacks %s', async (name, scopes, lack) => {
    const api = await open();
    const { secret: key } = await api.createKey({ scopes });
    const { status, error } = await api.call('POST', '/projects', { key, body: { name } });
    expect([status, error.code, error.message]).toEqual(
      lack ? [403, 'insufficient_scope', `This request requires ${lack}.`] : [201, undefined, undefined],
    );
  });

  test('a stored response is replayed only to who still has what the request requires', async () => {
    const api = await open();
    const { id, secret: key } = await api.createKey({ scopes: draft });
    const ask = (name: string) =>
      api.call('POST', '/projects', { key, body: { name }, idempotencyKey: `the ${name}` });
    const hold = (scopes: readonly Scope[]) => api.call('PATCH', `/api-keys/${id}`, { body: { scopes } });
    const [first, other] = [await ask('draft'), await ask('usual')];
    expect([first.status, other.status]).toEqual([201, 201]);
    await hold(['conversations:write', 'deploy:read']);
    expect((await ask('draft')).error.message).toContain('the scopes knowledge:read, avatars:read');
    expect((await ask('usual')).text).toBe(other.text);
    await hold(['conversations:write']);
    expect((await ask('usual')).error.code).toBe('insufficient_scope');
    await hold(draft);
    expect((await ask('draft')).text).toBe(first.text);
  });
});

test('a request that waits is refused when its credential loses what it requires', async () => {
  const api = await open();
  const { id, secret: key } = await api.createKey({ scopes: draft });
  const wait = (name: string) => api.call('GET', `/me?name=${name}`, { key });
  const asked = [wait('draft'), wait('usual')];
  await api.call('PATCH', `/api-keys/${id}`, { body: { scopes: ['conversations:write', 'deploy:read'] } });
  const [ofDraft, ofUsual] = await Promise.all(asked);
  expect(ofDraft?.error.message).toContain('the scopes knowledge:read, avatars:read');
  expect([ofUsual?.status, ofUsual?.data]).toEqual([200, { isDone: false }]);
});

describe('the contract', () => {
  test('is shown by each set, and by each set without one of its scopes', async () => {
    const api = await open();
    expect(await setsForSample(endpoint, api)).toEqual(usual);
    for (const set of usual) expect(await acceptsSet(endpoint, api, set)).toBe(true);
    expect(await acceptsSet(endpoint, api, ['conversations:write'])).toBe(false);
    const row = contract.find(({ proves }) => proves === 'insufficient_scope');
    expect((await row?.act(endpoint, api))?.error.code).toBe('insufficient_scope');
  });

  test('is not kept by an endpoint that accepts something else than it declares', async () => {
    const api = await open();
    const strict = { ...endpoint, auth: [['conversations:write', 'deploy:read'], ['audit:read']] as const };
    const row = contract.find(({ proves }) => proves === 'insufficient_scope');
    // The key without audit:read and deploy:read has runtime:write.
    await expect(row?.act(strict, api)).rejects.toThrow('insufficient_scope');
    expect(await acceptsSet(strict, api, ['audit:read'])).toBe(false);
  });
});

describe('what is derived', () => {
  const derived = operation(endpoint, new Components(), undefined);

  test('the OpenAPI document says what is needed together', () => {
    expect(derived).toMatchObject({
      'x-scopes': [['conversations:write', 'deploy:read'], 'runtime:write'],
      description: expect.stringContaining(
        'Requires the scopes `conversations:write` and `deploy:read`. With `runtime:write`, only the conversations that',
      ),
    });
  });

  test('of sets without a scope of a runtime, it names each', () => {
    const described = (auth: ScopeSets) =>
      `${operation({ ...endpoint, auth }, new Components(), undefined).description}`.split('\n\n')[1];
    expect(described([['events:read'], ['deploy:read', 'audit:read']])).toBe(
      'Requires the scope `events:read`, or the scopes `deploy:read` and `audit:read`.',
    );
    expect(described([['events:read'], ['deploy:read'], ['audit:read']])).toBe(
      'Requires the scope `events:read`, `deploy:read` or `audit:read`.',
    );
  });

  test('a tool of agents needs one of the sets', () => {
    const document = openApiDocument();
    const paths = document.paths as Record<string, Record<string, Json>>;
    Object.assign(paths['/projects']?.post ?? {}, { 'x-scopes': derived['x-scopes'] });
    const tools = JSON.parse(toolsFile(document)) as Pick<Tool, 'id' | 'scopes'>[];
    const scopesOf = (id: string) => tools.find((tool) => tool.id === id)?.scopes;
    expect(scopesOf('projects.create')).toEqual(usual);
    expect(scopesOf('projects.list')).toEqual([['projects:read']]);
  });

  test('a credential that is bound to environments is kept in them, whatever the order of the sets', () => {
    expect(concernsEnvironments(endpoint)).toBe(true);
    expect(concernsEnvironments({ auth: usual.toReversed() })).toBe(true);
    expect(concernsEnvironments({ auth: 'any' })).toBe(false);
  });

  test('only who has no other set reaches as far as a runtime', () => {
    const reach = (scopes: readonly Scope[]) =>
      reachOf(endpoint, { id: 'key_1', scopes, environments: null } as Parameters<typeof reachOf>[1]);
    expect(reach(['runtime:write'])).toBe('key_1');
    expect(reach(['runtime:write', 'conversations:write'])).toBe('key_1');
    expect(reach(['runtime:write', 'conversations:write', 'deploy:read'])).toBeUndefined();
  });
});
