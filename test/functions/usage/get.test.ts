import { describe, expect, test } from 'vitest';
import { defaultLimits } from '../../../lib/stage-limits.ts';
import { dayMs, timestamp } from '../../../lib/time.ts';
import { openApi } from '../../support/api.ts';
import { responds } from '../../support/responses.ts';

const none = { limit: null, used: null, resetsAt: null };

describe('usage.get', () => {
  responds(200, 'with nulls where there are no limits and no quotas', async () => {
    const { call } = await openApi();
    const response = await call('GET', '/usage');
    expect(response.data).toEqual({
      mode: 'live',
      rateLimits: { key: null, organisation: null },
      quotas: {
        documents: none,
        bytes: none,
        conversations: none,
        messages: none,
        jobs: none,
        waits: none,
      },
    });
    return response;
  });

  responds(200, 'with the limits of the key and of the organisation, in the mode of the key', async () => {
    const api = await openApi();
    const root = await api.testModeKey();
    const rateLimit = { requests: 100, per: '1s' };
    const { secret: key } = await api.createKey({ scopes: ['audit:read'], rateLimit }, root);
    const response = await api.call('GET', '/usage', { key });
    expect(response.data).toMatchObject({
      mode: 'test',
      rateLimits: { key: rateLimit, organisation: defaultLimits.test.rateLimit },
    });
    return response;
  });

  const quotas = { documents: 10, bytes: 1000, conversations: 20, messages: 30, jobs: 2, waits: 5 };
  const openWithQuotas = () =>
    openApi(() => ({ limits: { ...defaultLimits, live: { rateLimit: null, quotas } } }));

  responds(200, 'with what is used of each quota, and when it resets', async () => {
    const api = await openWithQuotas();
    const project = await api.createProject();
    const path = `/projects/${project}/knowledge`;
    await api.call('POST', `${path}/documents`, { body: { title: 't', content: '12345' } });
    await api.call('POST', `${path}/reindex`);
    const conversation = await api.createConversation();
    const body = { messages: [{ role: 'user', text: 'abc' }] };
    await api.call('POST', `${conversation}/messages`, { body });
    const resetsAt = timestamp((Math.floor(api.runtime.nowMs() / dayMs) + 1) * dayMs);
    const response = await api.call('GET', '/usage');
    expect(response.data.quotas).toEqual({
      documents: { limit: 10, used: 1, resetsAt },
      bytes: { limit: 1000, used: 8, resetsAt },
      conversations: { limit: 20, used: 1, resetsAt },
      messages: { limit: 30, used: 1, resetsAt },
      jobs: { limit: 2, used: 1, resetsAt: null },
      waits: { limit: 5, used: 0, resetsAt: null },
    });
    return response;
  });

  test('a key that is bound to projects sees the quotas, and not what others use', async () => {
    const api = await openWithQuotas();
    await api.createConversation();
    const projectIds = [await api.createProject()];
    const { secret: key } = await api.createKey({ scopes: ['projects:read'], projectIds });
    const { data } = await api.call('GET', '/usage', { key });
    expect(data.quotas).toMatchObject({ conversations: { limit: 20, used: null } });
    expect(JSON.stringify(data.quotas)).not.toMatch(/"used":\d/);
  });

  test('an organisation does not see what another one uses', async () => {
    const api = await openWithQuotas();
    await api.createConversation();
    const other = await api.another();
    const { data } = await other.call('GET', '/usage');
    expect(data.quotas).toMatchObject({ conversations: { limit: 20, used: 0 } });
  });
});
