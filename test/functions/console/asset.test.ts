import { describe, expect } from 'vitest';
import { openApi } from '../../support/api.ts';
import { refuses, responds } from '../../support/responses.ts';

describe('console.asset', () => {
  responds(200, 'with each file of the page, which caches may keep for a year', async () => {
    const { call } = await openApi();
    const page = await call('GET', '/console', { key: null });
    const files = [...page.text.matchAll(/console\/([\w-]+\.(js|css|txt))/g)];
    expect(files.map(([, , type]) => type).sort()).toEqual(['css', 'js', 'txt']);
    const responses = await Promise.all(files.map(([path]) => call('GET', `/${path}`, { key: null })));
    expect(responses.map(({ headers }) => headers['Content-Type']).sort()).toEqual([
      'text/css; charset=utf-8',
      'text/javascript; charset=utf-8',
      'text/plain; charset=utf-8',
    ]);
    for (const { headers } of responses) {
      expect(headers['Cache-Control']).toBe('public, max-age=31536000, immutable');
      expect(headers.Vary).toBe('Accept-Encoding');
    }
    const [response] = responses;
    if (!response) throw new Error('the page loads no file');
    return response;
  });

  refuses('not_found', 'a file that does not exist', async () => {
    const { call } = await openApi();
    for (const name of ['page.html', 'stamp', '..%2F..%2Fpackage.json', 'index.mjs', 'a.js%00']) {
      expect((await call('GET', `/console/${name}`, { key: null })).status, name).toBe(404);
    }
    return call('GET', '/console/main-00000000.js', { key: null });
  });
});
