import { describe, expect } from 'vitest';
import { openApi } from '../../support/api.ts';
import { responds } from '../../support/responses.ts';
import { sampleOf } from '../../support/samples.ts';

describe('knowledge.evaluate', () => {
  responds(200, 'with what the sample asks for', async () => {
    const api = await openApi();
    const { path } = await sampleOf('knowledge.evaluate', api);
    const answer = await api.call('POST', path);
    expect(answer.data).toEqual({ id: expect.any(String) });
    return answer;
  });
});
