import { describe, expect, test } from 'vitest';
import { openApi } from '../../../samples/api.ts';
import { responds } from '../../support/responses.ts';

const signIn = { issuer: 'https://login.example/"><b>', clientId: 'console', resource: 'urn:platform' };

describe('console.page', () => {
  responds(200, 'with a page that loads only from its own origin, in no frame', async () => {
    const { call } = await openApi();
    const response = await call('GET', '/console', { key: null });
    expect(response.text).toMatch(/^<!doctype html>/);
    expect(response.text).not.toMatch(/<script[^>]*>[^<]|<style|\son\w+=|style=/);
    expect(response.headers).toMatchObject({
      'Content-Type': 'text/html; charset=utf-8',
      'Cache-Control': 'public, no-cache',
      Vary: 'Accept-Encoding',
      'X-Frame-Options': 'DENY',
      'Referrer-Policy': 'no-referrer',
      'Content-Security-Policy':
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; " +
        "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    });
    // Relative, so that it works at any base path.
    const addresses = [...response.text.matchAll(/(?:src|href)="([^"]+)"/g)].map(
      ([, address = '']) => address,
    );
    for (const address of addresses) expect(address).toMatch(/^(console\/[\w.-]+|docs|data:,)$/);
    return response;
  });

  responds(304, 'to the entity tag of the page', async () => {
    const { call } = await openApi();
    const { headers } = await call('GET', '/console', { key: null });
    const response = await call('GET', '/console', {
      key: null,
      headers: { 'If-None-Match': headers.ETag ?? '' },
    });
    expect(response.text).toBe('');
    return response;
  });

  test('names the OIDC client of the stage, as an attribute, and may connect to its issuer only', async () => {
    const { call } = await openApi(() => ({ signIn }));
    const { text, headers } = await call('GET', '/console', { key: null });
    const [, attribute = ''] = /data-sign-in="([^"]*)"/.exec(text) ?? [];
    const decoded = attribute.replace(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code)));
    expect(JSON.parse(decoded)).toEqual(signIn);
    expect(text).not.toContain('<b>');
    expect(headers['Content-Security-Policy']).toContain("connect-src 'self' https://login.example; ");
    const withFiles = await openApi(() => ({ signIn, uploadOrigin: 'https://files.example' }));
    const page = await withFiles.call('GET', '/console', { key: null });
    expect(page.headers['Content-Security-Policy']).toContain(
      "connect-src 'self' https://login.example https://files.example; ",
    );
    const other = await openApi();
    expect((await other.call('GET', '/console', { key: null })).text).toContain('data-sign-in="null"');
  });
});
