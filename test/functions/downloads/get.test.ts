import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { openApi } from '../../../samples/api.ts';
import { refuses, responds } from '../../support/responses.ts';
import { serveApi } from '../../support/served-api.ts';

type Item = { file: string; bytes: number; sha256: string };

describe('downloads.get', () => {
  responds(200, 'with the bytes of each listed file, which caches may keep for a year', async () => {
    const { call } = await openApi();
    const { data } = await call('GET', '/downloads', { key: null });
    const items = data.items as Item[];
    expect(items).toHaveLength(3);
    const responses = [];
    for (const { file, bytes, sha256 } of items) {
      const response = await call('GET', `/downloads/${file}`, { key: null });
      const content = Buffer.from(response.text, 'base64');
      expect(content).toHaveLength(bytes);
      expect(createHash('sha256').update(content).digest('hex')).toBe(sha256);
      expect(response.headers).toMatchObject({
        'Content-Type': 'application/octet-stream',
        'Cache-Control': 'public, max-age=31536000, immutable',
      });
      responses.push(response);
    }
    return responses[0] as (typeof responses)[0];
  });

  responds(302, 'for a name without a version, to the current file', async () => {
    const { call } = await openApi();
    const { data } = await call('GET', '/downloads', { key: null });
    const [cli] = data.items as [Item];
    const response = await call('GET', '/downloads/platform-api-cli.tgz', { key: null });
    expect(response.headers).toMatchObject({ Location: cli.file, 'Cache-Control': 'public, no-cache' });
    expect(response.text).toBe('');
    return response;
  });

  test('over HTTP, a redirect leads to bytes that no encoding has changed', async () => {
    const { baseUrl, close } = await serveApi();
    const response = await fetch(`${baseUrl}/downloads/platform-api-cli.tgz`, { headers: { Accept: '*/*' } });
    const bytes = Buffer.from(await response.arrayBuffer());
    close();
    expect(response.url).toMatch(/\/downloads\/platform-api-cli-0\.1\.0-g1bc1bbf\.tgz$/);
    expect(bytes.subarray(0, 4)).toEqual(Buffer.from([0x1f, 0x8b, 0xff, 0x00]));
  });

  refuses('not_found', 'a file that no kept release has', async () => {
    const { call } = await openApi();
    const names = [
      'releases.json',
      'release.json',
      '..%2Findex.mjs',
      '.env',
      'x'.repeat(101),
      'a%00b',
      'index.mjs',
    ];
    for (const name of names) {
      expect((await call('GET', `/downloads/${name}`, { key: null })).status, name).toBe(404);
    }
    return call('GET', '/downloads/platform-api-cli-9.9.9-g0000000.tgz', { key: null });
  });
});
