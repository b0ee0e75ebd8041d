import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, test } from 'vitest';
import { defaultLimits } from '../../../lib/base/stage-limits.ts';
import { dayMs, timestamp } from '../../../lib/base/time.ts';
import { openApi, storedOf } from '../../../samples/api.ts';
import { refuses, responds } from '../../support/responses.ts';
import { noticesSince } from '../../support/usage.ts';

const dayAt = (ms: number) => timestamp(ms).slice(0, 10);
/** What these tests do not use. */
const rest = { exportedRecords: 0, modelCostUsd: 0 };

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
        { day: dayAt(startMs), documents: 1, bytes: 9, conversations: 1, messages: 2, ...rest },
        { day: dayAt(startMs + 2 * dayMs), documents: 0, bytes: 1, conversations: 2, messages: 1, ...rest },
      ],
      totals: { documents: 1, bytes: 10, conversations: 3, messages: 3, ...rest },
      countedThrough: expect.any(String),
      projects: null,
    });
    // Its end is exclusive, and its days are whole.
    const first = `from=${dayAt(startMs)}T23:59:59Z&to=${dayAt(startMs + dayMs)}T00:00:00Z`;
    const { data } = await call('GET', `/usage/days?${first}`);
    expect(data.items).toEqual((response.data.items as unknown[]).slice(0, 1));
    const none = `from=${dayAt(startMs + dayMs)}T00:00:00Z&to=${dayAt(startMs + 2 * dayMs)}T00:00:00Z`;
    expect((await call('GET', `/usage/days?${none}`)).data).toEqual({
      items: [],
      totals: { documents: 0, bytes: 0, conversations: 0, messages: 0, ...rest },
      countedThrough: null,
      projects: null,
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
    const sum = { day: dayAt(startMs), documents: 0, bytes: 3, conversations: 1, messages: 1, ...rest };
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

  responds(200, 'with the days of each project, page by page, the newest project first', async () => {
    const { call, count, createConversation, createProject } = await openCounted();
    const projects: string[] = [];
    for (let n = 0; n < 3; n += 1) {
      projects.unshift(await createProject({ name: `Project ${n}` }));
      for (let started = 0; started <= n; started += 1) await createConversation({}, projects[0]);
    }
    await count();
    const first = await call('GET', '/usage/days?groupBy=project&limit=2');
    const sums = (conversations: number) => ({ documents: 0, bytes: 0, conversations, messages: 0, ...rest });
    const day = (first.data.items as { day: string }[])[0]?.day;
    expect(first.data).toMatchObject({ totals: sums(6), items: [{ day, ...sums(6) }] });
    const shown = (n: number) => ({
      projectId: projects[2 - n],
      name: `Project ${n}`,
      items: [{ day, ...sums(n + 1) }],
      totals: sums(n + 1),
    });
    expect(first.data.projects).toEqual({ items: [shown(2), shown(1)], nextCursor: expect.any(String) });
    const { nextCursor } = first.data.projects as { nextCursor: string };
    const response = await call('GET', `/usage/days?groupBy=project&limit=2&cursor=${nextCursor}`);
    expect(response.data.projects).toEqual({ items: [shown(0)], nextCursor: null });
    return response;
  });

  test('leaves out projects that have used nothing in the range, so a page may be empty', async () => {
    const { call, count, converse, advance } = await openCounted();
    await converse('a');
    await count();
    advance(40 * dayMs);
    const { data } = await call('GET', '/usage/days?groupBy=project');
    expect(data).toMatchObject({ items: [], projects: { items: [], nextCursor: null } });
  });

  test('entries that TTL has not removed yet are not shown, and those of a busy project are kept', async () => {
    const { call, count, converse, advance, ...api } = await openCounted();
    const entries = async () =>
      (await storedOf(api, 'limits')).filter(({ tenant }) => `${tenant}`.endsWith('#projects'));
    const ttls: number[] = [];
    for (let n = 0; n < 5; n += 1) {
      await converse('a');
      await count();
      ttls.push(...(await entries()).map(({ ttl }) => Number(ttl)));
      advance(10 * dayMs);
    }
    // It was written on the first day, and 40 days later.
    const [written = 0] = ttls;
    expect(ttls.map((ttl) => (ttl - written) / (dayMs / 1000))).toEqual([0, 0, 0, 0, 40]);
    const range = `from=${timestamp(api.runtime.nowMs() - 20 * dayMs)}&to=${timestamp(api.runtime.nowMs())}`;
    const shown = async () => (await call('GET', `/usage/days?groupBy=project&${range}`)).data.projects;
    expect(await shown()).toMatchObject({ items: [{ totals: { conversations: 2 } }] });
    advance(441 * dayMs);
    expect(await shown()).toEqual({ items: [], nextCursor: null });
  });

  test.each([
    ['groupBy=day', 'groupBy'],
    ['groupBy=', 'groupBy'],
    ['groupBy=project&groupBy=project', 'groupBy'],
    ['group_by=project', 'group_by'],
    ['limit=10', 'limit'],
    ['cursor=abc', 'cursor'],
    ['groupBy=project&cursor=abc', 'cursor'],
    ['groupBy=project&limit=0', 'limit'],
    ['groupBy=project&limit=101', 'limit'],
    ['from=2026-03-01', 'from'],
    ['groupBy=project&from=2026-02-30T00:00:00Z', 'from'],
    ['groupBy=project&from=2026-03-02T00:00:00Z&to=2026-03-01T00:00:00Z', 'from'],
    ['groupBy=project&from=2025-01-01T00:00:00Z&to=2026-03-01T00:00:00Z', 'from'],
  ])('refuses %s', async (query, path) => {
    const { call } = await openApi();
    const { status, error } = await call('GET', `/usage/days?${query}`);
    expect([status, error.code]).toEqual([400, 'validation_error']);
    expect(error.details).toMatchObject([{ path }]);
  });

  test('refuses a cursor of another range, and of another organisation', async () => {
    const api = await openCounted();
    for (let n = 0; n < 2; n += 1) await api.createConversation({}, await api.createProject());
    await api.count();
    const { data } = await api.call('GET', '/usage/days?groupBy=project&limit=1');
    const { nextCursor } = data.projects as { nextCursor: string };
    const path = `/usage/days?groupBy=project&cursor=${nextCursor}`;
    expect((await api.call('GET', path)).status).toBe(200);
    expect((await api.call('GET', `${path}&from=2026-03-01T00:00:00Z`)).error.code).toBe('validation_error');
    expect((await (await api.another()).call('GET', path)).error.code).toBe('validation_error');
  });

  refuses('insufficient_scope', 'groupBy from a key that may not see projects', async () => {
    const { call, createKey } = await openApi();
    const { secret: key } = await createKey({ scopes: ['knowledge:read'] });
    expect((await call('GET', '/usage/days', { key })).status).toBe(200);
    const { secret: reader } = await createKey({ scopes: ['projects:write'] });
    expect((await call('GET', '/usage/days?groupBy=project', { key: reader })).status).toBe(200);
    return call('GET', '/usage/days?groupBy=project', { key });
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
