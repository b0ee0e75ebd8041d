import { describe, expect } from 'vitest';
import { openApi } from '../../samples/api.ts';
import { openApiDocument } from '../../scripts/openapi/document.ts';
import { withReadableNull } from '../../scripts/openapi/nullable.ts';
import { responds } from '../support/responses.ts';

describe('openapi', () => {
  responds(200, 'with the document that the declarations make, and no envelope', async () => {
    const { call } = await openApi();
    const response = await call('GET', '/openapi.json', { key: null });
    expect(JSON.parse(response.text)).toEqual(
      withReadableNull(JSON.parse(JSON.stringify(openApiDocument()))),
    );
    expect(response.headers).toMatchObject({
      'Content-Type': 'application/json',
      'Cache-Control': 'public, no-cache',
      Vary: 'Accept-Encoding',
    });
    return response;
  });

  responds(304, 'to the entity tag of the document, without a body', async () => {
    const { call } = await openApi();
    const { headers } = await call('GET', '/openapi.json', { key: null });
    const known = { 'If-None-Match': headers.ETag ?? '' };
    const response = await call('GET', '/openapi.json', { key: null, headers: known });
    expect(response.text).toBe('');
    expect(response.headers).toMatchObject({ ETag: headers.ETag, 'Cache-Control': 'public, no-cache' });
    return response;
  });
});
