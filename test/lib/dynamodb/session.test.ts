/** A store takes only the declared actions, in its own tenant. */

import { expect, test } from 'vitest';
import { commit } from '../../../lib/dynamodb/commit.ts';
import { openSession } from '../../../lib/dynamodb/session.ts';
import { bindStore } from '../../../lib/dynamodb/store.ts';
import type { Access } from '../../../lib/dynamodb/tables.ts';
import { testRuntime } from '../../../samples/api.ts';

const open = (access: Access, tenant = 'org_a#live') => {
  const { client, tableNames } = testRuntime();
  const session = openSession(client, tableNames, access);
  return { session, store: bindStore(session, tenant) };
};

const range = { from: 'proj_', to: 'proj_z', after: undefined, limit: 1 };
const stamp = { changedBy: 'nobody', changedThrough: 'a test', changedIn: 'never' };
const author = { ...stamp, nowMs: 0 };

test('an undeclared action is refused before it is sent', async () => {
  const { store, session } = open({ projects: ['GetItem'] });
  await expect(store.page('projects', range)).rejects.toThrow('Query on "projects" is not declared');
  await expect(store.get('apiKeys', 'key_a')).rejects.toThrow('GetItem on "apiKeys" is not declared');
  await expect(store.getMany('projects', ['proj_a'])).rejects.toThrow('BatchGetItem on "projects"');
  expect(session.usage.roundTrips).toBe(0);
  expect(await store.get('projects', 'proj_none')).toBeUndefined();
});

test('an undeclared action in a transaction is refused before it is sent', async () => {
  const { store, session } = open({ projects: ['PutItem'] });
  const writes = [
    store.put('projects', { id: 'proj_a' }),
    store.remove('projects', 'proj_b', { condition: { kind: 'present' } }),
  ];
  await expect(commit(session, writes, author)).rejects.toThrow('DeleteItem on "projects" is not declared');
});

test('a table whose name is not configured is refused', async () => {
  const { client } = testRuntime();
  const session = openSession(client, {}, { projects: ['GetItem'] });
  await expect(bindStore(session, 'org_a#live').get('projects', 'a')).rejects.toThrow(
    'no table name is configured for "projects"',
  );
});

test("a write goes to the store's own tenant, whatever the item says", async () => {
  const access: Access = { projects: ['GetItem', 'PutItem'] };
  const mine = open(access, 'org_mine#live');
  const item = { id: 'proj_forged', tenant: 'org_yours#live', changedBy: 'somebody else' };
  await commit(mine.session, [mine.store.put('projects', item)], author);
  expect(await open(access, 'org_yours#live').store.get('projects', 'proj_forged')).toBeUndefined();
  expect(await mine.store.get('projects', 'proj_forged')).toMatchObject(stamp);
});

test('counts sequential round trips and consumed capacity', async () => {
  const { store, session } = open({ projects: ['GetItem', 'PutItem'] });
  await Promise.all([store.get('projects', 'a'), store.get('projects', 'b')]);
  expect(session.usage).toEqual({ roundTrips: 1, readUnits: 2, writeUnits: 0, databaseErrors: 0 });
  await commit(session, [store.put('projects', { id: `proj_${Math.random()}` })], author);
  expect(session.usage).toEqual({ roundTrips: 2, readUnits: 2, writeUnits: 1, databaseErrors: 0 });
});
