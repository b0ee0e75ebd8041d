import { describe, expect, test } from 'vitest';
import { deploy, idsOf, pointerOf } from '../../support/avatars.ts';
import { refuses, responds } from '../../support/responses.ts';
import { guardOf, ifMatch, openRollouts, twoSteps } from '../../support/started-rollouts.ts';

describe('rollouts.complete', () => {
  responds(200, 'and everybody gets the candidate, whatever the guards say', async () => {
    const api = await openRollouts();
    await api.createEvaluator('solved');
    await api.started({ steps: twoSteps, guards: [guardOf()] });
    const response = await api.move('complete', { reason: 'We are sure.' }, ifMatch(1));
    const { since } = response.data;
    expect(response.data).toMatchObject({
      status: 'completed',
      reason: 'We are sure.',
      percent: 10,
      step: 1,
      endedAt: since,
      holdUntil: null,
      spans: [{ span: 1, until: since }],
      version: 2,
    });
    const { id } = api.candidate;
    expect(await pointerOf(api)).toEqual({ current: id, previous: api.current.id, pinned: false });
    expect(await api.config()).toMatchObject({ deploymentId: id, rollout: null });
    expect((await api.send('GET', `/deployments/${id}`)).data).toMatchObject({
      phase: 'current',
      promotedAt: since,
    });
    expect(await api.phaseOf(api.current)).toBe('superseded');
    expect((await deploy(api)).phase).toBe('current');
    return response;
  });

  responds(200, 'also of a rollout that is paused', async () => {
    const api = await openRollouts();
    await api.started();
    await api.update({ paused: true });
    const response = await api.move('complete');
    expect((await pointerOf(api)).current).toBe(api.candidate.id);
    return response;
  });

  refuses('rollout_ended', 'one that was aborted', async () => {
    const api = await openRollouts();
    await api.started();
    await api.move('abort');
    const response = await api.move('complete');
    expect((await pointerOf(api)).current).toBe(api.current.id);
    return response;
  });

  refuses('not_found', 'an environment without a rollout', async () => {
    const api = await openRollouts();
    return api.move('complete');
  });

  refuses('version_mismatch', 'a version that is gone', async () => {
    const api = await openRollouts();
    await api.started();
    await api.update({ percent: 20 });
    return api.move('complete', {}, ifMatch(1));
  });

  test('a repeated request with its Idempotency-Key has the first response', async () => {
    const api = await openRollouts();
    await api.started();
    const options = { idempotencyKey: 'complete' };
    const first = await api.move('complete', {}, options);
    const again = await api.move('complete', {}, options);
    expect(again.text).toBe(first.text);
    expect(again.headers['Idempotent-Replayed']).toBe('true');
  });

  test('completed and aborted at once, it ends once, and the environment is whole', async () => {
    const api = await openRollouts();
    await api.started();
    const answered = await Promise.all([
      api.move('complete'),
      api.move('abort'),
      api.move('complete'),
      api.move('abort'),
    ]);
    expect(answered.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409]);
    const { status, version } = await api.read();
    expect(version).toBe(2);
    const expected = status === 'completed' ? api.candidate.id : api.current.id;
    expect(await pointerOf(api)).toMatchObject({ current: expected, pinned: false });
    expect(idsOf((await api.send('GET', '/deployments?phase=current')).data)).toEqual([expected]);
  });
});
