import { describe, expect, test } from 'vitest';
import { newerVersion } from '../../../lib/base/version.ts';
import { openApi } from '../../../samples/api.ts';

describe('an older client is told of the version of the service', () => {
  test.each([
    ['platform-api-client/0.1.0', '0.2.0'],
    ['platform-api-cli/0.1.9 (linux)', '0.2.0'],
    ['platform-api-python/0.1.0', '0.2.0'],
    ['platform-api-client/0.1.0-g1bc1bbf', '0.2.0'],
    ['platform-api-client/0.9.0', '0.10.0'],
    ['platform-api-client/1.9.9', '2.0.0'],
  ])('%s, %s', (userAgent, version) => {
    expect(newerVersion(userAgent, version)).toBe(version);
  });

  test.each([
    ['platform-api-client/0.2.0', '0.2.0'],
    ['platform-api-client/0.3.0', '0.2.0'],
    ['platform-api-client/0.2.0-g1bc1bbf', '0.2.0'],
    ['platform-api-client/1.0.0', '0.9.9'],
    ['curl/7.88.1', '0.2.0'],
    ['other platform-api-client/0.1.0', '0.2.0'],
    ['platform-api-client/0.1', '0.2.0'],
    ['platform-api-client/', '0.2.0'],
    [`platform-api-client/${'0'.repeat(100_000)}.1.0`, '0.2.0'],
    ['platform-api-client/0.1.0', 'unknown'],
    [undefined, '0.2.0'],
  ])('%.40s is not, with %s', (userAgent, version) => {
    expect(newerVersion(userAgent, version)).toBeUndefined();
  });

  test('in every response: of a success, an error and a replay', async () => {
    const { call } = await openApi(() => ({ version: '0.2.0' }));
    const headers = { 'User-Agent': 'platform-api-client/0.1.0' };
    const create = () => call('POST', '/projects', { body: { name: 'A' }, idempotencyKey: 'once', headers });
    const responses = [
      await create(),
      await create(),
      await call('GET', '/projects/none', { headers }),
      await call('GET', '/health', { key: null, headers }),
      await call('GET', '/projects', { key: 'wrong', headers }),
    ];
    expect(responses.map(({ status }) => status)).toEqual([201, 201, 404, 200, 401]);
    for (const response of responses) expect(response.headers['Platform-Client-Latest']).toBe('0.2.0');
    const { headers: others } = await call('GET', '/health', { key: null });
    expect(others).not.toHaveProperty('Platform-Client-Latest');
  });
});
