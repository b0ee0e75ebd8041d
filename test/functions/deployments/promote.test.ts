import { describe, expect, test } from 'vitest';
import { deploy, idsOf, openProject, pointerOf } from '../../support/avatars.ts';
import { openRetiring } from '../../support/environments.ts';
import { refuses, responds } from '../../support/responses.ts';
import { openRollouts } from '../../support/started-rollouts.ts';

describe('deployments.promote', () => {
  responds(200, 'with the deployment, which is current instead of the other one', async () => {
    const api = await openProject();
    const first = await deploy(api);
    const {
      id,
      heldBack: _,
      heldBackReason: __,
      warnings: ___,
      ...staged
    } = await deploy(api, { promote: false });
    const response = await api.send('POST', `/deployments/${id}/promote`);
    const { promotedAt } = response.data;
    expect(promotedAt).not.toBeNull();
    expect(response.data).toEqual({ id, ...staged, phase: 'current', promotedAt });
    expect((await api.send('GET', `/deployments/${id}`)).data).toEqual(response.data);
    expect((await api.send('GET', `/deployments/${first.id}`)).data.phase).toBe('superseded');
    expect(await pointerOf(api)).toEqual({ current: id, previous: first.id, pinned: false });
    return response;
  });

  responds(200, 'and changes nothing of the current one', async () => {
    const api = await openProject();
    await deploy(api);
    const { id, heldBack: _, heldBackReason: __, warnings: ___, ...current } = await deploy(api);
    const before = (await api.send('GET', '/environments/production')).data;
    api.advance(1000);
    const response = await api.send('POST', `/deployments/${id}/promote`);
    expect(response.data).toEqual({ id, ...current });
    expect((await api.send('GET', '/environments/production')).data).toEqual(before);
    return response;
  });

  responds(200, 'and takes the pin away, of the current one too', async () => {
    const api = await openProject();
    const { id, heldBack: _, heldBackReason: __, warnings: ___, ...first } = await deploy(api);
    await deploy(api);
    await api.send('POST', '/rollback', { environment: 'production' });
    const response = await api.send('POST', `/deployments/${id}/promote`);
    expect(response.data).toMatchObject({ ...first, promotedAt: response.data.promotedAt });
    expect(await pointerOf(api)).toEqual({ current: id, previous: null, pinned: false });
    expect((await api.send('GET', '/environments/production')).data.rollback).toBeNull();
    expect((await deploy(api)).phase).toBe('current');
    return response;
  });

  responds(200, 'with the candidate of a rollout, which completes', async () => {
    const api = await openRollouts();
    await api.send('POST', '/rollback', { environment: 'production', deploymentId: api.current.id });
    await api.started();
    await api.update({ paused: true });
    const me = (await api.call('GET', '/api-keys/me')).data.id;
    const response = await api.send('POST', `/deployments/${api.candidate.id}/promote`);
    const { promotedAt } = response.data;
    expect(response.data.phase).toBe('current');
    expect(await api.read()).toMatchObject({
      status: 'completed',
      reason: null,
      by: me,
      since: promotedAt,
      endedAt: promotedAt,
      version: 3,
      spans: [{ until: promotedAt }],
    });
    expect(await pointerOf(api)).toEqual({
      current: api.candidate.id,
      previous: api.current.id,
      pinned: false,
    });
    expect((await api.config()).rollout).toBeNull();
    expect(await api.phaseOf(api.current)).toBe('superseded');
    return response;
  });

  refuses('rollout_running', 'another deployment than the candidate, the current one too', async () => {
    const api = await openRollouts();
    const other = await deploy(api, { promote: false });
    const { id } = await api.started();
    const current = await api.send('POST', `/deployments/${api.current.id}/promote`);
    expect(current.error.code).toBe('rollout_running');
    const response = await api.send('POST', `/deployments/${other.id}/promote`);
    expect(response.error.message).toContain(id);
    expect(await api.read()).toMatchObject({ status: 'running', version: 1 });
    expect((await pointerOf(api)).current).toBe(api.current.id);
    await api.move('abort');
    expect((await api.send('POST', `/deployments/${other.id}/promote`)).status).toBe(200);
    return response;
  });

  refuses(
    'index_retired',
    'the index of a deleted environment, although the environment is back',
    async () => {
      const { call, project, tested } = await openRetiring();
      await call('POST', `${project}/deployments`, { body: { environment: 'preview' } });
      return call('POST', `${project}/deployments/${tested.id}/promote`);
    },
  );

  refuses('not_found', 'an id that nobody has', async () => {
    const { send } = await openProject();
    return send('POST', '/deployments/dep_01JZ4Y7Q8R5T2V9W3X6B0C1D4E/promote');
  });

  test('a deployment is promoted with the avatars that it froze, though one is deleted since', async () => {
    const api = await openProject();
    const { id: avatar } = await api.createAvatar({ name: 'Ada' });
    const { id } = await deploy(api, { promote: false });
    expect((await api.send('DELETE', `/avatars/${avatar}`)).status).toBe(200);
    await api.send('POST', `/deployments/${id}/promote`);
    const { data } = await api.send('GET', '/environments/production/config');
    expect(data.avatars).toMatchObject([{ id: avatar, version: 1, name: 'Ada' }]);
  });

  test('of ten that are promoted at once one is current, and each is in one phase', {
    tags: ['long'],
  }, async () => {
    const api = await openProject();
    const staged: string[] = [];
    for (let index = 0; index < 10; index += 1) staged.push((await deploy(api, { promote: false })).id);
    const answered = await Promise.all(staged.map((id) => api.send('POST', `/deployments/${id}/promote`)));
    expect(answered.map(({ status }) => status)).toEqual(Array(10).fill(200));
    const { current, previous } = await pointerOf(api);
    expect(idsOf((await api.send('GET', '/deployments?phase=current')).data)).toEqual([current]);
    const superseded = idsOf((await api.send('GET', '/deployments?phase=superseded')).data);
    expect(superseded).toHaveLength(9);
    expect(superseded).toContain(previous);
    // Every one of them was current once, so it is a way back.
    for (let left = 9; left > 0; left -= 1) {
      expect((await api.send('POST', '/rollback', { environment: 'production' })).status).toBe(200);
    }
    const { error } = await api.send('POST', '/rollback', { environment: 'production' });
    expect(error.code).toBe('nothing_to_roll_back');
  });
});
