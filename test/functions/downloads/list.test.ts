import { describe, expect, test } from 'vitest';
import { openDownloads } from '../../../lib/downloads/downloads.ts';
import { openApi } from '../../../samples/api.ts';
import { memoryDownloads, releaseOf } from '../../../samples/downloads.ts';
import { refuses, responds } from '../../support/responses.ts';

const version = '0.2.0-g1bc1bbf';

const openWith = async (earlier: readonly string[] = []) => {
  const store = memoryDownloads();
  for (const one of earlier) await openDownloads(releaseOf(one), store).list();
  const downloads = openDownloads(releaseOf(version), store);
  return { store, ...(await openApi(() => ({ downloads }))) };
};

type Item = { file: string; kind: string; url: string; install: string };

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
