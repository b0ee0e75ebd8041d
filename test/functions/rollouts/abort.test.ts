import { describe, expect, test } from 'vitest';
import { deploy } from '../../support/avatars.ts';
import { refuses, responds } from '../../support/responses.ts';
import { ifMatch, openRollouts, twoSteps } from '../../support/started-rollouts.ts';

describe('rollouts.abort', () => {
  responds(200, 'and everybody gets the current deployment, without a pin', async () => {
    const api = await openRollouts();
    const before = await api.environment();
    await api.started({ steps: twoSteps });
    const response = await api.move('abort', { reason: 'It greets strangers.' }, ifMatch(1));
    const { since } = response.data;
    expect(response.data).toMatchObject({
      status: 'aborted',
      reason: 'It greets strangers.',
      endedAt: since,
      holdUntil: null,
      spans: [{ span: 1, until: since }],
      version: 2,
      breach: null,
    });
    expect(await api.environment()).toEqual({ ...before, updatedAt: since });
    expect(await api.config()).toMatchObject({ deploymentId: api.current.id, rollout: null });
    expect(await api.phaseOf(api.candidate)).toBe('staged');
    expect(await deploy(api)).toMatchObject({ phase: 'current', heldBack: false });
    return response;
  });

  responds(200, 'in a pinned environment, which stays pinned', async () => {
    const api = await openRollouts();
    await api.send('POST', '/rollback', { environment: 'production', deploymentId: api.current.id });
    await api.started();
    const response = await api.move('abort');
    expect((await api.environment()).pinned).toBe(true);
    expect(await deploy(api)).toMatchObject({ heldBack: true, heldBackReason: 'rollback' });
    return response;
  });

  responds(200, 'also of a rollout that is paused', async () => {
    const api = await openRollouts();
    await api.started();
    await api.update({ paused: true });
    return api.move('abort');
  });

  refuses('rollout_ended', 'a second time', async () => {
    const api = await openRollouts();
    await api.started();
    await api.move('abort');
    return api.move('abort');
  });

  refuses('not_found', 'an environment without a rollout', async () => {
    const api = await openRollouts();
    return api.move('abort');
  });

  refuses('version_mismatch', 'a version that is gone', async () => {
    const api = await openRollouts();
    await api.started();
    await api.update({ percent: 20 });
    const response = await api.move('abort', {}, ifMatch(1));
    expect((await api.read()).status).toBe('running');
    return response;
  });

  test('a repeated request with its Idempotency-Key does not end the next one', async () => {
    const api = await openRollouts();
    await api.started();
    const options = { idempotencyKey: 'abort' };
    const first = await api.move('abort', {}, options);
    await api.started();
    expect((await api.move('abort', {}, options)).text).toBe(first.text);
    expect((await api.read()).status).toBe('running');
  });
});
