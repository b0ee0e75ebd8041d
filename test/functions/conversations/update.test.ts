import { describe, expect, test } from 'vitest';
import { minuteMs } from '../../../lib/base/time.ts';
import { type Json, openApi, storedOf } from '../../../samples/api.ts';
import { refuses, responds } from '../../support/responses.ts';

describe('conversations.update', () => {
  responds(200, 'with only the sent fields changed', async () => {
    const { call, createConversation, advance } = await openApi();
    const path = await createConversation({ tags: ['a', 'b'], metadata: { x: '1' } });
    const { data: before } = await call('GET', path);
    advance(1000);
    const response = await call('PATCH', path, { body: { tags: ['b', 'c'] } });
    expect(response.data).toEqual({ ...before, tags: ['b', 'c'], updatedAt: response.data.updatedAt });
    expect(response.data.updatedAt).not.toBe(before.updatedAt);
    expect((await call('PATCH', path, { body: { metadata: {} } })).data).toMatchObject({
      tags: ['b', 'c'],
      metadata: {},
    });
    return response;
  });

  responds(200, 'after which lists find it by its new tags only', async () => {
    const api = await openApi();
    const { call, createConversation } = api;
    const path = await createConversation({ tags: ['a', 'b'] });
    const response = await call('PATCH', path, { body: { tags: ['b', 'c'] } });
    const list = path.replace(/\/conv_\w+$/, '');
    const found = async (tag: string) =>
      ((await call('GET', `${list}?tag=${tag}`)).data.items as Json[]).length;
    expect([await found('a'), await found('b'), await found('c')]).toEqual([0, 1, 1]);
    await call('PATCH', path, { body: { tags: ['a'] } });
    expect([await found('a'), await found('b'), await found('c')]).toEqual([1, 0, 0]);
    const entries = (await storedOf(api, 'conversations')).filter(({ tenant }) =>
      /#by#tag#/.test(`${tenant}`),
    );
    expect(entries).toHaveLength(1);
    return response;
  });

  responds(200, 'for a timed out conversation, which stays ended', async () => {
    const { call, createConversation, advance } = await openApi();
    const path = await createConversation();
    advance(20 * minuteMs);
    await call('PATCH', path, { body: { metadata: { seen: 'yes' } } });
    advance(10 * minuteMs);
    const { data } = await call('GET', path);
    expect(data).toMatchObject({ status: 'ended', endReason: 'timeout' });
    const response = await call('PATCH', path, { body: { tags: ['late'] } });
    expect(response.data).toEqual({ ...data, tags: ['late'], updatedAt: response.data.updatedAt });
    return response;
  });

  refuses('not_found', 'an erased conversation', async () => {
    const { call, createConversation } = await openApi();
    const path = await createConversation();
    await call('DELETE', path);
    return call('PATCH', path, { body: { tags: [] } });
  });

  test.each([
    [{}, ''],
    [{ tags: null }, 'tags'],
    [{ tags: ['a', 'a'] }, 'tags'],
    [{ status: 'ended' }, 'status'],
    [{ avatarId: 'avtr_01JZ4Y7Q8R5T2V9W3X6B0C1D4E' }, 'avatarId'],
  ])('400 validation_error: %j', async (body, path) => {
    const { call, createConversation } = await openApi();
    const { error } = await call('PATCH', await createConversation(), { body });
    expect(error.details?.map((detail) => detail.path)).toEqual([path]);
  });
});
