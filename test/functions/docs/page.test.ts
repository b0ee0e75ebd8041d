import { describe, expect } from 'vitest';
import { openApi } from '../../../samples/api.ts';
import { responds } from '../../support/responses.ts';

describe('docs.page', () => {
  responds(200, 'with a page that loads only from its own origin, in no frame', async () => {
    const { call } = await openApi();
    const response = await call('GET', '/docs', { key: null });
    expect(response.text).toMatch(/^<!doctype html>/);
    expect(response.headers).toMatchObject({
      'Content-Type': 'text/html; charset=utf-8',
      'Cache-Control': 'public, no-cache',
      Vary: 'Accept-Encoding',
      'X-Frame-Options': 'DENY',
      'Referrer-Policy': 'no-referrer',
    });
    const policy = response.headers['Content-Security-Policy'] ?? '';
    expect(policy).toContain("default-src 'none'; script-src 'self';");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toMatch(/unsafe-eval|https?:|\*/);
    // Relative, so that it works at any base path.
    const addresses = [...response.text.matchAll(/(?:src|href)="([^"]+)"/g)].map(
      ([, address = '']) => address,
    );
    for (const address of addresses) expect(address).toMatch(/^(docs\/|openapi\.json$|data:,$)/);
    return response;
  });

  responds(304, 'to the entity tag of the page, also among others, and to *', async () => {
    const { call } = await openApi();
    const { headers } = await call('GET', '/docs', { key: null });
    const tag = headers.ETag ?? '';
    expect(tag).toMatch(/^W\/"[\w-]{27}"$/);
    const known = (value: string) => call('GET', '/docs', { key: null, headers: { 'If-None-Match': value } });
    for (const value of ['"other"', '', 'W/other']) expect((await known(value)).status, value).toBe(200);
    for (const value of [tag, '*', tag.replace('W/', '')]) expect((await known(value)).status).toBe(304);
    const response = await known(`"other", ${tag}`);
    expect(response.text).toBe('');
    expect(response.headers).toMatchObject({
      ETag: tag,
      'Cache-Control': 'public, no-cache',
      Vary: 'Accept-Encoding',
    });
    return response;
  });
});
