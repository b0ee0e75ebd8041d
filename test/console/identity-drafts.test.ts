/** The form of a workload identity. */

import { expect, test } from 'vitest';
import { claimsOf, creation, emptyDraft } from '../../console/src/pages/identities/draft.ts';

test('claims are lines with a name and a value', () => {
  expect(claimsOf(' repository_id = 1001 \n\nref=refs/heads/a=b\nempty=')).toEqual({
    claims: { repository_id: '1001', ref: 'refs/heads/a=b', empty: '' },
  });
  expect(claimsOf('')).toEqual({ claims: {} });
});

test.each([
  ['repository_id', '“repository_id” is not name=value.'],
  ['=1001', '“=1001” is not name=value.'],
  ['a=1\na=2', '“a” is there twice.'],
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
  expect(creation(draft, {}, 0)).toEqual(shared);
  expect(creation({ ...draft, expiresIn: '1d', projectIds: ['p'] }, {}, 0)).toEqual({
    ...shared,
    expiresAt: '1970-01-02T00:00:00.000Z',
    projectIds: ['p'],
  });
});
