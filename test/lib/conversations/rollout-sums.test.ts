/** The sums of a rollout: what changes them, and what they cost. */

import { expect, test } from 'vitest';
import { affectsCounts } from '../../../lib/conversations/count.ts';
import { readChange } from '../../../lib/workers/change.ts';
import { meter } from '../../../measures/meter.ts';
import { type Json, openApi, storedOf } from '../../../samples/api.ts';
import { changeRecord } from '../../../samples/stream-records.ts';
import conversationCounter from '../../../workers/conversation-counter.ts';
import conversationEraser from '../../../workers/conversation-eraser.ts';
import conversationReindexer from '../../../workers/conversation-reindexer.ts';
import { storedSums } from '../../support/rollout-sums.ts';
import { nameScores, type SentScore, storeScores } from '../../support/scores.ts';
import { assignmentOf, rolloutId, storeRollout } from '../../support/stored-rollouts.ts';
import { deliver } from '../../support/workers.ts';

const avatarId = 'avtr_01JZ4Y7Q8R5T2V9W3X6B0C1D4E';
const assignment = assignmentOf('candidate');
const names = ['a', 'b', 'c', 'd', 'e'];
const output = { type: 'number', min: -1e9, max: 1e9 } as const;
const outputs = Object.fromEntries(names.map((name) => [name, output]));

async function openCounted() {
  let metered = meter({} as never);
  const api = await openApi(({ client }) => {
    metered = meter(client);
    return { client: metered.client };
  });
  const project = await api.createProject();
  const list = `/projects/${project}/conversations`;
  await nameScores(api, project, outputs);
  await storeRollout(api, project, { guards: names.map((score) => ({ score })) });
  const itemsOf = async (parts: number, place?: string) =>
    (await storedOf(api, 'conversations')).filter(({ tenant }) => {
      const all = `${tenant}`.split('#');
      return all.length === parts && all[3] === place;
    });
  return {
    ...api,
    api,
    list,
    metered: () => metered,
    create: async (body: Json = {}) => {
      const { data } = await api.call('POST', list, { body: { avatarId, assignment, ...body } });
      return `${data.id}`;
    },
    end: (id: string) => api.call('POST', `${list}/${id}/end`, { body: { reason: 'done' } }),
    stored: async (id: string) => (await itemsOf(3)).find((item) => item.id === id),
    score: (id: string, values: Json) =>
      storeScores(
        api,
        project,
        outputs,
        id,
        Object.entries(values).map(([name, value]): SentScore => ({ name, value, source: 'api' })),
      ),
    count: async () => {
      const items = [...(await itemsOf(3)), ...(await itemsOf(4, 'scored'))];
      await deliver(
        api,
        conversationCounter,
        items.map((item) => changeRecord(undefined, item)),
      );
    },
    sums: () => storedSums(api, project, rolloutId),
  };
}

test('the end of a conversation closes its unit, though nothing else changes', async () => {
  const { api, create, end, stored, count, sums } = await openCounted();
  const id = await create();
  await count();
  expect(await sums()).toMatchObject([{ conversations: 1, units: 1, open: 1 }]);
  const before = await stored(id);
  await end(id);
  await deliver(api, conversationCounter, [changeRecord(before, await stored(id))]);
  const [closed] = await sums();
  expect(closed).toMatchObject({ conversations: 1, units: 1, open: 0, duration: { count: 1 } });
  expect(closed?.guards.map(({ unknown }) => unknown)).toEqual([1, 1, 1, 1, 1]);
});

test('without a counted unit, the end of a conversation is not counted again', async () => {
  const { create, end, stored } = await openCounted();
  const wants = async (body: Json) => {
    const id = await create(body);
    const before = await stored(id);
    await end(id);
    return affectsCounts(readChange(changeRecord(before, await stored(id)), 'conversations'));
  };
  expect(await wants({})).toBe(true);
  // The unit has counted before.
  expect(await wants({})).toBe(false);
  expect(await wants({ assignment: null })).toBe(false);
});

test('sums follow a correction, a null score, an erasure and a build of the statistics', async () => {
  const { api, call, list, create, end, score, count, sums } = await openCounted();
  const id = await create();
  await create();
  await end(id);
  await score(id, { a: 2.5, b: -3 });
  await count();
  const guardsIn = async () =>
    (await sums())[0]?.guards.map(({ moments: { count: number, sum, squares }, unknown }) => [
      number,
      sum,
      squares,
      unknown,
    ]);
  const unscored = Array.from({ length: 3 }, () => [0, 0, 0, 1]);
  expect(await guardsIn()).toEqual([[1, 2.5, 6.25, 0], [1, -3, 9, 0], ...unscored]);
  await score(id, { a: 1e9, b: null });
  await count();
  expect(await guardsIn()).toEqual([[1, 1e9, 1e18, 0], [0, 0, 0, 1], ...unscored]);
  const counted = await sums();
  const { data } = await call('POST', `${list}/reindex`);
  const jobs = (await storedOf(api, 'jobs')).filter((item) => item.type && item.id === data.id);
  await deliver(
    api,
    conversationReindexer,
    jobs.map((job) => changeRecord(undefined, job)),
  );
  expect(await sums()).toEqual(counted);
  await call('DELETE', `${list}/${id}`);
  const [tombstone] = (await storedOf(api, 'conversations')).filter(({ erasedAt }) => erasedAt);
  await deliver(api, conversationEraser, [changeRecord(undefined, tombstone)]);
  expect(await sums()).toMatchObject([{ conversations: 1, units: 0, open: 0 }]);
  expect((await guardsIn())?.flat().every((amount) => amount === 0)).toBe(true);
});

test('a conversation of a rollout costs two write units more, with the longest sum too', async () => {
  const { create, end, score, count, metered } = await openCounted();
  const costOf = async (body: Json) => {
    const id = await create(body);
    await end(id);
    await score(id, Object.fromEntries(names.map((name) => [name, -987_654_321.123_456])));
    metered().reset();
    await count();
    return metered().usage().writeUnits;
  };
  // What all of them have in common.
  const deploymentId = 'dep_01JZ4Y7Q8R5T2V9W3X6B0C1D4F';
  await costOf({ assignment: null, deploymentId });
  const without = await costOf({ assignment: null, deploymentId });
  for (const number of [0, 1, 2]) {
    expect(await costOf({ assignment: assignmentOf('candidate', number) })).toBe(without + 2);
  }
});
