import { describe, expect, test } from 'vitest';
import { allScopes } from '../../../lib/base/scopes.ts';
import { dayMs, hourMs } from '../../../lib/base/time.ts';
import { apiKeyPattern } from '../../../lib/credentials/api-key.ts';
import { type Json, openApi } from '../../../samples/api.ts';
import { refuses, responds } from '../../support/responses.ts';

const body = { name: 'ci', scopes: ['projects:read'] };

const lifetimeMs = ({ createdAt, expiresAt }: Json) =>
  Date.parse(expiresAt as string) - Date.parse(createdAt as string);

describe('api-keys.create', () => {
  responds(201, 'with a key that works', async () => {
    const { call, rootKey } = await openApi();
    const me = await call('GET', '/api-keys/me', { key: rootKey });
    const response = await call('POST', '/api-keys', { body });
    const { id, secret, createdAt, expiresAt } = response.data as Record<string, string>;
    expect(response.data).toEqual({
      id,
      name: 'ci',
      scopes: ['projects:read'],
      projectIds: null,
      environments: null,
      mode: 'live',
      hint: `sk_live_…${secret?.slice(-4)}`,
      status: 'active',
      createdAt,
      createdBy: me.data.id,
      expiresAt,
      revokedAt: null,
      allowedCidrs: null,
      rateLimit: null,
      childrenRevocation: null,
      previousSecretExpiresAt: null,
      lastUsedAt: null,
      lastUsedFrom: null,
      secret,
    });
    expect(id).toMatch(/^key_[0-7][0-9A-HJKMNP-TV-Z]{25}$/);
    expect(secret).toMatch(apiKeyPattern);
    expect(lifetimeMs(response.data)).toBe(90 * dayMs);
    expect((await call('GET', '/projects', { key: secret as string })).status).toBe(200);
    return response;
  });

  responds(201, "in the caller's mode", async () => {
    const api = await openApi();
    const key = await api.testModeKey();
    const response = await api.call('POST', '/api-keys', { key, body });
    expect(response.data).toMatchObject({ mode: 'test', secret: expect.stringMatching(/^sk_test_/) });
    return response;
  });

  responds(201, 'with a limit, and with that of the creating key if none is sent', async () => {
    const { call } = await openApi();
    const rateLimit = { requests: 100, per: '1m' };
    const scopes = ['api-keys:write'];
    const response = await call('POST', '/api-keys', { body: { ...body, scopes, rateLimit } });
    expect(response.data.rateLimit).toEqual(rateLimit);
    const key = `${response.data.secret}`;
    const create = (more: object) => call('POST', '/api-keys', { key, body: { ...body, scopes, ...more } });
    expect((await create({})).data.rateLimit).toEqual(rateLimit);
    const lower = { requests: 1, per: '1s' };
    expect((await create({ rateLimit: lower })).data.rateLimit).toEqual(lower);
    return response;
  });

  refuses('insufficient_scope', 'a higher limit than that of the creating key, and none', async () => {
    const api = await openApi();
    const scopes = ['api-keys:write'];
    const { secret: key } = await api.createKey({ scopes, rateLimit: { requests: 100, per: '1m' } });
    const create = (rateLimit: unknown) =>
      api.call('POST', '/api-keys', { key, body: { ...body, scopes, rateLimit } });
    for (const rateLimit of [
      { requests: 101, per: '1m' },
      { requests: 2, per: '1s' },
      { requests: 6000, per: '1h' },
    ]) {
      expect((await create(rateLimit)).error.message).toContain('a higher limit of requests');
    }
    return create(null);
  });

  test.each([
    ['requests', { requests: 0, per: '1m' }],
    ['requests', { requests: 1.5, per: '1m' }],
    ['requests', { requests: 10_001, per: '1s' }],
    ['requests', { requests: 600_001, per: '1m' }],
    ['requests', { requests: 36_000_001, per: '1h' }],
    ['requests', { requests: '5', per: '1m' }],
    ['requests', { per: '1m' }],
    ['per', { requests: 5, per: '1d' }],
    ['per', { requests: 5 }],
    ['burst', { requests: 5, per: '1m', burst: 9 }],
  ])('a limit with a wrong %s is invalid: %j', async (field, rateLimit) => {
    const { call } = await openApi();
    const response = await call('POST', '/api-keys', { body: { ...body, rateLimit } });
    expect(response.error.details).toMatchObject([{ path: `rateLimit.${field}` }]);
  });

  responds(201, 'bound to projects, when these are there', async () => {
    const { call, createProject } = await openApi();
    const projectIds = [await createProject(), await createProject()];
    const response = await call('POST', '/api-keys', { body: { ...body, projectIds } });
    expect(response.data.projectIds).toEqual(projectIds);
    return response;
  });

  responds(201, 'bound as the caller is, when nothing is said', async () => {
    const { call, createKey, createProject } = await openApi();
    const projectIds = [await createProject()];
    const { secret } = await createKey({ scopes: ['api-keys:write', 'projects:read'], projectIds });
    const response = await call('POST', '/api-keys', { key: secret, body });
    expect(response.data.projectIds).toEqual(projectIds);
    return response;
  });

  responds(201, 'and without a lifetime it lives no longer than the caller', async () => {
    const { call, createKey } = await openApi();
    const { secret } = await createKey({ scopes: ['api-keys:write', 'projects:read'], expiresIn: '2h' });
    const response = await call('POST', '/api-keys', { key: secret, body });
    expect(lifetimeMs(response.data)).toBeLessThanOrEqual(2 * hourMs);
    return response;
  });

  responds(201, 'and read is granted by who may write', async () => {
    const { call, createKey } = await openApi();
    const { secret } = await createKey({ scopes: ['api-keys:write', 'projects:write'] });
    return call('POST', '/api-keys', { key: secret, body });
  });

  refuses('insufficient_scope', 'a scope that the caller does not hold, by name', async () => {
    const { call, createKey } = await openApi();
    const { secret } = await createKey({ scopes: ['api-keys:write', 'projects:read'] });
    const response = await call('POST', '/api-keys', {
      key: secret,
      body: { ...body, scopes: ['projects:read', 'projects:write'] },
    });
    expect(response.error.message).toContain('projects:write');
    return response;
  });

  responds(201, 'with its own addresses, or those of the caller when nothing is said', async () => {
    const { call, createKey } = await openApi();
    const allowedCidrs = ['127.0.0.0/8', '2001:db8::/32'];
    const { secret } = await createKey({ scopes: ['api-keys:write'], allowedCidrs });
    const own = { name: 'k', scopes: ['api-keys:read'] };
    const inherited = await call('POST', '/api-keys', { key: secret, body: own });
    expect(inherited.data.allowedCidrs).toEqual(allowedCidrs);
    const narrow = { ...own, allowedCidrs: ['127.0.0.1/32'] };
    const response = await call('POST', '/api-keys', { key: secret, body: narrow });
    expect(response.data.allowedCidrs).toEqual(['127.0.0.1/32']);
    return response;
  });

  refuses('insufficient_scope', 'addresses that the caller does not have', async () => {
    const { call, createKey } = await openApi();
    const { secret } = await createKey({ scopes: ['api-keys:write'], allowedCidrs: ['127.0.0.0/8'] });
    const body = { name: 'k', scopes: ['api-keys:read'], allowedCidrs: ['127.0.0.1/32', '10.0.0.0/8'] };
    const response = await call('POST', '/api-keys', { key: secret, body });
    expect(response.error.message).toContain('10.0.0.0/8');
    return response;
  });

  refuses('insufficient_scope', "a longer life than the caller's", async () => {
    const { call, createKey } = await openApi();
    const { secret } = await createKey({ scopes: ['api-keys:write', 'projects:read'], expiresIn: '1d' });
    return call('POST', '/api-keys', { key: secret, body: { ...body, expiresIn: '25h' } });
  });

  refuses('insufficient_scope', 'a project that the caller is not bound to', async () => {
    const { call, createKey, createProject } = await openApi();
    const [mine, other] = [await createProject(), await createProject()];
    const scopes = ['api-keys:write', 'projects:read'];
    const { secret } = await createKey({ scopes, projectIds: [mine] });
    return call('POST', '/api-keys', { key: secret, body: { ...body, projectIds: [mine, other] } });
  });

  refuses('not_found', "another organisation's project", async () => {
    const { call } = await openApi();
    const other = await openApi();
    return call('POST', '/api-keys', { body: { ...body, projectIds: [await other.createProject()] } });
  });

  refuses('secret_unavailable', 'a repetition with another credential, which gets the rest', async () => {
    const { call, createKey } = await openApi();
    const { secret: other } = await createKey({ scopes: allScopes });
    const request = { body, idempotencyKey: 'sealed' };
    const first = await call('POST', '/api-keys', request);
    const response = await call('POST', '/api-keys', { ...request, key: other });
    const { secret, ...rest } = first.data;
    expect(response.error.resource).toEqual(rest);
    expect(response.error.message).toContain('rotate it');
    expect(response.text).not.toContain(secret as string);
    expect((await call('POST', '/api-keys', request)).text).toBe(first.text);
    return response;
  });

  test.each([
    ['12h', 12 * hourMs],
    ['1d', dayMs],
    ['365d', 365 * dayMs],
    ['52w', 364 * dayMs],
    ['8760h', 365 * dayMs],
  ])('201 lives for %s', async (expiresIn, ms) => {
    const { call } = await openApi();
    const { data } = await call('POST', '/api-keys', { body: { ...body, expiresIn } });
    expect(lifetimeMs(data)).toBe(ms);
  });

  test.each([
    ['no scopes', { scopes: [] }, 'scopes'],
    ['a scope twice', { scopes: ['projects:read', 'projects:read'] }, 'scopes'],
    ['51 scopes', { scopes: Array(51).fill('projects:read') }, 'scopes'],
    ['an unknown scope', { scopes: ['projects:admin'] }, 'scopes.0'],
    ['a scope with a wildcard', { scopes: ['projects:read', '*'] }, 'scopes.1'],
    ['scopes as text', { scopes: 'projects:read' }, 'scopes'],
    ['no name', { name: undefined }, 'name'],
    ['a name of 101 characters', { name: 'x'.repeat(101) }, 'name'],
    ['a control character in the name', { name: 'a\u001bb' }, 'name'],
    ...[
      '0d',
      '366d',
      '53w',
      '8761h',
      '1',
      'd',
      '1m',
      '1.5d',
      '-1d',
      '1D',
      ' 1d',
      '1d ',
      '01d',
      '',
      '1e2d',
      '99999999999999999999d',
    ].map((expiresIn) => [`expiresIn ${JSON.stringify(expiresIn)}`, { expiresIn }, 'expiresIn'] as const),
    ['expiresIn as a number', { expiresIn: 90 }, 'expiresIn'],
    ['expiresIn null', { expiresIn: null }, 'expiresIn'],
    ['a mode', { mode: 'live' }, 'mode'],
    ['no addresses', { ...body, allowedCidrs: [] }, 'allowedCidrs'],
    [
      '21 blocks',
      { ...body, allowedCidrs: Array.from({ length: 21 }, (_, n) => `10.0.${n}.0/24`) },
      'allowedCidrs',
    ],
    ['a block twice', { ...body, allowedCidrs: ['10.0.0.0/8', '10.0.0.0/8'] }, 'allowedCidrs'],
    ['an address without a prefix', { ...body, allowedCidrs: ['10.0.0.1'] }, 'allowedCidrs.0'],
    ['IPv4 in the form of IPv6', { ...body, allowedCidrs: ['::ffff:10.0.0.0/104'] }, 'allowedCidrs.0'],
    ['no projects', { projectIds: [] }, 'projectIds'],
    ['a project that is none', { projectIds: ['p1'] }, 'projectIds.0'],
  ] as const)('400 validation_error: %s', async (_, change, path) => {
    const { call } = await openApi();
    const { error } = await call('POST', '/api-keys', { body: { ...body, ...change } });
    expect(error.code).toBe('validation_error');
    expect(error.details?.[0]?.path).toBe(path);
  });
});
