import { describe, expect } from 'vitest';
import { version } from '../../lib/http/version.ts';
import { answers, refuses } from '../support/answers.ts';
import { openApi } from '../support/api.ts';

describe('health', () => {
  answers(200, 'while the table answers', async () => {
    const { call } = await openApi();
    const answer = await call('GET', '/health', { key: null });
    expect(answer.data).toEqual({ status: 'ok', version, database: 'ok' });
    return answer;
  });

  refuses('service_unavailable', 'while it does not', async () => {
    const refused = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
    const { call } = await openApi(() => ({ client: { send: () => Promise.reject(refused) } }));
    return call('GET', '/health', { key: null });
  });
});
