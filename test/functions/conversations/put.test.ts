import { hash } from 'node:crypto';
import { DeleteCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, test } from 'vitest';
import { dayMs } from '../../../lib/base/time.ts';
import { type Json, openApi, storedOf } from '../../../samples/api.ts';
import { refuses, responds } from '../../support/responses.ts';

const avatarId = 'avtr_01JZ4Y7Q8R5T2V9W3X6B0C1D4E';
const whole = {
  avatarId,
  externalUserId: 'user',
  channel: 'web',
  deploymentId: 'dep_01JZ4Y7Q8R5T2V9W3X6B0C1D4E',
  startedAt: '2026-03-01T09:30:00.000Z',
  tags: ['a', 'b'],
  metadata: { k: 'v' },
};

async function openNamed(settings: Json = {}) {
  const api = await openApi();
  const project = await api.createProject({ settings });
  const list = `/projects/${project}/conversations`;
  return {
    ...api,
    project,
    list,
    put: (externalId: string, body: Json = whole) =>
      api.call('PUT', `${list}/by-external-id/${encodeURIComponent(externalId)}`, { body }),
    post: (body: Json) => api.call('POST', list, { body: { ...whole, ...body } }),
    named: async (externalId: string) => {
      const { data } = await api.call('GET', `${list}?externalId=${encodeURIComponent(externalId)}`);
      return data.items as Json[];
    },
    pointers: async () =>
      (await storedOf(api, 'conversations')).filter(({ tenant }) => `${tenant}`.endsWith('#external')),
  };
}

const conversationOf = ({ data }: { data: Json }) => data.conversation as Json;

describe('conversations.put', () => {
  responds(201, 'with a new conversation of that externalId', async () => {
    const { call, list, put } = await openNamed();
    const response = await put('call-1');
    const expected = { ...whole, externalId: 'call-1', status: 'active', messageCount: 0 };
    expect(response.data).toMatchObject({ outcome: 'created', conversation: expected });
    const { id } = conversationOf(response);
    expect((await call('GET', `${list}/${id}`)).data).toEqual(response.data.conversation);
    return response;
  });

  responds(200, 'with other tags and metadata, also of one that has ended', async () => {
    const { call, list, put, advance, named } = await openNamed();
    const before = conversationOf(await put('call-1'));
    const { data: ended } = await call('POST', `${list}/${before.id}/end`, { body: { reason: 'done' } });
    advance(1000);
    const response = await put('call-1', { ...whole, tags: ['c'], metadata: {} });
    const { updatedAt } = conversationOf(response);
    const conversation = { ...ended, tags: ['c'], metadata: {}, updatedAt };
    expect(response.data).toEqual({ outcome: 'updated', conversation });
    expect(updatedAt).not.toBe(ended.updatedAt);
    expect((await call('GET', `${list}?tag=c`)).data.items).toEqual([response.data.conversation]);
    expect((await call('GET', `${list}?tag=a`)).data.items).toEqual([]);
    expect(await named('call-1')).toEqual([response.data.conversation]);
    return response;
  });

  responds(200, 'unchanged, and writes nothing', async () => {
    const { put, advance, requestLines } = await openNamed();
    const { conversation } = (await put('call-1')).data;
    advance(1000);
    const { startedAt: _, ...later } = whole;
    const response = await put('call-1', { ...later, tags: ['b', 'a'] });
    expect(response.data).toEqual({ outcome: 'unchanged', conversation });
    expect(requestLines().at(-1)?.writeUnits).toBe(0);
    return response;
  });

  refuses('conversation_mismatch', 'other fixed fields, which the message names', async () => {
    const { put, named } = await openNamed();
    const before = conversationOf(await put('call-1'));
    const response = await put('call-1', { avatarId, channel: 'phone', startedAt: '2026-03-02T00:00:00Z' });
    for (const name of ['externalUserId', 'channel', 'deploymentId', 'startedAt']) {
      expect(response.error.message).toContain(name);
    }
    expect(response.error.message).not.toContain('avatarId');
    expect(await named('call-1')).toEqual([before]);
    return response;
  });

  responds(200, 'with an existing conversation as it is, if it is resumed', async () => {
    const { call, list, put, advance, requestLines } = await openNamed({ conversationTimeoutMinutes: 60 });
    const { id } = conversationOf(await put('call-1'));
    await call('POST', `${list}/${id}/messages`, { body: { messages: [{ role: 'user', text: 'Hello?' }] } });
    const stored = (await call('GET', `${list}/${id}`)).data;
    advance(1000);
    const other = { deploymentId: 'dep_01JZ4Y7Q8R5T2V9W3X6B0C1D4F', startedAt: '2026-03-02T00:00:00Z' };
    const response = await put('call-1', { avatarId, ...other, tags: ['c'], metadata: {}, resume: true });
    expect(response.data).toEqual({ outcome: 'unchanged', conversation: stored });
    expect(requestLines().at(-1)?.writeUnits).toBe(0);
    const fields = { externalUserId: 'user', channel: 'web' };
    expect((await put('call-1', { avatarId, ...fields, resume: true })).data).toEqual(response.data);
    // Without it, all fields are compared.
    expect((await put('call-1', { ...whole, ...other, resume: false })).error.code).toBe(
      'conversation_mismatch',
    );
    return response;
  });

  responds(201, 'with a new conversation, if there is none to resume', async () => {
    const { put } = await openNamed();
    const response = await put('call-1', { ...whole, resume: true });
    expect(response.data).toMatchObject({ outcome: 'created', conversation: { ...whole, status: 'active' } });
    return response;
  });

  refuses('conversation_mismatch', 'the resumption of a conversation of somebody else, by name', async () => {
    const { put } = await openNamed();
    await put('call-1');
    const avatar = await put('call-1', { avatarId: 'avtr_01JZ4Y7Q8R5T2V9W3X6B0C1D4F', resume: true });
    expect(avatar.error.message).toContain('avatarId');
    const response = await put('call-1', { avatarId, externalUserId: null, channel: 'phone', resume: true });
    for (const name of ['externalUserId', 'channel']) expect(response.error.message).toContain(name);
    for (const name of ['avatarId', 'deploymentId', 'startedAt'])
      expect(response.error.message).not.toContain(name);
    return response;
  });

  refuses('conversation_ended', 'the resumption of an ended one, which it names', async () => {
    const { call, list, put, advance } = await openNamed();
    const { id } = conversationOf(await put('call-1'));
    await call('POST', `${list}/${id}/end`, { body: { reason: 'done' } });
    const response = await put('call-1', { avatarId, resume: true });
    expect(response.error.message).toContain(id);
    expect(response.error.details).toEqual([{ path: id, message: 'has ended' }]);
    // A conversation also ends without messages.
    expect((await put('call-2', { avatarId, resume: true })).status).toBe(201);
    advance(30 * 60_000);
    expect((await put('call-2', { avatarId, resume: true })).error.code).toBe('conversation_ended');
    return response;
  });

  refuses('external_id_taken', 'a runtime, by an externalId of another credential', async () => {
    const { call, createKey, list, put, named } = await openNamed();
    const { id } = conversationOf(await put('call-1'));
    const { secret: key } = await createKey({ scopes: ['runtime:write'] });
    const body = { avatarId, resume: true };
    const response = await call('PUT', `${list}/by-external-id/call-1`, { key, body });
    expect(response.text).not.toContain(`${id}`);
    expect(await named('call-1')).toHaveLength(1);
    return response;
  });

  refuses('conversation_erased', 'the resumption of an erased one', async () => {
    const { call, list, put } = await openNamed();
    const { id } = conversationOf(await put('call-1'));
    await call('DELETE', `${list}/${id}`);
    return put('call-1', { avatarId, resume: true });
  });

  test('ten processes that resume at once have one conversation', async () => {
    const { put, named } = await openNamed();
    const all = await Promise.all(
      Array.from({ length: 10 }, (_, number) =>
        put('call-1', { ...whole, tags: [`t${number}`], startedAt: undefined, resume: true }),
      ),
    );
    expect(all.map(({ data }) => data.outcome).sort()).toEqual(['created', ...Array(9).fill('unchanged')]);
    const [found] = await named('call-1');
    for (const response of all) expect(conversationOf(response)).toEqual(found);
  });

  refuses('conversation_erased', 'a repeated import after the erasure', async () => {
    const { call, list, put, post, named, pointers } = await openNamed();
    const { id } = conversationOf(await put('call-1'));
    await call('DELETE', `${list}/${id}`);
    expect(await named('call-1')).toEqual([]);
    expect((await post({ externalId: 'call-1' })).error.code).toBe('conversation_erased');
    expect(await pointers()).toMatchObject([{ id: hash('sha256', 'call-1', 'base64url'), resourceId: id }]);
    return put('call-1');
  });

  refuses('quota_exceeded', 'of conversations, which only a new one counts towards', async () => {
    const { put, ...api } = await openNamed();
    const limits = { rateLimit: null, quotas: { conversations: 1 } };
    api.runtime.limits = { ...api.runtime.limits, live: { ...api.runtime.limits.live, ...limits } };
    expect((await put('one')).status).toBe(201);
    expect((await put('one', { ...whole, tags: [] })).status).toBe(200);
    return put('two');
  });

  test('ten at once for one externalId make one conversation', async () => {
    const { put, list, call } = await openNamed();
    const all = await Promise.all(Array.from({ length: 10 }, () => put('call-1')));
    expect(all.map(({ data }) => data.outcome).sort()).toEqual(['created', ...Array(9).fill('unchanged')]);
    expect(new Set(all.map((response) => conversationOf(response).id)).size).toBe(1);
    expect((await call('GET', list)).data.items).toHaveLength(1);
  });

  const tagged = (count: number) => async () => {
    const { put, named } = await openNamed();
    const all = await Promise.all(
      Array.from({ length: count }, (_, number) => put('call-1', { ...whole, tags: [`t${number}`] })),
    );
    expect(all.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(all.filter(({ status }) => status === 200)).toHaveLength(count - 1);
    const [found, ...others] = await named('call-1');
    expect(others).toEqual([]);
    expect(all.map((response) => conversationOf(response).tags)).toContainEqual(found?.tags);
  };
  const withTags = 'at once with tags of their own make one conversation, with the tags of one of them';
  test(`ten ${withTags}`, tagged(10));
  test(`fifty ${withTags}`, { tags: ['nightly'] }, tagged(50));

  test('POST and PUT at once make one conversation', async () => {
    const { put, post, named } = await openNamed();
    const all = await Promise.all([put('x'), post({ externalId: 'x' }), put('x'), post({ externalId: 'x' })]);
    expect(all.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(await named('x')).toHaveLength(1);
  });

  test('the same externalId is free in another project and in the other mode', async () => {
    const { call, put, createProject, testModeKey } = await openNamed();
    const first = conversationOf(await put('x'));
    const key = await testModeKey();
    const others = [
      await call('PUT', `/projects/${await createProject()}/conversations/by-external-id/x`, { body: whole }),
      await call('PUT', `/projects/${await createProject({}, key)}/conversations/by-external-id/x`, {
        body: whole,
        key,
      }),
    ];
    expect(others.map(({ status }) => status)).toEqual([201, 201]);
    expect(new Set([first, ...others.map(conversationOf)].map(({ id }) => id)).size).toBe(3);
  });

  test('an expired conversation leaves its externalId free, before and after TTL has removed it', async () => {
    const { put, advance, named, pointers, runtime, organisationId, project } = await openNamed({
      retentionDays: 1,
    });
    const { startedAt: _, ...now } = whole;
    const first = conversationOf(await put('x', now));
    advance(dayMs);
    expect(await named('x')).toEqual([]);
    const second = conversationOf(await put('x', now));
    expect(second.id).not.toBe(first.id);
    expect(await pointers()).toMatchObject([{ resourceId: second.id, ttl: expect.any(Number) }]);
    advance(dayMs);
    const TableName = runtime.tableNames.conversations;
    const Key = { tenant: `${organisationId}#live#${project}`, id: second.id };
    await runtime.client.send(new DeleteCommand({ TableName, Key }));
    expect((await put('x', now)).status).toBe(201);
    expect(await named('x')).toHaveLength(1);
  });

  test.each([
    ['a start in the future', { ...whole, startedAt: '2999-01-01T00:00:00Z' }, 'startedAt'],
    ['another externalId in the body', { ...whole, externalId: 'y' }, 'externalId'],
    ['no avatar', { channel: 'web' }, 'avatarId'],
    ['no avatar to resume with', { resume: true }, 'avatarId'],
    ['resume as text', { avatarId, resume: 'true' }, 'resume'],
  ])('400 validation_error: %s', async (_, body, path) => {
    const { put } = await openNamed();
    expect((await put('x', body)).error.details?.map((detail) => detail.path)).toEqual([path]);
  });
});
