import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { openDownloads } from '../../lib/downloads/downloads.ts';
import { openApi } from '../../samples/api.ts';
import { memoryDownloads, releaseOf } from '../../samples/downloads.ts';
import { refuses, responds } from '../support/responses.ts';
import { serveApi } from '../support/served-api.ts';

const version = '0.2.0-g1bc1bbf';

const openWith = async (earlier: readonly string[] = []) => {
  const store = memoryDownloads();
  for (const one of earlier) await openDownloads(releaseOf(one), store).list();
  const downloads = openDownloads(releaseOf(version), store);
  return { store, ...(await openApi(() => ({ downloads }))) };
};

type Item = { file: string; kind: string; url: string; install: string; bytes: number; sha256: string };

describe('downloads.list', () => {
  responds(200, 'with the files of the release, and how they are installed', async () => {
    const { call } = await openWith();
    const response = await call('GET', '/downloads', { key: null, headers: { Host: 'api.example.com' } });
    const base = 'https://api.example.com/api/v1/downloads';
    expect(response.data.nextCursor).toBeNull();
    expect(response.data.items).toMatchObject([
      {
        file: 'platform-api-cli-0.2.0-g1bc1bbf.tgz',
        kind: 'cli',
        version,
        url: `${base}/platform-api-cli-0.2.0-g1bc1bbf.tgz`,
        install: `npm install --global ${base}/platform-api-cli.tgz`,
      },
      {
        kind: 'typescript',
        install: `npm install ${base}/platform-api-client-0.2.0-g1bc1bbf.tgz`,
      },
      {
        kind: 'python',
        install: `pip install --force-reinstall ${base}/platform_api-0.2.0-0g1bc1bbf-py3-none-any.whl`,
      },
    ]);
    return response;
  });

  test('earlier releases follow, in pages, and name only files that never change', async () => {
    const { call } = await openWith(['0.1.0-g0000001', '0.1.1-g0000002']);
    const files: Item[] = [];
    let cursor: unknown;
    do {
      const query = `?limit=4${cursor ? `&cursor=${cursor}` : ''}`;
      const { data } = await call('GET', `/downloads${query}`, { key: null });
      files.push(...(data.items as Item[]));
      cursor = data.nextCursor;
    } while (cursor);
    expect(files.map(({ file }) => file.match(/g[0-9a-f]{7}/)?.[0])).toEqual(
      ['g1bc1bbf', 'g0000002', 'g0000001'].flatMap((commit) => [commit, commit, commit]),
    );
    for (const { url, install } of files.slice(3)) expect(install.endsWith(url)).toBe(true);
  });

  test.each([
    ['127.0.0.1:3000', 'http://127.0.0.1:3000/api/v1/downloads/'],
    ['[::1]:3000', 'http://[::1]:3000/api/v1/downloads/'],
    ['abc.execute-api.localhost:4566', 'http://abc.execute-api.localhost:4566/api/v1/downloads/'],
    ['localhost.example.com', 'https://localhost.example.com/api/v1/downloads/'],
  ])('addresses have the host %s that the caller used', async (host, expected) => {
    const { call } = await openWith();
    const { data } = await call('GET', '/downloads', { key: null, headers: { Host: host } });
    for (const { url } of data.items as Item[]) expect(url).toContain(expected);
  });

  refuses('validation_error', 'a cursor of another list', async () => {
    const { call } = await openWith();
    return call('GET', '/downloads?cursor=abc', { key: null });
  });

  refuses('service_unavailable', 'if the files cannot be kept', async () => {
    const failing = { ...memoryDownloads(), read: () => Promise.reject(new Error('S3 did not answer')) };
    const downloads = openDownloads(releaseOf(version), failing);
    const { call } = await openApi(() => ({ downloads }));
    return call('GET', '/downloads', { key: null });
  });
});

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
