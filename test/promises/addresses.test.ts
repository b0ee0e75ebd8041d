/** A key with `allowedCidrs` is an unknown key for every other address, and the address is never read from a header. */

import { randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { makeApiKey, parseApiKey } from '../../lib/credentials/api-key.ts';
import { meter } from '../../measures/meter.ts';
import { type CallOptions, openApi, storedOf } from '../../samples/api.ts';

const inside = '203.0.113.7';
const outside = '198.51.100.23';

async function openBound() {
  let metered = meter({} as never);
  const api = await openApi(({ client }) => {
    metered = meter(client);
    return { client: metered.client };
  });
  const scopes = ['api-keys:write', 'projects:write'];
  const key = await api.createKey({ scopes, allowedCidrs: ['203.0.113.0/24', '2001:db8::/32'] });
  const me = (options: CallOptions) => api.call('GET', '/api-keys/me', { key: key.secret, ...options });
  /** @returns what the request used of DynamoDB */
  const usageOf = async (options: CallOptions) => {
    metered.reset();
    await me(options);
    const { roundTrips, readUnits, writeUnits } = metered.usage();
    return { roundTrips, readUnits, writeUnits };
  };
  return { ...api, ...key, me, usageOf };
}

/** @returns a well-formed key with the same id and another secret */
function unknown(secret: string): string {
  const location = parseApiKey(secret);
  if (!location) throw new Error('the key does not parse');
  return makeApiKey(location, randomBytes).secret;
}

/** Headers with which proxies name an address. */
const forwarded = (address: string) => ({
  'X-Forwarded-For': address,
  Forwarded: `for=${address}`,
  'X-Real-IP': address,
  'X-Client-IP': address,
  'True-Client-IP': address,
  'CF-Connecting-IP': address,
  'CloudFront-Viewer-Address': `${address}:443`,
});

describe('a key with allowedCidrs', () => {
  test.each([inside, '2001:db8::1', `::ffff:${inside}`])('is accepted from %s', async (sourceIp) => {
    const { me } = await openBound();
    expect((await me({ sourceIp, headers: forwarded(outside) })).status).toBe(200);
  });

  test.each([outside, '2001:db9::1', '::ffff:198.51.100.23', 'fe80::1%eth0', '', 'unknown'])(
    'is an unknown key from %j, whatever the headers say',
    async (sourceIp) => {
      const { me, secret, usageOf } = await openBound();
      const request = { sourceIp, requestId: 'the-request', headers: forwarded(inside) };
      const another = { ...request, key: unknown(secret) };
      const [refused, wanted] = [await me(request), await me(another)];
      expect([refused.status, refused.text, refused.headers]).toEqual([401, wanted.text, wanted.headers]);
      expect(await usageOf(request)).toEqual(await usageOf(another));
    },
  );

  test('is one there also when it is revoked, and that use is not noted', async () => {
    const { me, id, call, ...api } = await openBound();
    await call('DELETE', `/api-keys/${id}`);
    expect((await me({ sourceIp: outside })).error.message).toBe('Unknown API key');
    expect((await me({ sourceIp: inside })).error.message).toBe('This API key is revoked');
    const [stored] = (await storedOf(api, 'apiKeys')).filter((key) => key.id === id);
    expect(stored).toMatchObject({ lastUsedAt: null });
  });

  test('shows from where it was used', async () => {
    const { me, id, call } = await openBound();
    await me({ sourceIp: inside });
    await expect.poll(async () => (await call('GET', `/api-keys/${id}`)).data.lastUsedFrom).toBe(inside);
  });

  test('gets no stored response from another address', async () => {
    const { call, secret } = await openBound();
    const request = { key: secret, body: { name: 'p' }, idempotencyKey: 'once' };
    const first = await call('POST', '/projects', { ...request, sourceIp: inside });
    expect(first.status).toBe(201);
    expect((await call('POST', '/projects', { ...request, sourceIp: outside })).status).toBe(401);
    expect((await call('POST', '/projects', { ...request, sourceIp: inside })).text).toBe(first.text);
  });
});
