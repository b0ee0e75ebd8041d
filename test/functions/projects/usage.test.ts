import { describe, expect, test } from 'vitest';
import { dayMs, timestamp } from '../../../lib/base/time.ts';
import { openApi } from '../../../samples/api.ts';
import { responds } from '../../support/responses.ts';
import { noticesSince } from '../../support/usage.ts';

const none = { documents: 0, bytes: 0, conversations: 0, messages: 0, exportedRecords: 0, modelCostUsd: 0 };

describe('projects.usage', () => {
  responds(200, 'with what the project has used today, and not what others have', async () => {
    const api = await openApi();
    const { count } = noticesSince(api);
    const [project, other] = [await api.createProject(), await api.createProject()];
    const path = await api.createConversation({}, project);
    await api.call('POST', `${path}/messages`, { body: { messages: [{ role: 'user', text: 'é' }] } });
    await api.createConversation({}, other);
    await count();
    const response = await api.call('GET', `/projects/${project}/usage`);
    const nowMs = api.runtime.nowMs();
    expect(response.data).toEqual({
      projectId: project,
      day: timestamp(nowMs).slice(0, 10),
      ...none,
      bytes: 2,
      conversations: 1,
      messages: 1,
      countedThrough: expect.any(String),
      resetsAt: timestamp((Math.floor(nowMs / dayMs) + 1) * dayMs),
    });
    api.advance(dayMs);
    const { data } = await api.call('GET', `/projects/${project}/usage`);
    expect(data).toMatchObject({ ...none, countedThrough: null });
    return response;
  });

  test('a key that is bound to the project reads its usage, and no other', async () => {
    const api = await openApi();
    const [project, other] = [await api.createProject(), await api.createProject()];
    const { secret: key } = await api.createKey({ scopes: ['projects:read'], projectIds: [project] });
    for (const path of ['usage', 'usage/days']) {
      expect((await api.call('GET', `/projects/${project}/${path}`, { key })).status).toBe(200);
      expect((await api.call('GET', `/projects/${other}/${path}`, { key })).error.code).toBe('not_found');
    }
  });
});
