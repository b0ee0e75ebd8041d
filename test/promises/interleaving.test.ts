/** Two requests, step by step: one is held between its read and its write, while the other runs. */

import { GetCommand, PutCommand, TransactWriteCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, test } from 'vitest';
import { allScopes } from '../../lib/base/scopes.ts';
import { dayMs } from '../../lib/base/time.ts';
import { encodeCursor } from '../../lib/http/cursor.ts';
import { type Json, openApi } from '../../samples/api.ts';
import { deploy, openProject, pointerOf } from '../support/avatars.ts';
import { intercept } from '../support/faults.ts';
import { createIdentity, jwkOf, newSigner, tokenFor } from '../support/workloads.ts';

const commits = [PutCommand, UpdateCommand, TransactWriteCommand];

/** @returns the API, in which the next commit waits until `meanwhile` is done */
async function openHeld() {
  let meanwhile: (() => Promise<unknown>) | undefined;
  const api = await openApi(({ client }) => ({
    client: intercept(client, (command, proceed) => {
      if (!meanwhile || !commits.some((kind) => command instanceof kind)) return undefined;
      // Noting that a key was used is no commit.
      if (JSON.stringify(command.input).includes('SET lastUsedAt')) return undefined;
      const act = meanwhile;
      meanwhile = undefined;
      return act().then(proceed);
    }),
  }));
  const held = (act: () => Promise<unknown>) => {
    meanwhile = act;
  };
  const stored = async (table: 'projects' | 'apiKeys', id: string, within = '') => {
    const Key = { tenant: `${api.organisationId}#live${within}`, id };
    const command = new GetCommand({ TableName: api.runtime.tableNames[table], Key });
    return (await api.runtime.client.send(command)).Item as Json | undefined;
  };
  return { ...api, held, stored };
}

describe('a project', () => {
  test('two changes of one field: the later one stays, and each response was true in its turn', async () => {
    const { call, createProject, held } = await openHeld();
    const id = await createProject({ metadata: { n: '0' } });
    held(() => call('PATCH', `/projects/${id}`, { body: { metadata: { n: '1' }, description: 'kept' } }));
    const response = await call('PATCH', `/projects/${id}`, { body: { metadata: { n: '2' } } });
    // It was decided again on top of the other: its answer has the changes of the other request.
    expect(response.data).toMatchObject({ metadata: { n: '2' }, description: 'kept' });
    expect((await call('GET', `/projects/${id}`)).data).toEqual(response.data);
  });

  test('a change during its deletion is not lost', async () => {
    const { call, createProject, held } = await openHeld();
    const id = await createProject();
    held(() => call('PATCH', `/projects/${id}`, { body: { name: 'changed' } }));
    const deleted = await call('DELETE', `/projects/${id}`);
    expect(deleted.data).toMatchObject({ name: 'changed', status: 'deleted' });
    expect((await call('POST', `/projects/${id}/restore`)).data.name).toBe('changed');
  });

  test('two simultaneous restores: one succeeds, the slower one gets 409', async () => {
    const { call, createProject, held } = await openHeld();
    const id = await createProject();
    await call('DELETE', `/projects/${id}`);
    held(() => call('POST', `/projects/${id}/restore`));
    expect((await call('POST', `/projects/${id}/restore`)).error.code).toBe('project_not_deleted');
  });

  test('a restore that sees the effect of its own duplicate, but not its record, gets the same response', async () => {
    let meanwhile: (() => Promise<unknown>) | undefined;
    let recordRead: Promise<unknown> | undefined;
    const { call, createProject } = await openApi(({ client }) => ({
      client: intercept(client, (command, proceed) => {
        if (!meanwhile || !(command instanceof GetCommand)) return undefined;
        if (command.input.TableName?.endsWith('idempotency')) {
          recordRead = proceed();
          return recordRead;
        }
        if (!command.input.TableName?.endsWith('projects')) return undefined;
        const act = meanwhile;
        meanwhile = undefined;
        // All reads start at the same time. The read of the record ends before the duplicate begins, this read after its end.
        return Promise.resolve(recordRead).then(act).then(proceed);
      }),
    }));
    const id = await createProject();
    await call('DELETE', `/projects/${id}`);
    const restore = () => call('POST', `/projects/${id}/restore`, { idempotencyKey: 'restore' });
    let first: Awaited<ReturnType<typeof restore>> | undefined;
    meanwhile = async () => {
      first = await restore();
    };
    const second = await restore();
    expect(recordRead).toBeDefined();
    expect([first?.status, first?.headers['Idempotent-Replayed']]).toEqual([200, undefined]);
    expect([second.status, second.headers['Idempotent-Replayed'], second.data]).toEqual([
      200,
      'true',
      first?.data,
    ]);
  });

  test('has the time of its purge while deleted, and none when restored', async () => {
    const { call, createProject, stored } = await openHeld();
    const id = await createProject();
    await call('DELETE', `/projects/${id}`);
    const purgeAtMs = Date.parse(`${(await stored('projects', id, '#deleted'))?.purgeAt}`);
    expect(purgeAtMs - Date.now()).toBeGreaterThan(6.9 * dayMs);
    expect(purgeAtMs - Date.now()).toBeLessThan(7.1 * dayMs);
    await call('POST', `/projects/${id}/restore`);
    expect(await stored('projects', id, '#deleted')).toBeUndefined();
    const back = await stored('projects', id);
    expect([back?.purgeAt, back?.restoresTo]).toEqual([undefined, undefined]);
  });

  test('every change is stamped with its author and call', async () => {
    const { call, createKey, createProject, stored, requestLines } = await openHeld();
    const id = await createProject();
    const { id: other, secret } = await createKey({ scopes: ['projects:write'] });
    await call('PATCH', `/projects/${id}`, { key: secret, body: { name: 'x' } });
    const line = requestLines().at(-1);
    expect(await stored('projects', id)).toMatchObject({ changedBy: other, changedIn: line?.call });
  });
});

describe('an API key', () => {
  test('does not get back a scope that is removed while it changes itself', async () => {
    const { call, createKey, held } = await openHeld();
    const both = ['api-keys:write', 'projects:write'];
    const { id, secret } = await createKey({ scopes: both });
    held(() => call('PATCH', `/api-keys/${id}`, { body: { scopes: ['api-keys:write'] } }));
    const response = await call('PATCH', `/api-keys/${id}`, { key: secret, body: { scopes: both } });
    expect(response.error.code).toBe('insufficient_scope');
    expect((await call('GET', `/api-keys/${id}`)).data.scopes).toEqual(['api-keys:write']);
  });

  test.each([
    ['is revoked', async (call: Held['call'], id: string) => call('DELETE', `/api-keys/${id}`)],
    [
      'loses the scope',
      async (call: Held['call'], id: string) =>
        call('PATCH', `/api-keys/${id}`, { body: { scopes: ['api-keys:write'] } }),
    ],
  ])('that %s while it creates another key or extends one, does neither', async (_, act) => {
    for (const key of ['new', 'other']) {
      const { call, createKey, held } = await openHeld();
      const scopes = ['api-keys:write', 'projects:read'];
      const { id, secret } = await createKey({ scopes });
      const other = await createKey({ scopes: ['api-keys:read'], expiresIn: '1d' });
      held(() => act(call, id));
      const response = await (key === 'new'
        ? call('POST', '/api-keys', { key: secret, body: { name: 'child', scopes: ['projects:read'] } })
        : call('PATCH', `/api-keys/${other.id}`, { key: secret, body: { scopes: ['projects:read'] } }));
      expect([response.status, response.headers['Retry-After']]).toEqual([503, '1']);
      const names = ((await call('GET', '/api-keys')).data.items as Json[]).map(({ name }) => name);
      expect(names).not.toContain('child');
      expect((await call('GET', `/api-keys/${other.id}`)).data.scopes).toEqual(['api-keys:read']);
    }
  });

  test('is revoked at the first attempt, however often it is renamed meanwhile', async () => {
    const { call, createKey, held } = await openHeld();
    const { id, secret } = await createKey({ scopes: ['api-keys:write'] });
    let renames = 0;
    held(async () => {
      for (; renames < 3; renames += 1) {
        await call('PATCH', `/api-keys/${id}`, { key: secret, body: { name: `n${renames}` } });
      }
    });
    expect((await call('DELETE', `/api-keys/${id}`)).data.status).toBe('revoked');
    expect(renames).toBe(3);
    expect((await call('GET', '/api-keys/me', { key: secret })).status).toBe(401);
  });

  test("a request id that a client chose twice is no version: a change under it does not pass for one's own", async () => {
    const { call, createKey, held } = await openHeld();
    const { id } = await createKey({ scopes: allScopes });
    held(() => call('DELETE', `/api-keys/${id}`, { requestId: 'same' }));
    const response = await call('PATCH', `/api-keys/${id}`, { requestId: 'same', body: { name: 'x' } });
    expect(response.error.code).toBe('key_not_active');
  });

  test('has a TTL from its creation, and a new one from its revocation', async () => {
    const { call, createKey, stored, advance } = await openHeld();
    const { id } = await createKey({ expiresIn: '10d' });
    const daysLeft = async () => (((await stored('apiKeys', id))?.ttl as number) * 1000 - Date.now()) / dayMs;
    expect(await daysLeft()).toBeCloseTo(100, 1);
    await call('DELETE', `/api-keys/${id}`);
    expect(await daysLeft()).toBeCloseTo(90, 1);
    const { id: expired } = await createKey({ expiresIn: '1d' });
    advance(20 * dayMs);
    await call('DELETE', `/api-keys/${expired}`);
    expect(((await stored('apiKeys', expired))?.ttl as number) * 1000 - Date.now()).toBeLessThan(
      91.1 * dayMs,
    );
  });
});

describe('a workload identity', () => {
  const signer = newSigner('ES256', 'k1');
  const jwks = { keys: [jwkOf(signer)] };

  test.each([
    ['is deleted', 'DELETE', undefined],
    ['is suspended', 'PATCH', { status: 'suspended' }],
    ['loses the scope', 'PATCH', { scopes: ['api-keys:write'] }],
  ])('that %s while it creates a key or an identity, creates neither', async (_, method, body) => {
    for (const path of ['/api-keys', '/workload-identities']) {
      const api = await openHeld();
      const scopes = ['api-keys:write', 'projects:read'];
      const identity = await createIdentity(api, 'https://issuer.example', { scopes, jwks });
      const key = tokenFor(api, identity, signer);
      api.held(() => api.call(method, `/workload-identities/${identity.id}`, { ...(body && { body }) }));
      const child = { name: 'child', scopes: ['projects:read'] };
      const trust = { issuer: 'https://issuer.example', subject: 'repo:acme/bots', jwks };
      const response = await api.call('POST', path, {
        key,
        body: path === '/api-keys' ? child : { ...child, ...trust },
      });
      expect([response.status, response.headers['Retry-After']], response.text).toEqual([503, '1']);
      const names = ((await api.call('GET', path)).data.items as Json[]).map(({ name }) => name);
      expect(names).not.toContain('child');
    }
  });
});

describe('a deployment', () => {
  const openHeldProject = async () => {
    const held = await openHeld();
    return { ...(await openProject(held)), held: held.held };
  };

  test('includes an avatar that is changed or created while it is created', async () => {
    const api = await openHeldProject();
    const first = await api.createAvatar();
    const second: { id?: string } = {};
    api.held(async () => {
      await api.send('PATCH', `/avatars/${first.id}`, { name: 'Eve' });
      second.id = (await api.createAvatar()).id;
    });
    const { avatars } = await deploy(api);
    expect(avatars).toEqual([
      { avatarId: first.id, version: 2 },
      { avatarId: second.id, version: 1 },
    ]);
  });

  test('leaves out an avatar that is deleted or archived while it is created', async () => {
    const api = await openHeldProject();
    const [deleted, archived] = [await api.createAvatar(), await api.createAvatar()];
    api.held(async () => {
      await api.send('DELETE', `/avatars/${deleted.id}`);
      await api.send('PATCH', `/avatars/${archived.id}`, { status: 'archived' });
    });
    expect((await deploy(api)).avatars).toEqual([]);
  });

  test('keeps an avatar from being deleted, even in a new environment', async () => {
    const api = await openHeldProject();
    const { id } = await api.createAvatar();
    api.held(() => deploy(api, { environment: 'new' }));
    expect((await api.send('DELETE', `/avatars/${id}`)).error.code).toBe('avatar_in_use');
    expect((await api.send('GET', '/environments/new/config')).data.avatars).toMatchObject([{ id }]);
  });

  test('stays staged if a rollback pins the environment while it is created', async () => {
    const api = await openHeldProject();
    const first = await deploy(api);
    await deploy(api);
    api.held(() => api.send('POST', '/rollback', { environment: 'production' }));
    expect(await deploy(api)).toMatchObject({ phase: 'staged', heldBack: true });
    expect(await pointerOf(api)).toEqual({ current: first.id, previous: null, pinned: true });
  });

  test('promoted twice while another one is promoted is current once', async () => {
    const api = await openHeldProject();
    const other = await deploy(api, { promote: false });
    const { id } = await deploy(api, { promote: false });
    api.held(async () => {
      await api.send('POST', `/deployments/${id}/promote`);
      await api.send('POST', `/deployments/${other.id}/promote`);
    });
    expect((await api.send('POST', `/deployments/${id}/promote`)).data.phase).toBe('current');
    expect(await pointerOf(api)).toEqual({ current: id, previous: other.id, pinned: false });
  });
});

test('an avatar that is changed during its deletion is deleted with the change', async () => {
  const held = await openHeld();
  const api = await openProject(held);
  const { id } = await api.createAvatar();
  held.held(() => api.send('PATCH', `/avatars/${id}`, { name: 'Eve' }));
  expect((await api.send('DELETE', `/avatars/${id}`)).data).toMatchObject({ name: 'Eve', version: 2 });
});

test('If-Match is checked at the moment of the write', async () => {
  const held = await openHeld();
  const api = await openProject(held);
  const { id } = await api.createAvatar();
  const headers = { 'If-Match': '"1"' };
  for (const [method, body] of [['PATCH', { name: 'Bob' }], ['DELETE']] as const) {
    held.held(() => api.send('PATCH', `/avatars/${id}`, { metadata: { by: method } }));
    const response = await api.send(method, `/avatars/${id}`, body, { headers });
    expect(response.error.code).toBe('version_mismatch');
    headers['If-Match'] = '"2"';
  }
});

type Held = Awaited<ReturnType<typeof openHeld>>;

test('a record that cannot be read and a use that cannot be noted cost one request, not the process', async () => {
  let failing = false;
  const { call, createKey } = await openApi(({ client }) => ({
    client: intercept(client, (command) => {
      if (!failing) return undefined;
      const throttled = Object.assign(new Error('slow down'), { name: 'ThrottlingException' });
      const { TableName } = command.input as { TableName?: string };
      if (command instanceof GetCommand && TableName?.endsWith('idempotency')) {
        return new Promise((_, reject) => setTimeout(() => reject(throttled), 5));
      }
      if (command instanceof UpdateCommand) {
        return new Promise((_, reject) => setTimeout(() => reject(throttled), 30));
      }
      return undefined;
    }),
  }));
  const { secret } = await createKey({ scopes: ['projects:write'] });
  failing = true;
  const unhandled: unknown[] = [];
  const listen = (reason: unknown) => void unhandled.push(reason);
  process.on('unhandledRejection', listen);
  const response = await call('POST', '/projects', { key: secret, body: { name: 'p' }, idempotencyKey: 'k' });
  await new Promise((done) => setTimeout(done, 60));
  process.off('unhandledRejection', listen);
  expect(response.error.code).toBe('service_unavailable');
  expect(unhandled).toEqual([]);
});

describe('a key that is bound to projects sees', () => {
  test("never the response of another key, even if it repeats that key's request", async () => {
    const { call, createKey, createProject } = await openApi();
    const projectIds = [await createProject()];
    const { secret } = await createKey({ scopes: ['projects:write', 'api-keys:write'], projectIds });
    const requests: [string, Json][] = [
      ['/projects', { name: 'Q3 acquisition' }],
      ['/api-keys', { name: 'k', scopes: ['projects:read'] }],
    ];
    for (const [path, body] of requests) {
      await call('POST', path, { body, idempotencyKey: path });
      const response = await call('POST', path, { key: secret, body, idempotencyKey: path });
      expect(response.error.code).toBe('idempotency_key_reused');
      expect(response.error.resource).toBeUndefined();
    }
  });

  test('no id outside its projects, even in the cursor of a full page', async () => {
    const { call, createKey, createProject } = await openApi();
    const projectIds = [await createProject()];
    const hidden = await createKey({});
    const own = await createKey({ scopes: ['api-keys:read'], projectIds });
    const { data } = await call('GET', '/api-keys?limit=1', { key: own.secret });
    const position = Buffer.from((data.nextCursor as string | null) ?? '', 'base64url').toString();
    expect(position).not.toContain(hidden.id);
  });

  test('its own projects in a time range', async () => {
    const { call, createKey, createProject, advance } = await openApi();
    const old = await createProject();
    advance(10_000);
    const recent = await createProject();
    const { secret } = await createKey({ projectIds: [old, recent] });
    const { data } = await call('GET', `/projects/${recent}`);
    const after = new Date(Date.parse(data.createdAt as string) - 5000).toISOString();
    const shown = await call('GET', `/projects?createdAfter=${after}`, { key: secret });
    expect((shown.data.items as Json[]).map(({ id }) => id)).toEqual([recent]);
  });
});

test('only its own list or a 400 with a forged cursor', async () => {
  const { call, organisationId, createProject } = await openApi();
  await createProject();
  const list = [`${organisationId}#live`, 'projects.list', {}, []];
  const at = async (position: string) =>
    (await call('GET', `/projects?cursor=${encodeCursor(position, list)}`)).status;
  for (const position of ['', 'zzzz', 'proj_0', 'proj_\0', '\ud800']) expect(await at(position)).toBe(400);
  const ulids = ['0'.repeat(26), `7${'Z'.repeat(25)}`];
  for (const ulid of ulids) {
    for (const prefix of ['proj', 'key', 'zzz']) expect(await at(`${prefix}_${ulid}`)).toBe(200);
  }
});

test('a page of the largest projects fits into a response, and the cursor goes on', async () => {
  const { call, createProject } = await openApi();
  const metadata = Object.fromEntries(
    Array.from({ length: 50 }, (_, index) => [`k${index}`, '\u0001'.repeat(500)]),
  );
  await Promise.all(Array.from({ length: 45 }, () => createProject({ metadata })));
  let count = 0;
  for (let cursor = ''; ; ) {
    const response = await call('GET', `/projects?limit=100${cursor && `&cursor=${cursor}`}`);
    expect(Buffer.byteLength(response.text)).toBeLessThan(6_000_000);
    count += (response.data.items as Json[]).length;
    if (response.data.nextCursor === null) break;
    cursor = response.data.nextCursor as string;
  }
  expect(count).toBe(45);
});
