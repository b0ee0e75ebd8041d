import { describe, expect } from 'vitest';
import { openApiDocument } from '../../scripts/openapi/document.ts';
import { answers } from '../support/answers.ts';
import { openApi } from '../support/api.ts';

describe('openapi', () => {
  answers(200, 'with the document that the declarations make, and no envelope', async () => {
    const { call } = await openApi();
    const answer = await call('GET', '/openapi.json', { key: null });
    expect(JSON.parse(answer.text)).toEqual(JSON.parse(JSON.stringify(openApiDocument())));
    return answer;
  });
});
