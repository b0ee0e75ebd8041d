/** A conversation without a deployment gets one later, once, by an internal change. A reply is noted and removed in the same way. */

import { afterEach, expect, test } from 'vitest';
import { type ConversationChanges, changeConversation } from '../../../lib/conversations/store/changes.ts';
import { conversations } from '../../../lib/conversations/store/conversations.ts';
import { commit } from '../../../lib/dynamodb/commit.ts';
import { openSession } from '../../../lib/dynamodb/session.ts';
import { bindStore } from '../../../lib/dynamodb/store.ts';
import { type Json, openApi } from '../../../samples/api.ts';
import conversationCounter from '../../../workers/conversation-counter.ts';
import retentionRewriter from '../../../workers/retention-rewriter.ts';
import { nameScores, storeScores } from '../../support/scores.ts';
import { follow } from '../../support/workers.ts';

const avatarId = 'avtr_01JZ4Y7Q8R5T2V9W3X6B0C1D4E';
const deploymentId = 'dep_01JZ4Y7Q8R5T2V9W3X6B0C1D4E';
const other = 'dep_01JZ4Y7Q8R5T2V9W3X6B0C1D4F';
const outputs = { csat: { type: 'number', min: 1, max: 5 } } as const;
const opened: { stop(): Promise<void> }[] = [];

afterEach(async () => {
  await Promise.all(opened.splice(0).map(({ stop }) => stop()));
});

async function openProject() {
  const api = await openApi();
  const followers = await follow(api, [conversationCounter, retentionRewriter]);
  opened.push(followers);
  const project = await api.createProject();
  const { runtime } = api;
  const session = openSession(runtime.client, runtime.tableNames, {
    conversations: ['GetItem', 'PutItem', 'UpdateItem', 'DeleteItem'],
  });
  const store = bindStore(session, `${api.organisationId}#live`).inProject(project);
  const list = `/projects/${project}/conversations`;
  const stored = async (id: string) => {
    const found = await conversations.at(store).get(id);
    if (!found) throw new Error('it is not stored');
    return found;
  };
  return {
    ...api,
    api,
    project,
    list,
    stored,
    settled: followers.settled,
    make: async (body: Json = {}) =>
      (await api.createConversation(body, project)).split('/').at(-1) as string,
    ids: async (query: string) =>
      ((await api.call('GET', `${list}?${query}`)).data.items as Json[]).map(({ id }) => id),
    /** @returns whether the change was stored */
    change: async (
      before: Awaited<ReturnType<typeof stored>>,
      changes: ConversationChanges,
      options?: { drop: readonly 'replyId'[] },
    ) => {
      const nowMs = runtime.nowMs();
      const changedIn = runtime.newId('call', nowMs);
      const stamp = { changedBy: 'worker:test', changedThrough: 'worker:test', changedIn, nowMs };
      return (
        (await commit(session, changeConversation(store, before, changes, options), stamp)) === undefined
      );
    },
  };
}

test('each list finds the conversation by its deployment', async () => {
  const { api, project, make, ids, stored, change, call, list } = await openProject();
  const body = { externalUserId: 'user', channel: 'web', tags: ['new'], test: true };
  const [id, without] = [await make(body), await make(body)];
  await nameScores(api, project, outputs);
  await storeScores(api, project, outputs, id, [{ name: 'csat', value: 4, source: 'human' }]);
  expect(await ids(`deploymentId=${deploymentId}`)).toEqual([]);
  expect(await change(await stored(id), { deploymentId, tags: ['new', 'later'] })).toBe(true);
  const others = ['', 'externalUserId=user', 'channel=web', 'tag=new', 'tag=later', 'test=true'];
  for (const filter of [...others, `avatarId=${avatarId}`, 'score=csat:gte:3', 'score=csat:eq:4']) {
    expect(await ids(`${filter}&deploymentId=${deploymentId}`), filter).toEqual([id]);
    expect(await ids(`${filter}&deploymentId=${other}`), filter).toEqual([]);
  }
  expect(await ids('externalUserId=user')).toEqual([without, id]);
  await call('DELETE', `${list}/${id}`);
  expect(await ids(`deploymentId=${deploymentId}`)).toEqual([]);
});

test('it is set once, and not after another change', async () => {
  const { make, stored, change } = await openProject();
  const id = await make();
  const before = await stored(id);
  expect(await change(before, { deploymentId })).toBe(true);
  expect(await change(before, { deploymentId: other })).toBe(false);
  const after = await stored(id);
  expect(after.deploymentId).toBe(deploymentId);
  await expect(change(after, { deploymentId: other })).rejects.toThrow('the deployment is fixed');
  expect(await change(after, { deploymentId })).toBe(true);
});

test('statistics count it with its deployment', async () => {
  const { make, stored, change, settled, call, list } = await openProject();
  const [id] = [await make(), await make()];
  await settled();
  const counts = async () => {
    const { data } = await call('GET', `${list}/stats?groupBy=deployment`);
    return (data.items as Json[]).map(({ key, conversations }) => [key, conversations]);
  };
  expect(await counts()).toEqual([[null, 2]]);
  await change(await stored(id as string), { deploymentId });
  await settled();
  expect(await counts()).toEqual([
    [null, 1],
    [deploymentId, 1],
  ]);
});

test('the PUT that has created it is still the same request', async () => {
  const { call, list, stored, change } = await openProject();
  const put = (body: Json = {}) =>
    call('PUT', `${list}/by-external-id/call-1`, { body: { avatarId, ...body } });
  const { conversation } = (await put()).data;
  await change(await stored(`${(conversation as Json).id}`), { deploymentId });
  for (const body of [{}, { deploymentId: null }, { deploymentId }])
    expect((await put(body)).data).toMatchObject({ outcome: 'unchanged', conversation: { deploymentId } });
  expect((await put({ deploymentId: other })).error.code).toBe('conversation_mismatch');
});

test('its new entry expires with it', async () => {
  const { make, stored, change, settled, call, project, ids } = await openProject();
  const id = await make();
  await change(await stored(id), { deploymentId });
  await call('PATCH', `/projects/${project}`, { body: { settings: { retentionDays: 10 } } });
  await settled();
  expect((await stored(id)).ttl).toBeGreaterThan(0);
  expect(await ids(`deploymentId=${deploymentId}`)).toEqual([id]);
});

test('a reply is noted and removed, and nobody sees it', async () => {
  const { make, stored, change, call, list } = await openProject();
  const id = await make();
  expect(await change(await stored(id), { replyId: 'rpl_1', replyMicroUsd: 7 })).toBe(true);
  const running = await stored(id);
  expect(running).toMatchObject({ replyId: 'rpl_1', replyMicroUsd: 7 });
  const { text } = await call('GET', `${list}/${id}`);
  expect(text).not.toMatch(/rpl_1|replyMicroUsd|deployedLater/);
  expect(await change(running, {}, { drop: ['replyId'] })).toBe(true);
  const after = await stored(id);
  expect('replyId' in after).toBe(false);
  expect(after.replyMicroUsd).toBe(7);
});
