import { describe, expect, onTestFinished, test } from 'vitest';
import { defaultLimits } from '../../../lib/base/stage-limits.ts';
import { dayMs, timestamp } from '../../../lib/base/time.ts';
import { modelCostDay, reserveModelCost, settleModelCost } from '../../../lib/limits/store/model-cost.ts';
import { openApi, type TestApi } from '../../../samples/api.ts';
import usageCounter from '../../../workers/usage-counter.ts';
import { responds } from '../../support/responses.ts';
import { costs } from '../../support/usage.ts';
import { follow } from '../../support/workers.ts';

const nextDay = (api: TestApi) => timestamp((Math.floor(api.runtime.nowMs() / dayMs) + 1) * dayMs);
const counted = { countedThrough: expect.any(String) };

describe('usage.get', () => {
  responds(
    200,
    'with nulls where there are no limits and no quotas, before anything is counted',
    async () => {
      const api = await openApi();
      const response = await api.call('GET', '/usage');
      const daily = { limit: null, used: 0, countedThrough: null, resetsAt: nextDay(api) };
      expect(response.data).toEqual({
        mode: 'live',
        rateLimits: { key: null, parents: [], organisation: null },
        quotas: {
          documents: daily,
          bytes: daily,
          conversations: daily,
          messages: daily,
          jobs: { limit: null, used: null, countedThrough: null, resetsAt: null },
          waits: { limit: null, used: 0, ...counted, resetsAt: null },
          modelCostUsd: { limit: null, used: 0, ...counted, resetsAt: nextDay(api) },
        },
      });
      return response;
    },
  );

  responds(200, 'with what is used where there are no quotas, and up to when it is counted', async () => {
    const api = await openApi();
    const followers = await follow(api, [usageCounter]);
    onTestFinished(() => followers.stop());
    const since = Date.now() - 1000;
    const project = await api.createProject();
    const body = { title: 't', content: '12345' };
    await api.call('POST', `/projects/${project}/knowledge/documents`, { body });
    const messages = [{ role: 'user', text: 'abc' }];
    await api.call('POST', `${await api.createConversation()}/messages`, { body: { messages } });
    await followers.settled();
    const response = await api.call('GET', '/usage');
    const shown = { limit: null, ...counted, resetsAt: nextDay(api) };
    expect(response.data.quotas).toMatchObject({
      documents: { used: 1, ...shown },
      bytes: { used: 8, ...shown },
      conversations: { used: 1, ...shown },
      messages: { used: 1, ...shown },
    });
    const { messages: last } = response.data.quotas as { messages: { countedThrough: string } };
    expect(Date.parse(last.countedThrough)).toBeGreaterThanOrEqual(since);
    expect(Date.parse(last.countedThrough)).toBeLessThanOrEqual(Date.now());
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

  responds(200, 'with the limits of the keys above, the topmost first', async () => {
    const api = await openApi();
    const limitOf = (requests: number) => ({ requests, per: '1m' });
    const scopes = ['api-keys:write'];
    const top = await api.createKey({ scopes, rateLimit: limitOf(30) });
    const middle = await api.createKey({ scopes, rateLimit: limitOf(20) }, top.secret);
    const { secret: key } = await api.createKey({ scopes, rateLimit: limitOf(10) }, middle.secret);
    const response = await api.call('GET', '/usage', { key });
    expect(response.data.rateLimits).toEqual({
      key: limitOf(10),
      parents: [
        { keyId: top.id, rateLimit: limitOf(30) },
        { keyId: middle.id, rateLimit: limitOf(20) },
      ],
      organisation: null,
    });
    return response;
  });

  const quotas = {
    documents: 10,
    bytes: 1000,
    conversations: 20,
    messages: 30,
    jobs: 2,
    waits: 5,
    modelCostUsd: 0.5,
  };
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
    const resetsAt = nextDay(api);
    const response = await api.call('GET', '/usage');
    expect(response.data.quotas).toEqual({
      documents: { limit: 10, used: 1, ...counted, resetsAt },
      bytes: { limit: 1000, used: 8, ...counted, resetsAt },
      conversations: { limit: 20, used: 1, ...counted, resetsAt },
      messages: { limit: 30, used: 1, ...counted, resetsAt },
      jobs: { limit: 2, used: 1, ...counted, resetsAt: null },
      waits: { limit: 5, used: 0, ...counted, resetsAt: null },
      modelCostUsd: { limit: 0.5, used: 0, ...counted, resetsAt },
    });
    return response;
  });

  responds(200, 'with what models have cost today, also what is reserved', async () => {
    const api = await openWithQuotas();
    const { write, store } = costs(api);
    const nowMs = api.runtime.nowMs();
    await write(await reserveModelCost(store, 500_000, 300_001, nowMs));
    const shown = async () => (await api.call('GET', '/usage')).data.quotas;
    expect(await shown()).toMatchObject({ modelCostUsd: { limit: 0.5, used: 0.300001 } });
    await write(settleModelCost(store, -250_000, modelCostDay(nowMs)));
    expect(await shown()).toMatchObject({ modelCostUsd: { limit: 0.5, used: 0.050001 } });
    const { secret: key } = await api.createKey({ projectIds: [await api.createProject()] });
    const bound = await api.call('GET', '/usage', { key });
    expect(bound.data.quotas).toMatchObject({
      modelCostUsd: { limit: 0.5, used: null, countedThrough: null },
    });
    api.advance(dayMs);
    expect(await shown()).toMatchObject({ modelCostUsd: { limit: 0.5, used: 0 } });
    return bound;
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
