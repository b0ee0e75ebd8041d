import { describe, expect } from 'vitest';
import { openApiDocument } from '../../scripts/openapi/document.ts';
import { openApi } from '../support/api.ts';
import { responds } from '../support/responses.ts';

describe('openapi', () => {
  responds(200, 'with the document that the declarations make, and no envelope', async () => {
    const { call } = await openApi();
    const response = await call('GET', '/openapi.json', { key: null });
    expect(JSON.parse(response.text)).toEqual(JSON.parse(JSON.stringify(openApiDocument())));
    return response;
  });
});
