/** Each unit of a rollout counts once, with its first conversation that came in time. */

import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, test } from 'vitest';
import { dayMs, minuteMs } from '../../../lib/base/time.ts';
import { meter } from '../../../measures/meter.ts';
import { type Json, openApi, storedOf } from '../../../samples/api.ts';
import { changeRecord } from '../../../samples/stream-records.ts';
import conversationEraser from '../../../workers/conversation-eraser.ts';
import retentionRewriter from '../../../workers/retention-rewriter.ts';
import userEraser from '../../../workers/user-eraser.ts';
import {
  assignmentOf,
  candidateId,
  currentId,
  openSpan,
  storeRollout,
  unitsOf,
} from '../../support/stored-rollouts.ts';
import { deliver } from '../../support/workers.ts';

const avatarId = 'avtr_01JZ4Y7Q8R5T2V9W3X6B0C1D4E';
const assignment = assignmentOf('candidate');

async function openRollout(rollout: Json = {}, settings: Json = {}) {
  let metered = meter({} as never);
  const api = await openApi(({ client }) => {
    metered = meter(client);
    return { client: metered.client };
  });
  const project = await api.createProject({ settings });
  await storeRollout(api, project, rollout);
  const list = `/projects/${project}/conversations`;
  return {
    ...api,
    api,
    project,
    list,
    metered: () => metered,
    create: async (body: Json = {}) => {
      const response = await api.call('POST', list, { body: { avatarId, assignment, ...body } });
      expect(response.status, response.text).toBe(201);
      return response.data;
    },
    put: (externalId: string, body: Json = {}) =>
      api.call('PUT', `${list}/by-external-id/${externalId}`, { body: { avatarId, ...body } }),
  };
}

test('the first conversation of a unit counts, and later ones do not', async () => {
  const { call, list, create, api } = await openRollout();
  const first = await create();
  expect(first).toMatchObject({ assignment, counted: true, deploymentId: candidateId });
  expect(await create()).toMatchObject({ assignment, counted: false, deploymentId: candidateId });
  const other = await create({ assignment: assignmentOf('current') });
  expect(other).toMatchObject({ counted: true, deploymentId: currentId });
  expect((await call('GET', `${list}/${first.id}`)).data).toEqual(first);
  const units = await unitsOf(api);
  expect(units.map(({ conversationId }) => conversationId).sort()).toEqual([first.id, other.id].sort());
});

test('a unit counts once also in another span, where it has the other variant', async () => {
  const spans = [openSpan(1, 10, new Date().toISOString()), openSpan(2, 90)];
  const { create } = await openRollout({ spans });
  const inSpan = (span: number, percent: number, variant: 'current' | 'candidate', number: number) =>
    assignmentOf(variant, number, { span, percent });
  // The first unit that had the current deployment at 10 %, and has the candidate at 90 %.
  const hashOf = (text: string) => text.slice(-16);
  const before = inSpan(1, 10, 'current', 0);
  const after = Array.from({ length: 20 }, (_, number) => inSpan(2, 90, 'candidate', number)).find(
    (text) => hashOf(text) === hashOf(before),
  );
  expect(after).toBeDefined();
  expect(await create({ assignment: before })).toMatchObject({ counted: true, deploymentId: currentId });
  expect(await create({ assignment: after })).toMatchObject({ counted: false, deploymentId: candidateId });
});

test('of conversations of a unit that begin at once, exactly one counts', async () => {
  const { create, api } = await openRollout();
  const all = await Promise.all(Array.from({ length: 8 }, () => create()));
  const counted = all.filter((one) => one.counted);
  expect(counted).toHaveLength(1);
  expect((await unitsOf(api)).map(({ conversationId }) => conversationId)).toEqual([counted[0]?.id]);
});

describe('an assignment counts until 10 minutes after the end', () => {
  const ends: [string, (until: string) => Json][] = [
    ['of its span', (until) => ({ spans: [openSpan(1, 50, until), openSpan(2, 60)] })],
    ['of the rollout', (until) => ({ endedAt: until })],
  ];
  test.each(ends)('%s', async (_, ended) => {
    const { api, advance, create } = await openRollout(ended(new Date().toISOString()));
    advance(9 * minuteMs);
    expect(await create()).toMatchObject({ assignment, counted: true });
    advance(2 * minuteMs);
    const late = assignmentOf('current');
    expect(await create({ assignment: late })).toMatchObject({ assignment: late, counted: false });
    expect(await unitsOf(api)).toHaveLength(1);
  });
});

test('the resumption of a conversation uses no assignment, whatever it is', async () => {
  const { put, api } = await openRollout();
  const { data: created } = await put('call', { resume: true, assignment });
  expect(created).toMatchObject({ outcome: 'created', conversation: { assignment, counted: true } });
  for (const other of [
    undefined,
    null,
    assignmentOf('current'),
    `${assignment.slice(0, -16)}${'f'.repeat(16)}`,
  ]) {
    const { data } = await put('call', { resume: true, ...(other !== undefined && { assignment: other }) });
    expect(data).toEqual({ outcome: 'unchanged', conversation: created.conversation });
  }
  await put('without', {});
  const { data } = await put('without', { resume: true, assignment: assignmentOf('current') });
  expect(data.conversation).toMatchObject({ assignment: null, counted: false, deploymentId: null });
  expect(await unitsOf(api)).toHaveLength(1);
});

test('a repeated PUT has the same conversation, with and without what the assignment has chosen', async () => {
  const { put, call, api, project } = await openRollout();
  const { data: created } = await put('call', { assignment });
  for (const body of [{ assignment }, { assignment, deploymentId: candidateId }, {}]) {
    expect((await put('call', body)).data).toEqual({
      outcome: 'unchanged',
      conversation: created.conversation,
    });
  }
  // Also when the rollout is gone, as after a restore.
  await storeRollout(api, project, { environment: 'elsewhere', spans: [] });
  expect((await put('call', { assignment })).status).toBe(200);
  expect((await call('GET', `/projects/${project}/conversations`)).data.items).toHaveLength(1);
});

describe('the item of a unit goes with its conversation', () => {
  test('when it is deleted: then the next conversation counts', async () => {
    const { api, call, list, create } = await openRollout();
    const first = await create();
    const second = await create();
    await call('DELETE', `${list}/${second.id}`);
    expect(await unitsOf(api)).toHaveLength(1);
    await call('DELETE', `${list}/${first.id}`);
    expect(await unitsOf(api)).toEqual([]);
    expect(await create()).toMatchObject({ counted: true });
  });

  test('when its user is erased', async () => {
    const { api, call, list, create } = await openRollout();
    await create({ externalUserId: 'Ada' });
    const { data: job } = await call('POST', `${list}/erase`, { body: { externalUserId: 'Ada' } });
    const stored = (await storedOf(api, 'jobs')).filter(({ id, type }) => id === job.id && type);
    await deliver(
      api,
      userEraser,
      stored.map((item) => changeRecord(undefined, item)),
    );
    expect(await unitsOf(api)).toEqual([]);
  });

  test('when a restore has brought both back', async () => {
    const { api, call, list, create, runtime } = await openRollout();
    const { id } = await create();
    const before = await storedOf(api, 'conversations');
    await call('DELETE', `${list}/${id}`);
    const TableName = runtime.tableNames.conversations;
    for (const Item of before) await runtime.client.send(new PutCommand({ TableName, Item }));
    const [tombstone] = (await storedOf(api, 'conversations')).filter(({ erasedAt }) => erasedAt);
    await deliver(api, conversationEraser, [changeRecord(undefined, tombstone)]);
    expect(await unitsOf(api)).toEqual([]);
  });

  test('when both expire, also after a change of the retention', async () => {
    const { api, call, project, create, advance } = await openRollout({}, { retentionDays: 10 });
    await create();
    const ttls = async () =>
      new Set((await storedOf(api, 'conversations')).map(({ ttl }) => ttl as number | undefined));
    const [before, ...others] = await ttls();
    expect(others).toEqual([]);
    const projectOf = async () => (await storedOf(api, 'projects')).find(({ id }) => id === project);
    const old = await projectOf();
    await call('PATCH', `/projects/${project}`, { body: { settings: { retentionDays: 20 } } });
    advance(minuteMs);
    await deliver(api, retentionRewriter, [changeRecord(old, await projectOf())]);
    expect([...(await ttls())]).toEqual([(before ?? 0) + (10 * dayMs) / 1000]);
  });
});

test('a unit counts again after its conversation has expired, and keeps the item of the new one', async () => {
  const { api, call, list, create, advance } = await openRollout({}, { retentionDays: 1 });
  await create({ externalUserId: 'Ada' });
  advance(dayMs + minuteMs);
  const second = await create();
  expect(second).toMatchObject({ counted: true });
  // TTL has not removed the first conversation yet.
  const { data: job } = await call('POST', `${list}/erase`, { body: { externalUserId: 'Ada' } });
  const stored = (await storedOf(api, 'jobs')).filter(({ id, type }) => id === job.id && type);
  await deliver(
    api,
    userEraser,
    stored.map((item) => changeRecord(undefined, item)),
  );
  expect(await unitsOf(api)).toMatchObject([{ conversationId: second.id }]);
  expect(await create()).toMatchObject({ counted: false });
});

test('a first conversation costs two write units more, a later one none', async () => {
  const { create, metered } = await openRollout();
  const costOf = async (body: Json) => {
    metered().reset();
    await create(body);
    const { readUnits, writeUnits } = metered().usage();
    return { readUnits, writeUnits };
  };
  const without = await costOf({ assignment: null, deploymentId: candidateId });
  const first = await costOf({});
  const later = await costOf({});
  // The rollout and the unit are read. An item that does not exist costs as one that does.
  expect(first).toEqual({ readUnits: without.readUnits + 2, writeUnits: without.writeUnits + 2 });
  expect(later).toEqual({ readUnits: without.readUnits + 2, writeUnits: without.writeUnits });
});
