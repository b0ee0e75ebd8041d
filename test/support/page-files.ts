/** The files of a page that the service serves. */

import { expect } from 'vitest';
import { openApi } from '../../samples/api.ts';

/**
 * Checks every file that a page names.
 * @param page its path, such as `docs`
 * @returns one of the responses
 */
export async function filesOf(page: string) {
  const { call } = await openApi();
  const { text } = await call('GET', `/${page}`, { key: null });
  const files = text
    .split(/["\s]/)
    .filter((word) => word.startsWith(`${page}/`) && /\.(js|css|txt)$/.test(word));
  expect(files.map((file) => file.split('.').at(-1)).sort()).toEqual(['css', 'js', 'txt']);
  const responses = await Promise.all(files.map((file) => call('GET', `/${file}`, { key: null })));
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
}

/** @returns the response to a file with another hash */
export async function missingFileOf(page: string) {
  const { call } = await openApi();
  for (const name of ['page.html', 'stamp', '..%2F..%2Fpackage.json', 'index.mjs', 'a.js%00'])
    expect((await call('GET', `/${page}/${name}`, { key: null })).status, name).toBe(404);
  return call('GET', `/${page}/main-00000000.js`, { key: null });
}
