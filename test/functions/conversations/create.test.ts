import { describe, expect, test } from 'vitest';
import { timeOfId } from '../../../lib/base/ids.ts';
import { dayMs, minuteMs } from '../../../lib/base/time.ts';
import { type Json, openApi } from '../../../samples/api.ts';
import { refuses, responds } from '../../support/responses.ts';

const avatarId = 'avtr_01JZ4Y7Q8R5T2V9W3X6B0C1D4E';

async function create(body: Json, settings: Json = {}) {
  const { call, createProject } = await openApi();
  return call('POST', `/projects/${await createProject({ settings })}/conversations`, { body });
}

/** @returns the paths of the validation errors */
const faults = async (body: Json) =>
  (await create({ avatarId, ...body })).error.details?.map(({ path }) => path);

describe('conversations.create', () => {
  responds(201, 'with an active conversation that starts now', async () => {
    const { call, createProject, rootKey } = await openApi();
    const me = await call('GET', '/api-keys/me', { key: rootKey });
    const path = `/projects/${await createProject()}/conversations`;
    const response = await call('POST', path, { body: { avatarId } });
    const { id, startedAt, createdAt } = response.data as Record<string, string>;
    expect(response.data).toEqual({
      id,
      avatarId,
      externalId: null,
      externalUserId: null,
      channel: null,
      tags: [],
      metadata: {},
      scores: [],
      deploymentId: null,
      assignment: null,
      counted: false,
      test: false,
      status: 'active',
      startedAt,
      endedAt: null,
      endReason: null,
      messageCount: 0,
      messageCountByRole: { user: 0, avatar: 0, system: 0, tool: 0 },
      durationSeconds: 0,
      firstMessageAt: null,
      lastMessageAt: null,
      lastActivityAt: createdAt,
      createdAt,
      updatedAt: createdAt,
      createdBy: me.data.id,
    });
    expect(id).toMatch(/^conv_[0-7][0-9A-HJKMNP-TV-Z]{25}$/);
    expect(timeOfId(id ?? '')).toBe(Date.parse(startedAt ?? ''));
    expect(Math.abs(Date.parse(startedAt ?? '') - Date.parse(createdAt ?? ''))).toBeLessThan(60_000);
    return response;
  });

  responds(201, 'with every field; GET returns the same', async () => {
    const { call, createProject } = await openApi();
    const path = `/projects/${await createProject()}/conversations`;
    const body = {
      avatarId,
      externalUserId: 'Zoë 🙂#1',
      channel: 'web#a',
      tags: ['a#b', 'ü'.repeat(40)],
      metadata: { order: '4711' },
      deploymentId: 'dep_01JZ4Y7Q8R5T2V9W3X6B0C1D4E',
    };
    const response = await call('POST', path, {
      body: { ...body, startedAt: '2019-05-04T03:02:01.5+02:00' },
    });
    expect(response.data).toMatchObject({ ...body, startedAt: '2019-05-04T01:02:01.500Z', status: 'active' });
    expect(timeOfId(response.data.id as string)).toBe(Date.parse('2019-05-04T01:02:01.500Z'));
    expect((await call('GET', `${path}/${response.data.id}`)).data).toEqual(response.data);
    return response;
  });

  responds(201, 'for a start in the first millisecond that an id can contain', async () => {
    const response = await create({ avatarId, startedAt: '1970-01-01T00:00:00Z', externalUserId: null });
    expect(response.data.startedAt).toBe('1970-01-01T00:00:00.000Z');
    return response;
  });

  responds(201, 'for a start slightly in the future; the next conversation still starts now', async () => {
    const { call, createProject } = await openApi();
    const path = `/projects/${await createProject()}/conversations`;
    const startedAt = new Date(Date.now() + 4 * minuteMs).toISOString();
    const response = await call('POST', path, { body: { avatarId, startedAt } });
    const { data } = await call('POST', path, { body: { avatarId } });
    expect(Date.parse(data.startedAt as string)).toBeLessThan(Date.now() + minuteMs);
    return response;
  });

  test.each([
    ['no avatar', { avatarId: undefined }, 'avatarId'],
    ["another resource's id", { avatarId: 'proj_01JZ4Y7Q8R5T2V9W3X6B0C1D4E' }, 'avatarId'],
    ['an empty user', { externalUserId: '' }, 'externalUserId'],
    ['a user of 256 characters', { externalUserId: 'x'.repeat(256) }, 'externalUserId'],
    ['a user with a line break', { externalUserId: 'a\nb' }, 'externalUserId'],
    ['a channel of 41 characters', { channel: 'x'.repeat(41) }, 'channel'],
    ['21 tags', { tags: Array.from({ length: 21 }, (_, n) => `t${n}`) }, 'tags'],
    ['a tag twice', { tags: ['a', 'a'] }, 'tags'],
    ['a blank tag', { tags: [' '] }, 'tags.0'],
    ['a deployment that is none', { deploymentId: 'latest' }, 'deploymentId'],
    ['a start before 1970', { startedAt: '1969-12-31T23:59:59.999Z' }, 'startedAt'],
    ['a start in 6 minutes', { startedAt: new Date(Date.now() + 6 * minuteMs).toISOString() }, 'startedAt'],
  ])('400 validation_error: %s', async (_, body, path) => {
    expect(await faults(body)).toEqual([path]);
  });

  refuses('validation_error', 'a start before the retention period', () =>
    create({ avatarId, startedAt: new Date(Date.now() - 2 * dayMs).toISOString() }, { retentionDays: 2 }),
  );

  refuses('external_id_taken', 'another conversation of the project has the externalId', async () => {
    const { call, createProject } = await openApi();
    const path = `/projects/${await createProject()}/conversations`;
    const body = { avatarId, externalId: 'call-1' };
    const first = await call('POST', path, { body });
    expect([first.status, first.data.externalId]).toEqual([201, 'call-1']);
    const response = await call('POST', path, { body });
    expect(response.error.message).toContain(first.data.id);
    expect((await call('GET', path)).data.items).toEqual([first.data]);
    return response;
  });

  refuses('conversation_erased', 'the conversation with the externalId was erased', async () => {
    const { call, createProject } = await openApi();
    const path = `/projects/${await createProject()}/conversations`;
    const body = { avatarId, externalId: 'call-1' };
    await call('DELETE', `${path}/${(await call('POST', path, { body })).data.id}`);
    return call('POST', path, { body });
  });
});
