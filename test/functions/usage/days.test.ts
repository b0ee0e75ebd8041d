import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, test } from 'vitest';
import { defaultLimits } from '../../../lib/base/stage-limits.ts';
import { dayMs, timestamp } from '../../../lib/base/time.ts';
import { openApi, storedOf } from '../../../samples/api.ts';
import { refuses, responds } from '../../support/responses.ts';
import { noticesSince } from '../../support/usage.ts';

const dayAt = (ms: number) => timestamp(ms).slice(0, 10);

/** An API at noon, whose usage is counted when a test says so. */
async function openCounted(...adjust: Parameters<typeof openApi>) {
  const api = await openApi(...adjust);
  api.advance(dayMs - (api.runtime.nowMs() % dayMs) + dayMs / 2);
  const { count } = noticesSince(api);
  const project = await api.createProject();
  return {
    ...api,
    count,
    /** Starts a conversation with these messages. */
    async converse(...texts: string[]) {
      const path = await api.createConversation({}, project);
      const messages = texts.map((text) => ({ role: 'user', text }));
      if (texts.length > 0) await api.call('POST', `${path}/messages`, { body: { messages } });
    },
    store: (content: string) =>
      api.call('POST', `/projects/${project}/knowledge/documents`, { body: { title: 't', content } }),
  };
}

describe('usage.days', () => {
  responds(200, 'with what was stored on each day, oldest first, and in all', async () => {
    const { converse, store, count, advance, call, runtime } = await openCounted();
    const startMs = runtime.nowMs();
    await converse('ab', 'é');
    await store('12345');
    await count();
    advance(2 * dayMs);
    await converse();
    await converse('a');
    await count();
    const response = await call('GET', '/usage/days');
    expect(response.data).toEqual({
      items: [
        { day: dayAt(startMs), documents: 1, bytes: 9, conversations: 1, messages: 2 },
        { day: dayAt(startMs + 2 * dayMs), documents: 0, bytes: 1, conversations: 2, messages: 1 },
      ],
      totals: { documents: 1, bytes: 10, conversations: 3, messages: 3 },
      countedThrough: expect.any(String),
    });
    // Its end is exclusive, and its days are whole.
    const first = `from=${dayAt(startMs)}T23:59:59Z&to=${dayAt(startMs + dayMs)}T00:00:00Z`;
    const { data } = await call('GET', `/usage/days?${first}`);
    expect(data.items).toEqual((response.data.items as unknown[]).slice(0, 1));
    const none = `from=${dayAt(startMs + dayMs)}T00:00:00Z&to=${dayAt(startMs + 2 * dayMs)}T00:00:00Z`;
    expect((await call('GET', `/usage/days?${none}`)).data).toEqual({
      items: [],
      totals: { documents: 0, bytes: 0, conversations: 0, messages: 0 },
      countedThrough: null,
    });
    return response;
  });

  responds(200, 'also with quotas, and for 400 days', async () => {
    const quotas = { documents: 10, bytes: 1000, conversations: 20, messages: 30 };
    const limits = { ...defaultLimits, live: { rateLimit: null, quotas } };
    const { converse, count, advance, call, runtime } = await openCounted(() => ({ limits }));
    const startMs = runtime.nowMs();
    await converse('abc');
    await count();
    const sum = { day: dayAt(startMs), documents: 0, bytes: 3, conversations: 1, messages: 1 };
    const range = `from=${timestamp(startMs - dayMs)}&to=${timestamp(startMs + dayMs)}`;
    advance(400 * dayMs);
    const response = await call('GET', `/usage/days?${range}`);
    expect(response.data.items).toEqual([sum]);
    advance(dayMs);
    expect((await call('GET', `/usage/days?${range}`)).data.items).toEqual([]);
    return response;
  });

  responds(200, 'with 366 days in one request', async () => {
    const { call, count, converse, runtime, ...api } = await openCounted();
    await converse();
    await count();
    const nowMs = runtime.nowMs();
    const [sum] = (await storedOf({ runtime, ...api }, 'limits')).filter(({ tenant }) =>
      `${tenant}`.endsWith('#days'),
    );
    for (let day = 1; day <= 366; day += 1) {
      const Item = { ...sum, id: dayAt(nowMs - day * dayMs) };
      await runtime.client.send(new PutCommand({ TableName: runtime.tableNames.limits, Item }));
    }
    const range = `from=${timestamp(nowMs - 366 * dayMs)}&to=${timestamp(nowMs)}`;
    const response = await call('GET', `/usage/days?${range}`);
    // It is extended to whole days.
    expect(response.data.items).toHaveLength(367);
    expect(response.data.totals).toMatchObject({ conversations: 367 });
    const longer = `from=${timestamp(nowMs - 366 * dayMs - 1)}&to=${timestamp(nowMs)}`;
    expect((await call('GET', `/usage/days?${longer}`)).error.code).toBe('validation_error');
    return response;
  });

  refuses('insufficient_scope', 'a key that is bound to projects', async () => {
    const { call, createKey, createProject } = await openApi();
    const { secret: key } = await createKey({ projectIds: [await createProject()] });
    return call('GET', '/usage/days', { key });
  });

  test('shows no other organisation, and no other mode', async () => {
    const api = await openCounted();
    await api.converse('a');
    await api.count();
    const other = await api.another();
    const testKey = await api.testModeKey();
    expect((await api.call('GET', '/usage/days')).data.items).toHaveLength(1);
    expect((await api.call('GET', '/usage/days', { key: testKey })).data.items).toEqual([]);
    expect((await other.call('GET', '/usage/days')).data.items).toEqual([]);
  });
});
