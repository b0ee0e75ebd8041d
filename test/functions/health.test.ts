import { describe, expect } from 'vitest';

import { openApi, testCommit } from '../../samples/api.ts';
import { refuses, responds } from '../support/responses.ts';

describe('health', () => {
  responds(200, 'while the table answers', async () => {
    const { call } = await openApi(() => ({ version: '1.2.3' }));
    const response = await call('GET', '/health', { key: null });
    expect(response.data).toEqual({
      status: 'ok',
      version: '1.2.3',
      commit: testCommit,
      database: 'ok',
    });
    return response;
  });

  refuses('service_unavailable', 'while it does not', async () => {
    const refused = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
    const { call } = await openApi(() => ({ client: { send: () => Promise.reject(refused) } }));
    return call('GET', '/health', { key: null });
  });
});
