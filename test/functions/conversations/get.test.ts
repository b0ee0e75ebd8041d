import { describe, expect, test } from 'vitest';
import { dayMs, minuteMs } from '../../../lib/base/time.ts';
import { openApi } from '../../../samples/api.ts';
import { refuses, responds } from '../../support/responses.ts';

const say = (role: string, at?: string) => ({ role, text: 'text', ...(at && { at }) });

describe('conversations.get', () => {
  responds(200, 'with the number of messages by role, and their times', async () => {
    const { call, createConversation, advance } = await openApi();
    const path = await createConversation({ startedAt: '2026-03-01T09:30:00Z' });
    const first = [say('user', '2026-03-01T09:31:00Z'), say('avatar', '2026-03-01T09:30:10Z')];
    await call('POST', `${path}/messages`, { body: { messages: first } });
    advance(minuteMs);
    const more = [say('tool', '2026-03-01T09:31:35.4Z'), say('user', '2026-03-01T09:31:30Z')];
    const { data } = await call('POST', `${path}/messages`, { body: { messages: more } });
    const response = await call('GET', path);
    expect(response.data).toMatchObject({
      messageCount: 4,
      messageCountByRole: { user: 2, avatar: 1, system: 0, tool: 1 },
      durationSeconds: 95,
      firstMessageAt: '2026-03-01T09:30:10.000Z',
      lastMessageAt: '2026-03-01T09:31:35.400Z',
      lastActivityAt: (data.messages as { createdAt: string }[])[0]?.createdAt,
      status: 'active',
    });
    return response;
  });

  responds(200, 'with status ended exactly at the timeout', async () => {
    const { call, createConversation, createProject, advance } = await openApi();
    const project = await createProject({ settings: { conversationTimeoutMinutes: 10 } });
    const path = await createConversation({}, project);
    advance(9 * minuteMs);
    await call('POST', `${path}/messages`, { body: { messages: [say('user')] } });
    const { data: active } = await call('GET', path);
    advance(9 * minuteMs);
    expect((await call('GET', path)).data).toMatchObject({ status: 'active', endedAt: null });
    advance(minuteMs);
    const response = await call('GET', path);
    const endedAt = new Date(Date.parse(active.lastActivityAt as string) + 10 * minuteMs).toISOString();
    expect(response.data).toEqual({ ...active, status: 'ended', endedAt, endReason: 'timeout' });
    return response;
  });

  test('a longer timeout of the project does not reopen a timed out conversation', async () => {
    const { call, createConversation, createProject, advance } = await openApi();
    const project = await createProject({ settings: { conversationTimeoutMinutes: 1 } });
    const path = await createConversation({}, project);
    advance(minuteMs);
    const { data } = await call('GET', path);
    const settings = { conversationTimeoutMinutes: 1440 };
    await call('PATCH', `/projects/${project}`, { body: { settings } });
    expect((await call('GET', path)).data).toEqual(data);
    expect(data.status).toBe('ended');
  });

  test('the timeout of an import counts from the request, not from startedAt', async () => {
    const { call, createConversation, advance } = await openApi();
    const path = await createConversation({ startedAt: '2020-01-01T00:00:00Z' });
    advance(29 * minuteMs);
    const messages = [say('user', '2020-01-01T00:00:01Z')];
    expect((await call('POST', `${path}/messages`, { body: { messages } })).status).toBe(201);
    advance(29 * minuteMs);
    expect((await call('GET', path)).data.status).toBe('active');
  });

  refuses('not_found', 'an expired conversation, from the first millisecond', async () => {
    const { call, createConversation, createProject, advance } = await openApi();
    const project = await createProject({ settings: { retentionDays: 2 } });
    const path = await createConversation({}, project);
    advance(2 * dayMs - minuteMs);
    expect((await call('GET', path)).status).toBe(200);
    advance(minuteMs);
    expect((await call('GET', `${path}/transcript`)).status).toBe(404);
    expect((await call('DELETE', path)).status).toBe(404);
    expect((await call('GET', path.replace(/\/conv_\w+$/, ''))).data.items).toEqual([]);
    return call('GET', path);
  });

  refuses(
    'not_found',
    'a conversation that has expired because the retention period was shortened',
    async () => {
      const { call, createConversation, createProject } = await openApi();
      const project = await createProject();
      const startedAt = new Date(Date.now() - 2 * dayMs).toISOString();
      const path = await createConversation({ startedAt, tags: ['a'] }, project);
      await call('PATCH', `/projects/${project}`, { body: { settings: { retentionDays: 1 } } });
      expect((await call('GET', `/projects/${project}/conversations?tag=a`)).data.items).toEqual([]);
      return call('GET', path);
    },
  );

  refuses('not_found', "another project's conversation", async () => {
    const { call, createConversation, createProject } = await openApi();
    const path = await createConversation();
    return call('GET', path.replace(/proj_\w+/, await createProject()));
  });
});
