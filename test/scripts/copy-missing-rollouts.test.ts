/** Rollouts and their environments after a restore. */

import { DeleteCommand } from '@aws-sdk/lib-dynamodb';
import { expect, test } from 'vitest';
import { assign, showAssignment } from '../../lib/rollouts/assign.ts';
import { type Json, storedOf } from '../../samples/api.ts';
import { deploy, openProject } from '../support/avatars.ts';
import { copyAll, replaceAll, restoreAll } from '../support/restored.ts';

const path = '/environments/production/rollout';

/** A project with a rollout to a tenth of the units, for an hour. */
async function openRollout() {
  const api = await openProject();
  await api.createAvatar();
  const current = await deploy(api);
  const candidate = await deploy(api, { promote: false });
  const steps = [
    { percent: 10, holdMinutes: 60 },
    { percent: 50, pause: true },
  ];
  const { data, text, status } = await api.send('POST', path, { deploymentId: candidate.id, steps });
  expect(status, text).toBe(201);
  const { client, tableNames } = api.runtime;
  const lose = async (isLost: (tenant: string, id: string) => boolean) => {
    for (const { tenant, id } of await storedOf(api, 'deployments'))
      if (isLost(`${tenant}`, `${id}`))
        await client.send(new DeleteCommand({ TableName: tableNames.deployments, Key: { tenant, id } }));
  };
  return { ...api, current, candidate, rollout: data as Json & { id: string }, lose };
}

const isEnvironment = (tenant: string) => tenant.endsWith('#environments');
const isRollout = (tenant: string) => tenant.includes('#rollouts');
const running = { status: 'running', percent: 10, endedAt: null };

test('a lost rollout comes back paused with its environment, and goes on when somebody resumes it', async () => {
  const api = await openRollout();
  const restored = await restoreAll(api);
  await api.lose(() => true);
  await copyAll(api, restored);
  const lost = (await api.send('GET', path)).data;
  expect(lost).toMatchObject({
    id: api.rollout.id,
    status: 'paused',
    percent: 10,
    reason: 'restored',
    holdUntil: null,
  });
  expect((await api.send('GET', `${path}s`)).data.items).toMatchObject([{ id: api.rollout.id }]);
  const resumed = await api.send('PATCH', path, { paused: false });
  expect(resumed.data).toMatchObject({ status: 'running', percent: 10, holdUntil: expect.any(String) });
  expect((await api.send('POST', `${path}/complete`, {})).data).toMatchObject({ status: 'completed' });
});

test('a lost environment comes back without a rollout that has ended since', async () => {
  const api = await openRollout();
  const restored = await restoreAll(api);
  expect((await api.send('POST', `${path}/abort`, {})).status).toBe(200);
  await api.lose(isEnvironment);
  await copyAll(api, restored);
  expect((await api.send('GET', path)).data).toMatchObject({ id: api.rollout.id, status: 'aborted' });
  const next = await api.send('POST', path, { deploymentId: api.candidate.id, percent: 5 });
  expect(next.status, next.text).toBe(201);
});

test('a lost environment comes back with the percent and the rollout that it has now', async () => {
  const api = await openRollout();
  const restored = await restoreAll(api);
  await api.send('PATCH', path, { percent: 20 });
  await api.lose(isEnvironment);
  await copyAll(api, restored);
  expect((await api.send('GET', `/environments/production/config`)).data.rollout).toMatchObject({
    id: api.rollout.id,
    percent: 20,
  });
  await api.send('POST', `${path}/abort`, {});
  const { data: next } = await api.send('POST', path, { deploymentId: api.candidate.id, percent: 5 });
  await api.lose(isEnvironment);
  await copyAll(api, restored);
  expect((await api.send('GET', `/environments/production/config`)).data.rollout).toMatchObject({
    id: next.id,
    percent: 5,
    candidate: { deploymentId: api.candidate.id, configHash: api.candidate.configHash },
  });
});

test('a lost rollout that its environment has ended since comes back as aborted', async () => {
  const api = await openRollout();
  const restored = await restoreAll(api);
  await api.send('POST', `${path}/complete`, {});
  await api.lose(isRollout);
  await copyAll(api, restored);
  expect((await api.send('GET', path)).data).toMatchObject({ id: api.rollout.id, status: 'aborted' });
  expect((await api.send('GET', '/environments/production')).data.current).toBe(api.candidate.id);
});

test('the unit of an erased conversation does not come back', async () => {
  const api = await openRollout();
  const assignment = showAssignment(assign({ id: api.rollout.id, percent: 10, span: 1 }, 'anna'));
  const conversation = await api.createConversation({ assignment }, api.projectId);
  const units = async (of: typeof api = api) =>
    (await storedOf(of, 'conversations')).filter(({ tenant }) => `${tenant}`.endsWith('#rollout-units'));
  expect(await units()).toHaveLength(1);
  const restored = await restoreAll(api);
  expect((await api.call('DELETE', conversation)).status).toBe(200);
  expect(await units()).toEqual([]);
  await copyAll(api, restored);
  expect(await units()).toEqual([]);
  const replaced = await replaceAll(api, restored);
  expect(await units({ ...api, runtime: replaced.runtime })).toEqual([]);
  expect((await replaced.get(`/projects/${api.projectId}${path}`)).data).toMatchObject(running);
});
