/**
 * Quotas: the amounts that a tenant may store in a day, and have at the same time. A refused request stores nothing and counts
 * nothing.
 */

import { describe, expect, test } from 'vitest';
import { defaultLimits, type Quotas } from '../../lib/base/stage-limits.ts';
import { dayMs, timestamp } from '../../lib/base/time.ts';
import { type Json, openApi, storedOf, type TestApi } from '../../samples/api.ts';
import { withTransactionConflicts } from '../support/faults.ts';

const withQuotas = (quotas: Quotas) =>
  openApi(() => ({ limits: { ...defaultLimits, live: { rateLimit: null, quotas } } }));

const usedOf = async (api: TestApi) => {
  const { data } = await api.call('GET', '/usage');
  return Object.fromEntries(
    Object.entries(data.quotas as Record<string, Json>).flatMap(([name, { limit, used }]) =>
      limit === null ? [] : [[name, used]],
    ),
  );
};

const documents = async (api: TestApi) => `/projects/${await api.createProject()}/knowledge/documents`;
const say = (...texts: string[]) => ({ messages: texts.map((text) => ({ role: 'user', text })) });
const nextDay = (api: TestApi) => timestamp((Math.floor(api.runtime.nowMs() / dayMs) + 1) * dayMs);

describe('the quota of documents and bytes', () => {
  test('counts every content that is stored, and nothing that is unchanged', async () => {
    const api = await withQuotas({ documents: 100, bytes: 1000 });
    const path = await documents(api);
    const put = (body: Json) =>
      api.call('PUT', `${path}/by-external-id/a`, { body: { title: 't', ...body } });
    const created = await api.call('POST', path, { body: { title: 't', content: 'äöü' } });
    expect(await usedOf(api)).toEqual({ documents: 1, bytes: 6 });
    await put({ content: '12345' });
    await put({ content: '12345' });
    await put({ content: '12345', tags: ['a'] });
    expect(await usedOf(api)).toEqual({ documents: 2, bytes: 11 });
    await put({ content: '1234567' });
    await api.call('PATCH', `${path}/${created.data.id}`, { body: { title: 'u' } });
    await api.call('PATCH', `${path}/${created.data.id}`, { body: { content: '12' } });
    expect(await usedOf(api)).toEqual({ documents: 4, bytes: 20 });
    const batch = ['a', 'b', 'c'].map((externalId) => ({ externalId, title: 't', content: '1234567' }));
    await api.call('POST', `${path}/batch`, { body: { documents: batch } });
    // The first is unchanged but for its tags.
    expect(await usedOf(api)).toEqual({ documents: 6, bytes: 34 });
    await api.call('DELETE', `${path}/${created.data.id}`);
    expect(await usedOf(api)).toEqual({ documents: 6, bytes: 34 });
  });

  test('refuses what would exceed it, names it, and stores nothing of it', async () => {
    const api = await withQuotas({ documents: 3, bytes: 1000 });
    const path = await documents(api);
    const batch = (...ids: string[]) =>
      api.call('POST', `${path}/batch`, {
        body: { documents: ids.map((externalId) => ({ externalId, title: 't', content: 'c' })) },
      });
    expect((await batch('a', 'b')).status).toBe(200);
    const refused = await batch('c', 'd');
    expect(refused.status).toBe(429);
    expect(refused.error).toMatchObject({
      code: 'quota_exceeded',
      message: `The request would exceed the quota of 3 documents per day (quotas.documents). Nothing of the request is stored. The quota resets at ${nextDay(api)}.`,
    });
    const untilReset = (Date.parse(nextDay(api)) - api.runtime.nowMs()) / 1000;
    expect(Math.abs(Number(refused.headers['Retry-After']) - untilReset)).toBeLessThan(60);
    expect(await usedOf(api)).toEqual({ documents: 2, bytes: 2 });
    expect((await api.call('GET', path)).data.items).toHaveLength(2);
    expect((await batch('c')).status).toBe(200);
    expect((await batch('d')).error.code).toBe('quota_exceeded');
    expect((await batch('a', 'b', 'c', 'd', 'e')).error.code).toBe('quota_exceeded');
    api.advance(dayMs);
    expect(await usedOf(api)).toEqual({ documents: 0, bytes: 0 });
    expect((await batch('d')).status).toBe(200);
  });

  test('is of the whole organisation and of one mode', async () => {
    const api = await openApi(() => {
      const both = { rateLimit: null, quotas: { documents: 1 } };
      return { limits: { live: both, test: both } };
    });
    const body = { title: 't', content: 'c' };
    expect((await api.call('POST', await documents(api), { body })).status).toBe(201);
    expect((await api.call('POST', await documents(api), { body })).status).toBe(429);
    const key = await api.testModeKey();
    const project = await api.createProject({}, key);
    const inTest = await api.call('POST', `/projects/${project}/knowledge/documents`, { body, key });
    expect(inTest.status).toBe(201);
  });
});

describe('the quotas of conversations and messages', () => {
  test('count every message of a request, with its text, and no duplicate', async () => {
    const api = await withQuotas({ conversations: 2, messages: 5, bytes: 100 });
    const path = `${await api.createConversation()}/messages`;
    const append = (body: Json) => api.call('POST', path, { body });
    const known = { messages: [{ role: 'user', text: 'hello', clientMessageId: 'm' }] };
    for (const body of [known, known, say('ä', 'b', 'c')]) expect((await append(body)).status).toBe(201);
    expect(await usedOf(api)).toEqual({ conversations: 1, messages: 4, bytes: 9 });
    const refused = await append(say('d', 'e'));
    expect([refused.error.code, refused.error.message]).toEqual([
      'quota_exceeded',
      expect.stringContaining('the quota of 5 messages per day'),
    ]);
    expect((await append(known)).status).toBe(201);
    expect(await usedOf(api)).toEqual({ conversations: 1, messages: 4, bytes: 9 });
    expect((await append(say('d'))).status).toBe(201);
    await api.createConversation();
    await expect(api.createConversation()).rejects.toThrow('the quota of 2 conversations per day');
  });
});

describe('fifty requests at the same time', () => {
  test('store exactly as much as the quota allows', { tags: ['long'] }, async () => {
    const api = await withQuotas({ conversations: 20 });
    const project = await api.createProject();
    const start = () =>
      api.call('POST', `/projects/${project}/conversations`, {
        body: { avatarId: 'avtr_01JZ4Y7Q8R5T2V9W3X6B0C1D4E' },
      });
    const statuses = (await Promise.all(Array.from({ length: 50 }, start))).map(({ status }) => status);
    expect(statuses.filter((status) => status === 201)).toHaveLength(20);
    expect(statuses.filter((status) => status === 429)).toHaveLength(30);
    expect(await usedOf(api)).toEqual({ conversations: 20 });
  });

  test('count once if they are duplicates, also where that uses the quota up', async () => {
    const api = await openApi(({ client }) => ({
      limits: { ...defaultLimits, live: { rateLimit: null, quotas: { conversations: 1 } } },
      client: withTransactionConflicts(client).client,
    }));
    const project = await api.createProject();
    const start = () =>
      api.call('POST', `/projects/${project}/conversations`, {
        body: { avatarId: 'avtr_01JZ4Y7Q8R5T2V9W3X6B0C1D4E' },
        idempotencyKey: 'one',
      });
    const responses = await Promise.all(Array.from({ length: 50 }, start));
    expect(new Set(responses.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
    expect((await start()).headers['Idempotent-Replayed']).toBe('true');
    expect(await usedOf(api)).toEqual({ conversations: 1 });
  });
});

describe('the quota of jobs', () => {
  test('counts the jobs of all projects that have not ended', async () => {
    const api = await withQuotas({ jobs: 2 });
    const projects = [await api.createProject(), await api.createProject(), await api.createProject()];
    const reindex = (index: number, of = 'knowledge') =>
      api.call('POST', `/projects/${projects[index]}/${of}/reindex`);
    const first = await reindex(0);
    expect([first.status, (await reindex(1)).status]).toEqual([202, 202]);
    // The same job.
    expect((await reindex(1)).status).toBe(200);
    expect(await usedOf(api)).toEqual({ jobs: 2 });
    const refused = await reindex(2);
    expect(refused.status).toBe(429);
    expect(refused.error.message).toContain('The quota of 2 jobs at the same time (quotas.jobs)');
    expect((await reindex(0, 'conversations')).error.code).toBe('quota_exceeded');
    expect((await api.call('GET', `/projects/${projects[2]}/jobs`)).data.items).toEqual([]);

    await api.call('POST', `/projects/${projects[0]}/jobs/${first.data.id}/cancel`);
    expect(await usedOf(api)).toEqual({ jobs: 1 });
    expect((await reindex(0, 'conversations')).status).toBe(202);
    expect((await reindex(2)).error.code).toBe('quota_exceeded');
    expect(await storedOf(api, 'limits')).toHaveLength(2);
  });

  test('is exact in a race', { tags: ['long'] }, async () => {
    const api = await withQuotas({ jobs: 3 });
    const projects = await Promise.all(Array.from({ length: 12 }, () => api.createProject()));
    const responses = await Promise.all(
      projects.map((project) => api.call('POST', `/projects/${project}/knowledge/reindex`)),
    );
    expect(responses.filter(({ status }) => status === 202)).toHaveLength(3);
    expect(responses.filter(({ status }) => status === 429)).toHaveLength(9);
  });

  test('stops no removal of data', async () => {
    const api = await withQuotas({ jobs: 0 });
    const path = await documents(api);
    const { data } = await api.call('POST', path, { body: { title: 't', content: 'c' } });
    expect((await api.call('DELETE', `${path}/${data.id}?expunge=true`)).status).toBe(202);
    const conversations = (await api.createConversation({ externalUserId: 'anna' })).replace(/conv_\w+$/, '');
    const body = { externalUserId: 'anna' };
    expect((await api.call('POST', `${conversations}erase`, { body })).status).toBe(202);
  });
});

test('the quota of waits refuses a wait that exceeds it, and no request that does not wait', async () => {
  const api = await withQuotas({ waits: 0 });
  const path = `${await api.createConversation()}/transcript`;
  expect((await api.call('GET', path)).status).toBe(200);
  const refused = await api.call('GET', `${path}?waitSeconds=5`);
  expect([refused.status, refused.headers['Retry-After']]).toEqual([429, '2']);
  expect(refused.error.message).toContain('(quotas.waits)');
});

test('without quotas, nothing is counted', async () => {
  const api = await openApi();
  await api.call('POST', await documents(api), { body: { title: 't', content: 'c' } });
  await api.createConversation();
  expect(await storedOf(api, 'limits')).toEqual([]);
  expect(await usedOf(api)).toEqual({});
});
