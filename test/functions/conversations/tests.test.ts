/** Test conversations: lists show them, and statistics count them apart. */

import { afterEach, expect, test } from 'vitest';
import { type Json, openApi } from '../../../samples/api.ts';
import conversationCounter from '../../../workers/conversation-counter.ts';
import messageIndexer from '../../../workers/message-indexer.ts';
import { assignmentOf, storeRollout } from '../../support/stored-rollouts.ts';
import { follow } from '../../support/workers.ts';

const avatarId = 'avtr_01JZ4Y7Q8R5T2V9W3X6B0C1D4E';
const deploymentId = 'dep_01JZ4Y7Q8R5T2V9W3X6B0C1D4E';
const opened: { stop(): Promise<void> }[] = [];

afterEach(async () => {
  await Promise.all(opened.splice(0).map(({ stop }) => stop()));
});

async function openProject() {
  const api = await openApi();
  const project = await api.createProject();
  const list = `/projects/${project}/conversations`;
  const get = async (path: string) => {
    const { status, text, data } = await api.call('GET', path);
    expect(status, text).toBe(200);
    return data;
  };
  return {
    ...api,
    api,
    project,
    list,
    get,
    make: async (body: Json = {}) =>
      (await api.createConversation(body, project)).split('/').at(-1) as string,
    ids: async (query: string) => ((await get(`${list}?${query}`)).items as Json[]).map(({ id }) => id),
    put: (body: Json) => api.call('PUT', `${list}/by-external-id/call-1`, { body: { avatarId, ...body } }),
  };
}

test('a list shows test conversations, alone, not at all, or with the others', async () => {
  const { make, ids } = await openProject();
  const trial = await make({ test: true, channel: 'web', deploymentId, tags: ['new'] });
  const call = await make({ channel: 'web', deploymentId, tags: ['new'] });
  expect(await ids('')).toEqual([call, trial]);
  for (const others of [
    '',
    '&channel=web',
    '&tag=new',
    `&deploymentId=${deploymentId}&avatarId=${avatarId}`,
  ]) {
    expect(await ids(`test=true${others}`), others).toEqual([trial]);
    expect(await ids(`test=false${others}`), others).toEqual([call]);
  }
  expect(await ids('test=true&channel=phone')).toEqual([]);
});

test('a list of test conversations has no erased one', async () => {
  const { make, ids, call, list } = await openProject();
  const [first, second] = [await make({ test: true }), await make({ test: true })];
  await call('DELETE', `${list}/${first}`);
  expect(await ids('test=true')).toEqual([second]);
});

test('whether it is a test is fixed, shown everywhere, and part of a repeated PUT', async () => {
  const { put, get, list } = await openProject();
  const created = await put({ test: true });
  expect(created.data).toMatchObject({ outcome: 'created', conversation: { test: true } });
  const { id } = created.data.conversation as Json;
  expect(await get(`${list}/${id}`)).toMatchObject({ test: true });
  expect((await put({ test: true })).data.outcome).toBe('unchanged');
  for (const body of [{}, { test: false }, { test: false, resume: true }]) {
    const { status, error } = await put(body);
    expect([status, error.code]).toEqual([409, 'conversation_mismatch']);
    expect(error.message).toContain('another test');
  }
  expect((await put({ resume: true })).data).toMatchObject({ conversation: { test: true } });
});

test('a conversation that is no test is not made one', async () => {
  const { put } = await openProject();
  expect((await put({})).data).toMatchObject({ conversation: { test: false } });
  expect((await put({ test: false })).data.outcome).toBe('unchanged');
  expect((await put({ test: true })).error.code).toBe('conversation_mismatch');
});

test('a test conversation has no assignment', async () => {
  const { api, project, list, call } = await openProject();
  await storeRollout(api, project);
  const body = { avatarId, assignment: assignmentOf('candidate'), test: true };
  const { status, error } = await call('POST', list, { body });
  expect([status, error.details?.[0]?.path]).toEqual([400, 'test']);
  expect((await call('POST', list, { body: { ...body, test: false } })).status).toBe(201);
});

test('an import has test conversations, and compares them', async () => {
  const { list, call, ids } = await openProject();
  const conversation = { externalId: 'call-1', avatarId, startedAt: '2026-03-01T09:30:00Z', messages: [] };
  const send = (body: Json) =>
    call('POST', `${list}/import`, { body: { conversations: [{ ...conversation, ...body }] } });
  const { data } = await send({ test: true });
  expect(await ids('test=true')).toEqual([(data.results as Json[])[0]?.id]);
  expect((await send({ test: true })).data.results).toMatchObject([{ outcome: 'unchanged' }]);
  expect((await send({})).error.code).toBe('conversation_mismatch');
});

test('a search finds messages of test conversations, and has the filter', async () => {
  const { api, make, call, list, get } = await openProject();
  const followers = await follow(api, [messageIndexer]);
  opened.push(followers);
  const all = [await make({ test: true }), await make()];
  for (const id of all) {
    await call('POST', `${list}/${id}/messages`, { body: { messages: [{ role: 'user', text: 'refund' }] } });
  }
  await followers.settled();
  const found = async (query: string) =>
    ((await get(`${list}/search?q=refund${query}`)).items as Json[]).map(
      ({ conversationId }) => conversationId,
    );
  expect((await found('')).sort()).toEqual(all.toSorted());
  expect(await found('&test=true')).toEqual([all[0]]);
  expect(await found('&test=false')).toEqual([all[1]]);
});

test.each(['day', 'avatar', 'channel', 'deployment'])(
  'statistics by %s count test conversations apart',
  async (groupBy) => {
    const { api, make, call, list, get } = await openProject();
    const followers = await follow(api, [conversationCounter]);
    opened.push(followers);
    const trial = await make({ test: true, channel: 'web', deploymentId });
    await make({ channel: 'web', deploymentId });
    await make({ channel: 'web' });
    const messages = ['one', 'two', 'three'].map((text) => ({ role: 'user', text }));
    await call('POST', `${list}/${trial}/messages`, { body: { messages } });
    await followers.settled();
    const counts = async (query = '') => {
      const { items, totals } = await get(`${list}/stats?groupBy=${groupBy}${query}`);
      const sum = (items as Json[]).reduce((all, { conversations }) => all + Number(conversations), 0);
      const { conversations, messages } = totals as Json;
      return [sum, conversations, messages];
    };
    expect(await counts()).toEqual([2, 2, 0]);
    expect(await counts('&test=false')).toEqual([2, 2, 0]);
    expect(await counts('&test=true')).toEqual([1, 1, 3]);
    await call('DELETE', `${list}/${trial}`);
    await followers.settled();
    expect(await counts('&test=true')).toEqual([0, 0, 0]);
  },
);
