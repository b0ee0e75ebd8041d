import { describe, expect, test } from 'vitest';
import { type Json, openApi } from '../../../samples/api.ts';
import { deploy, idsOf, openProject, type ProjectApi, pointerOf } from '../../support/avatars.ts';
import { openRetiring } from '../../support/environments.ts';
import { intercept } from '../../support/faults.ts';
import { publishIndex } from '../../support/knowledge.ts';
import { refuses, responds } from '../../support/responses.ts';
import { openRollouts } from '../../support/started-rollouts.ts';
import { openMortal } from '../../support/workers.ts';

const rollBack = ({ send }: Pick<ProjectApi, 'send'>, body: Json = {}) =>
  send('POST', '/rollback', { environment: 'production', ...body });

/** @returns the API with three deployments, one after the other current */
async function withThree() {
  const api = await openProject();
  const ids = [(await deploy(api)).id, (await deploy(api)).id, (await deploy(api)).id] as const;
  return { ...api, ids };
}

describe('deployments.rollback', () => {
  responds(200, 'with the environment, pinned to the deployment before', async () => {
    const api = await withThree();
    const [first, second, third] = api.ids;
    const me = (await api.call('GET', '/api-keys/me')).data.id;
    const { data: before } = await api.send('GET', '/environments/production');
    const response = await rollBack(api, { reason: 'It greets strangers.' });
    const at = response.data.updatedAt;
    expect(response.data).toEqual({
      ...before,
      current: second,
      previous: first,
      pinned: true,
      rollback: { from: third, reason: 'It greets strangers.', at, by: me },
      updatedAt: at,
    });
    expect((await api.send('GET', '/environments/production')).data).toEqual(response.data);
    const phases = ((await api.send('GET', '/deployments')).data.items as Json[]).map(({ phase }) => phase);
    expect(phases).toEqual(['superseded', 'current', 'superseded']);
    return response;
  });

  responds(200, 'and twice goes two steps back', async () => {
    const api = await withThree();
    await rollBack(api);
    const response = await rollBack(api);
    expect(response.data).toMatchObject({ current: api.ids[0], previous: null });
    return response;
  });

  responds(200, 'to the deployment that is named, past those between', async () => {
    const api = await withThree();
    const response = await rollBack(api, { deploymentId: api.ids[0] });
    expect(response.data).toMatchObject({ current: api.ids[0], previous: null, pinned: true });
    return response;
  });

  responds(200, 'and forward again to one that was rolled back, by its name', async () => {
    const api = await withThree();
    await rollBack(api, { deploymentId: api.ids[0] });
    const response = await rollBack(api, { deploymentId: api.ids[2] });
    expect(response.data).toMatchObject({ current: api.ids[2], previous: api.ids[0], pinned: true });
    return response;
  });

  responds(200, 'to the current one, which is only pinned', async () => {
    const api = await withThree();
    const [, second, third] = api.ids;
    const { data: before } = await api.send('GET', `/deployments/${third}`);
    const response = await rollBack(api, { deploymentId: third });
    expect(response.data).toMatchObject({ current: third, previous: second, pinned: true });
    expect((await api.send('GET', `/deployments/${third}`)).data).toEqual(before);
    api.advance(1000);
    expect((await rollBack(api, { deploymentId: third, reason: 'again' })).data).toEqual(response.data);
    return response;
  });

  responds(200, 'during a rollout, which it aborts, and everybody gets the current deployment', async () => {
    const api = await openRollouts();
    await api.started();
    const before = await api.environment();
    const me = (await api.call('GET', '/api-keys/me')).data.id;
    const response = await rollBack(api, { reason: 'It greets strangers.' });
    const at = response.data.updatedAt;
    expect(response.data).toEqual({
      ...before,
      current: api.current.id,
      pinned: true,
      rollback: { from: api.candidate.id, reason: 'It greets strangers.', at, by: me },
      updatedAt: at,
    });
    expect(await api.read()).toMatchObject({
      status: 'aborted',
      reason: 'It greets strangers.',
      by: me,
      endedAt: at,
      version: 2,
    });
    expect(await api.config()).toMatchObject({ deploymentId: api.current.id, rollout: null });
    expect([await api.phaseOf(api.current), await api.phaseOf(api.candidate)]).toEqual(['current', 'staged']);
    expect(await deploy(api)).toMatchObject({ phase: 'staged', heldBackReason: 'rollback' });
    return response;
  });

  responds(200, 'during a rollout to the deployment that is named', async () => {
    const api = await openRollouts();
    const next = await deploy(api);
    await api.started();
    const response = await rollBack(api, { deploymentId: api.current.id });
    expect(response.data).toMatchObject({
      current: api.current.id,
      pinned: true,
      rollback: { from: next.id },
    });
    expect(await api.read()).toMatchObject({ status: 'aborted', currentDeploymentId: next.id });
    expect(await api.phaseOf(next)).toBe('superseded');
    return response;
  });

  responds(200, 'during a rollout in a pinned environment', async () => {
    const api = await openRollouts();
    await rollBack(api, { deploymentId: api.current.id });
    await api.started();
    const response = await rollBack(api);
    expect(response.data).toMatchObject({ current: api.current.id, pinned: true });
    expect((await api.read()).status).toBe('aborted');
    // The next one is a rollback as ever.
    expect((await rollBack(api)).error.code).toBe('nothing_to_roll_back');
    return response;
  });

  test('a rollback is one transaction: it is killed before or after it, and the environment is whole', async () => {
    for (const afterwards of [false, true]) {
      const { api: opened, life } = await openMortal();
      const api = await openRollouts(opened);
      await api.started();
      for (let callsLeft = 1; ; callsLeft += 1) {
        Object.assign(life, { callsLeft, afterwards });
        const response = await rollBack(api);
        life.callsLeft = Number.POSITIVE_INFINITY;
        const { status } = await api.read();
        const { pinned, current } = await api.environment();
        expect([current, pinned]).toEqual([api.current.id, status === 'aborted']);
        expect((await api.config()).rollout === null).toBe(status === 'aborted');
        if (status === 'aborted') break;
        expect(response.status).toBeGreaterThanOrEqual(500);
      }
    }
  });

  responds(200, 'and brings back avatars and knowledge together', async () => {
    const api = await openProject();
    const { id } = await api.createAvatar({ persona: { prompt: 'old' } });
    await publishIndex(api, api.projectId, 'idx_1');
    const first = await deploy(api);
    const before = (await api.send('GET', '/environments/production/config')).data;
    await api.send('PATCH', `/avatars/${id}`, { persona: { prompt: 'new' }, status: 'archived' });
    const added = await api.createAvatar();
    await publishIndex(api, api.projectId, 'idx_2');
    await deploy(api);
    const between = (await api.send('GET', '/environments/production/config')).data;
    expect(between).toMatchObject({ knowledgeIndexVersion: 'idx_2', avatars: [{ id: added.id }] });
    await api.send('DELETE', `/avatars/${id}`);
    const response = await rollBack(api);
    const after = await api.send('GET', '/environments/production/config');
    expect(after.data).toEqual(before);
    expect(after.headers.ETag).toBe(`"${first.configHash}"`);
    return response;
  });

  test('no read of the index is needed in the environment that keeps it', async () => {
    let calls = 0;
    const opened = await openApi(({ client, tableNames }) => ({
      client: intercept(client, ({ input }) => {
        if (JSON.stringify(input).includes(`"${tableNames.knowledgeIndexes}"`)) calls += 1;
        return undefined;
      }),
    }));
    const api = await openProject(opened);
    await publishIndex(api, api.projectId, 'idx_1');
    const first = await deploy(api);
    await deploy(api);
    calls = 0;
    expect((await rollBack(api)).data.current).toBe(first.id);
    await api.send('POST', `/deployments/${first.id}/promote`);
    expect(calls).toBe(0);
    // The next environment of this name does not keep the indexes of the deployments before.
    await api.send('DELETE', '/environments/production');
    await deploy(api);
    calls = 0;
    expect((await rollBack(api, { deploymentId: first.id })).status).toBe(200);
    expect(calls).toBeGreaterThan(0);
  });

  refuses(
    'index_retired',
    'the index of a deleted environment, although the environment is back',
    async () => {
      const { call, project, tested } = await openRetiring();
      await call('POST', `${project}/deployments`, { body: { environment: 'preview' } });
      const body = { environment: 'preview', deploymentId: tested.id };
      return call('POST', `${project}/rollback`, { body });
    },
  );

  refuses('nothing_to_roll_back', 'an environment with one deployment', async () => {
    const api = await openProject();
    await deploy(api);
    return rollBack(api);
  });

  refuses('nothing_to_roll_back', 'an environment where none was promoted', async () => {
    const api = await openProject();
    const { id } = await deploy(api, { promote: false });
    expect((await rollBack(api, { deploymentId: id })).error.code).toBe('nothing_to_roll_back');
    return rollBack(api);
  });

  refuses('deployment_never_current', 'a deployment that is staged', async () => {
    const api = await withThree();
    const { id } = await deploy(api, { promote: false });
    return rollBack(api, { deploymentId: id });
  });

  refuses('environment_mismatch', "another environment's deployment", async () => {
    const api = await withThree();
    const { id } = await deploy(api, { environment: 'staging' });
    return rollBack(api, { deploymentId: id });
  });

  refuses('not_found', 'an environment that nobody deployed to', async () => {
    const api = await withThree();
    return rollBack(api, { environment: 'staging' });
  });

  refuses('not_found', 'a deployment that nobody has', async () => {
    const api = await withThree();
    return rollBack(api, { deploymentId: 'dep_01JZ4Y7Q8R5T2V9W3X6B0C1D4E' });
  });

  test('a promotion goes on from where the rollback went', async () => {
    const api = await withThree();
    const [first, , third] = api.ids;
    await rollBack(api, { deploymentId: first });
    const { id } = await deploy(api);
    await api.send('POST', `/deployments/${id}/promote`);
    expect(await pointerOf(api)).toEqual({ current: id, previous: first, pinned: false });
    await api.send('POST', `/deployments/${third}/promote`);
    expect(await pointerOf(api)).toEqual({ current: third, previous: id, pinned: false });
  });

  test('a repeated rollback with its Idempotency-Key is one step', async () => {
    const api = await withThree();
    const body = { environment: 'production' };
    const options = { idempotencyKey: 'back' };
    const answered = await Promise.all(
      Array.from({ length: 10 }, () => api.send('POST', '/rollback', body, options)),
    );
    expect(new Set(answered.map(({ text }) => text)).size).toBe(1);
    expect((await pointerOf(api)).current).toBe(api.ids[1]);
  });

  test('rolled back and promoted at once, the environment is whole: pinned to the one, or at the other', {
    tags: ['long'],
  }, async () => {
    for (let round = 0; round < 5; round += 1) {
      const api = await withThree();
      const { id } = await deploy(api, { promote: false });
      const answered = await Promise.all([
        api.send('POST', `/deployments/${id}/promote`),
        rollBack(api),
        rollBack(api),
      ]);
      expect(answered.map(({ status }) => status)).toEqual([200, 200, 200]);
      const { current, pinned } = await pointerOf(api);
      expect(pinned).toBe(current !== id);
      expect(idsOf((await api.send('GET', '/deployments?phase=current')).data)).toEqual([current]);
      const { data } = await api.send('GET', '/environments/production/config');
      expect(data.deploymentId).toBe(current);
    }
  });
});
