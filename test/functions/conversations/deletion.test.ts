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

  test('only a tombstone is left: the id and the time, and no index entry', async () => {
    const api = await openApi();
    const path = await api.createConversation(conversation);
    expect(await storedOf(api, 'conversations')).toHaveLength(7);
    const { data } = await api.call('DELETE', path);
    const [, , project, , id] = path.split('/');
    const tenant = `${api.organisationId}#live#${project}#erased`;
    const stamps = { changedBy: expect.anything(), changedIn: expect.anything() };
    const left = { tenant, id, erasedAt: data.erasedAt, ...stamps };
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

const body = { externalUserId: 'anna@example.com' };

describe('conversations.erase', () => {
  responds(202, 'with a job and the URL to wait for its end', async () => {
    const { call, createProject } = await openApi();
    const project = await createProject();
    const response = await call('POST', `/projects/${project}/conversations/erase`, { body });
    expect(response.data).toMatchObject({ type: 'conversations.erase', status: 'queued', result: null });
    const location = `/projects/${project}/jobs/${response.data.id}`;
    expect(response.headers.Location).toContain(`${location}?waitSeconds=20`);
    expect(response.text).not.toContain('anna');
    return response;
  });

  test('works in an archived project', async () => {
    const { call, createProject } = await openApi();
    const project = await createProject();
    await call('PATCH', `/projects/${project}`, { body: { status: 'archived' } });
    expect((await call('POST', `/projects/${project}/conversations/erase`, { body })).status).toBe(202);
  });

  test('the idempotency record does not contain the identifier', async () => {
    const api = await openApi();
    const path = `/projects/${await api.createProject()}/conversations/erase`;
    await api.call('POST', path, { body, idempotencyKey: 'erase' });
    expect(JSON.stringify(await storedOf(api, 'idempotency'))).not.toContain('anna');
  });
});

describe('the scopes for reading and cancelling the job', () => {
  test('a key for conversations gets 200, a key for knowledge insufficient_scope', async () => {
    const { call, createProject, createKey } = await openApi();
    const project = `/projects/${await createProject()}`;
    const own = (await createKey({ scopes: ['conversations:write'] })).secret;
    const other = (await createKey({ scopes: ['knowledge:write'] })).secret;
    const { data } = await call('POST', `${project}/conversations/erase`, { body, key: own });
    const job = `${project}/jobs/${data.id}`;
    expect((await call('GET', job, { key: own })).data.id).toBe(data.id);
    for (const response of [
      await call('GET', job, { key: other }),
      await call('POST', `${job}/cancel`, { key: other }),
    ]) {
      expect(response.error.code).toBe('insufficient_scope');
      expect(response.error.message).toContain('conversations:');
    }
  });
});
