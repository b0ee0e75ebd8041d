/** Which key is left that can create keys when another key ends. */

import { expect, test } from 'vitest';
import { chainOf, creatorAfter } from '../../../lib/api-keys/creators.ts';
import type { StoredApiKey } from '../../../lib/api-keys/store.ts';

const key = (id: string, createdBy: string, more: Partial<StoredApiKey> = {}) =>
  ({ id, createdBy, scopes: ['api-keys:write'], expiresAt: null, revokedAt: null, ...more }) as StoredApiKey;

const root = key('root', 'operator');
const child = key('child', 'root');
const grandchild = key('grandchild', 'child');
const reader = key('reader', 'root', { scopes: ['projects:read'] });
const keys = [root, child, grandchild, reader];

test('the oldest key stays that can create keys', () => {
  expect(creatorAfter(keys, child, false, 0)).toEqual({ creator: root, endsCreator: false });
  expect(creatorAfter(keys, root, false, 0)).toEqual({ creator: child, endsCreator: true });
});

test('a key that ends with its children leaves none of them', () => {
  expect(creatorAfter(keys, root, true, 0)).toEqual({ creator: undefined, endsCreator: true });
  expect(creatorAfter(keys, child, true, 0)).toEqual({ creator: root, endsCreator: false });
});

test('a key that cannot create keys is no other creator', () => {
  expect(creatorAfter([root, reader], root, false, 0)).toEqual({ creator: undefined, endsCreator: true });
  expect(creatorAfter([root, reader], reader, false, 0)).toEqual({ creator: root, endsCreator: false });
});

test('a key whose family a worker is about to end is no other creator', () => {
  const childrenRevocation = {
    requestedAt: '2026-01-01T00:00:00.000Z',
    scopes: [],
    projectIds: null,
    finishedAt: null,
    revoked: 0,
    skipped: 0,
    webhookIds: [],
  };
  const ending = key('child', 'root', { childrenRevocation });
  expect(creatorAfter([root, ending, grandchild], root, false, 0)).toEqual({
    creator: undefined,
    endsCreator: true,
  });
});

test('the chain of a key has its creator, the creator of that key, and so on', () => {
  expect(chainOf(grandchild, keys)).toEqual([grandchild, child, root]);
  const deep = Array.from({ length: 20 }, (_, index) => key(`${index}`, `${index - 1}`));
  expect(chainOf(deep[19] ?? root, deep)).toHaveLength(11);
});
