import { describe, expect, test } from 'vitest';
import { dayMs, timestamp } from '../../../lib/base/time.ts';
import { openApi } from '../../../samples/api.ts';
import { responds } from '../../support/responses.ts';
import { noticesSince } from '../../support/usage.ts';

const dayAt = (ms: number) => timestamp(ms).slice(0, 10);

describe('projects.usage-days', () => {
  responds(200, 'with what the project has used on each day, oldest day first, for 400 days', async () => {
    const api = await openApi();
    api.advance(dayMs - (api.runtime.nowMs() % dayMs) + dayMs / 2);
    const startMs = api.runtime.nowMs();
    const { count } = noticesSince(api);
    const project = await api.createProject();
    const path = `/projects/${project}/usage/days`;
    const converse = async () => {
      await api.createConversation({}, project);
      await api.createConversation();
      await count();
    };
    await converse();
    api.advance(2 * dayMs);
    await converse();
    await converse();
    const response = await api.call('GET', path);
    const sums = { documents: 0, bytes: 0, messages: 0, exportedRecords: 0, modelCostUsd: 0 };
    expect(response.data).toEqual({
      items: [
        { day: dayAt(startMs), ...sums, conversations: 1 },
        { day: dayAt(startMs + 2 * dayMs), ...sums, conversations: 2 },
      ],
      totals: { ...sums, conversations: 3 },
      countedThrough: expect.any(String),
    });
    const first = `from=${timestamp(startMs)}&to=${timestamp(startMs + dayMs / 4)}`;
    expect((await api.call('GET', `${path}?${first}`)).data).toMatchObject({ totals: { conversations: 1 } });
    api.advance(398 * dayMs);
    expect((await api.call('GET', `${path}?${first}`)).data).toMatchObject({ totals: { conversations: 1 } });
    api.advance(dayMs);
    expect((await api.call('GET', `${path}?${first}`)).data.items).toEqual([]);
    return response;
  });

  test.each([
    ['groupBy=project', 'groupBy'],
    ['from=today', 'from'],
    ['to=2026-03-01', 'to'],
    ['from=2026-03-02T00:00:00Z&to=2026-03-01T00:00:00Z', 'from'],
    ['from=2025-01-01T00:00:00Z&to=2026-03-01T00:00:00Z', 'from'],
  ])('refuses %s', async (query, path) => {
    const api = await openApi();
    const { status, error } = await api.call(
      'GET',
      `/projects/${await api.createProject()}/usage/days?${query}`,
    );
    expect([status, error.code]).toEqual([400, 'validation_error']);
    expect(error.details).toMatchObject([{ path }]);
  });
});
