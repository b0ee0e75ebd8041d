/** The form of a workload identity. */

import { expect, test } from 'vitest';
import {
  change,
  claimsOf,
  creation,
  draftOf,
  emptyDraft,
  problemsOf,
} from '../../console/src/pages/identities/draft.ts';

test('claims are lines with a name and a value', () => {
  expect(claimsOf(' repository_id = 1001 \n\nref=refs/heads/a=b\nempty=')).toEqual({
    claims: { repository_id: '1001', ref: 'refs/heads/a=b', empty: '' },
  });
  expect(claimsOf('')).toEqual({ claims: {} });
});

test.each([
  ['repository_id', '“repository_id” is not name=value'],
  ['=1001', '“=1001” is not name=value'],
  ['a=1\na=2', '“a” is there twice'],
])('%j is a mistake', (text, error) => {
  expect(claimsOf(text)).toEqual({ error });
});

test('a claim with a name of every object is a claim', () => {
  const read = claimsOf('__proto__=1');
  expect('claims' in read && Object.entries(read.claims)).toEqual([['__proto__', '1']]);
});

test('only what was chosen is sent', () => {
  const draft = {
    ...emptyDraft,
    name: 'n',
    issuer: ' https://gitlab.com ',
    subject: 's',
    scopes: ['projects:read' as const],
  };
  const shared = {
    name: 'n',
    issuer: 'https://gitlab.com',
    subject: 's',
    claims: {},
    scopes: ['projects:read'],
  };
  expect(creation(draft, 0)).toEqual(shared);
  const more = {
    expiresIn: '1d',
    projectIds: ['p'],
    claims: 'a=1',
    addresses: '::1/128, 10.0.0.0/8',
    requests: '5',
  };
  expect(creation({ ...draft, ...more, jwks: '{"keys":[]}' }, 0)).toEqual({
    ...shared,
    claims: { a: '1' },
    allowedCidrs: ['::1/128', '10.0.0.0/8'],
    rateLimit: { requests: 5, per: '1m' },
    jwks: { keys: [] },
    expiresAt: '1970-01-02T00:00:00.000Z',
    projectIds: ['p'],
  });
});

const identity = {
  id: 'wid_01JZ4Y7Q8R5T2V9W3X6B0C1D4E',
  name: 'n',
  issuer: 'https://gitlab.com',
  subject: 's',
  // The form shows a line end as two lines.
  claims: { note: 'a\nb=c' },
  audience: 'urn:platform:org_01JZ4Y7Q8R5T2V9W3X6B0C1D4E:live:wid_01JZ4Y7Q8R5T2V9W3X6B0C1D4E',
  scopes: ['projects:read', 'avatars:read'],
  projectIds: null,
  environments: null,
  allowedCidrs: ['::1/128'],
  rateLimit: { requests: 5, per: '1s' },
  expiresAt: '2027-01-01T00:00:00.000Z',
  status: 'active',
  jwks: { keys: [] },
  createdBy: 'key_01JZ4Y7Q8R5T2V9W3X6B0C1D4E',
  createdAt: '2026-01-01T00:00:00.000Z',
  updatedAt: '2026-01-01T00:00:00.000Z',
  lastUsedAt: null,
  lastUsedFrom: null,
  deletedAt: null,
  childrenRevocation: null,
} as const satisfies Parameters<typeof draftOf>[0];

test('only what differs from the stored identity is sent', () => {
  const draft = draftOf(identity);
  expect(change(identity, draft, 0)).toBe(undefined);
  expect(change(identity, { ...draft, scopes: ['avatars:read', 'projects:read'] }, 0)).toBe(undefined);
  expect(
    change(identity, { ...draft, addresses: '', requests: '', jwks: ' ', expiresIn: 'never' }, 0),
  ).toEqual({
    allowedCidrs: null,
    rateLimit: null,
    jwks: null,
    expiresAt: null,
  });
  expect(change(identity, { ...draft, claims: 'ref=main', per: '1h', expiresIn: '1h' }, 0)).toEqual({
    claims: { ref: 'main' },
    rateLimit: { requests: 5, per: '1h' },
    expiresAt: '1970-01-01T01:00:00.000Z',
  });
});

test('text that is no claim or no set of keys is said at its field', () => {
  expect(problemsOf({ claims: 'a', jwks: '[]' })).toEqual([
    { path: 'claims', message: '“a” is not name=value' },
    { path: 'jwks', message: 'must be an object: { "keys": [ … ] }' },
  ]);
  expect(problemsOf({ claims: '', jwks: '{' })).toEqual([{ path: 'jwks', message: 'is no JSON' }]);
  expect(problemsOf({ claims: 'a=1', jwks: '' })).toEqual([]);
});
