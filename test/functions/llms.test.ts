import { describe, expect } from 'vitest';
import { openApi } from '../../samples/api.ts';
import { writtenFiles } from '../../scripts/openapi/outputs.ts';
import { responds } from '../support/responses.ts';

describe('llms', () => {
  responds(200, 'with the text that is made from the declarations', async () => {
    const { call } = await openApi();
    const response = await call('GET', '/llms.txt', { key: null });
    expect(response.text).toBe(writtenFiles()['llms.txt']);
    expect(response.headers).toMatchObject({
      'Content-Type': 'text/plain; charset=utf-8',
      'Cache-Control': 'public, no-cache',
    });
    return response;
  });

  responds(304, 'to the entity tag of the text', async () => {
    const { call } = await openApi();
    const { headers } = await call('GET', '/llms.txt', { key: null });
    const known = { 'If-None-Match': headers.ETag ?? '' };
    const response = await call('GET', '/llms.txt', { key: null, headers: known });
    expect(response.text).toBe('');
    return response;
  });
});
