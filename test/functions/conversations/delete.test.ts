import { describe, expect, test } from 'vitest';
import { openApi, storedOf } from '../../../samples/api.ts';
import { refuses, responds } from '../../support/responses.ts';
import { withoutGone } from '../../support/stored.ts';

const messages = [{ role: 'user', text: 'a secret', clientMessageId: 'm' }];

/** Has a value for every filter. */
const conversation = {
  externalUserId: 'somebody',
  channel: 'web',
  tags: ['a', 'b'],
  metadata: { name: 'somebody' },
  deploymentId: 'dep_01JZ4Y7Q8R5T2V9W3X6B0C1D4E',
};

describe('conversations.delete', () => {
  responds(200, 'after which the conversation can be neither read nor found', async () => {
    const { call, createConversation } = await openApi();
    const path = await createConversation(conversation);
    const list = path.replace(/\/conv_\w+$/, '');
    await call('POST', `${path}/messages`, { body: { messages } });
    const response = await call('DELETE', path);
    const { id, erasedAt } = response.data;
    expect(response.data).toEqual({ id, status: 'erased', erasedAt, purgedAt: null });
    expect(path).toContain(id);
    for (const read of [path, `${path}/transcript`]) expect((await call('GET', read)).status).toBe(404);
    for (const query of ['', 'tag=a', 'tag=b', 'externalUserId=somebody', 'channel=web']) {
      expect((await call('GET', `${list}?${query}`)).data).toEqual({ items: [], nextCursor: null });
    }
    return response;
  });

  test('only a tombstone is left: the id, the time and the creator, and no index entry', async () => {
    const api = await openApi();
    const path = await api.createConversation(conversation);
    expect(await storedOf(api, 'conversations')).toHaveLength(7);
    const { data } = await api.call('DELETE', path);
    const [, , project, , id] = path.split('/');
    const tenant = `${api.organisationId}#live#${project}#erased`;
    const stamps = { changedBy: expect.anything(), changedIn: expect.anything() };
    const left = {
      tenant,
      id,
      erasedAt: data.erasedAt,
      createdBy: expect.stringMatching(/^key_/),
      ...stamps,
    };
    expect(withoutGone(await storedOf(api, 'conversations'))).toEqual([left]);
  });

  responds(200, 'for a repeated request, with the same time', async () => {
    const { call, createConversation } = await openApi();
    const path = await createConversation();
    const first = await call('DELETE', path);
    const second = await call('DELETE', path);
    expect(second.text).toBe(first.text);
    return second;
  });

  refuses('not_found', 'an unknown conversation', async () => {
    const { call, createConversation } = await openApi();
    return call('DELETE', (await createConversation()).replace(/.{4}$/, '0000'));
  });
});
