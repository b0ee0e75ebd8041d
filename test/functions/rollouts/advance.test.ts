import { describe, expect, test } from 'vitest';
import { pointerOf } from '../../support/avatars.ts';
import { refuses, responds } from '../../support/responses.ts';
import { ifMatch, openRollouts, twoSteps } from '../../support/started-rollouts.ts';

describe('rollouts.advance', () => {
  responds(200, 'with the next step, in place of the rest of the hold', async () => {
    const api = await openRollouts();
    await api.started({ steps: twoSteps });
    const response = await api.move('advance', { reason: 'in a hurry' }, ifMatch(1));
    expect(response.headers.ETag).toBe('"2"');
    expect(response.data).toMatchObject({
      status: 'waiting_for_advance',
      percent: 50,
      step: 2,
      span: 2,
      holdUntil: null,
      reason: 'in a hurry',
    });
    expect((await api.config()).rollout).toMatchObject({ percent: 50 });
    return response;
  });

  responds(200, 'after the last step, and the candidate is current', async () => {
    const api = await openRollouts();
    await api.started({ steps: twoSteps });
    await api.move('advance');
    const response = await api.move('advance');
    expect(response.data).toMatchObject({ status: 'completed', percent: 50, version: 3 });
    expect(response.data.endedAt).toBe(response.data.since);
    expect(await pointerOf(api)).toEqual({
      current: api.candidate.id,
      previous: api.current.id,
      pinned: false,
    });
    expect(await api.config()).toMatchObject({ deploymentId: api.candidate.id, rollout: null });
    expect([await api.phaseOf(api.candidate), await api.phaseOf(api.current)]).toEqual([
      'current',
      'superseded',
    ]);
    return response;
  });

  refuses('rollout_paused', 'one that is paused', async () => {
    const api = await openRollouts();
    await api.started({ steps: twoSteps });
    await api.update({ paused: true });
    return api.move('advance');
  });

  refuses('rollout_without_steps', 'one with a percent', async () => {
    const api = await openRollouts();
    await api.started();
    return api.move('advance');
  });

  refuses('rollout_ended', 'one that has completed', async () => {
    const api = await openRollouts();
    await api.started({ steps: twoSteps });
    await api.move('complete');
    return api.move('advance');
  });

  refuses('not_found', 'an environment without a rollout', async () => {
    const api = await openRollouts();
    return api.move('advance');
  });

  refuses('version_mismatch', 'a step that somebody else has advanced', async () => {
    const api = await openRollouts();
    await api.started({ steps: twoSteps });
    await api.move('advance');
    const response = await api.move('advance', {}, ifMatch(1));
    expect(await api.read()).toMatchObject({ step: 2, version: 2 });
    return response;
  });

  test('a repeated request with its Idempotency-Key is one step', async () => {
    const api = await openRollouts();
    await api.started({ steps: twoSteps });
    const answered = await Promise.all(
      Array.from({ length: 6 }, () => api.move('advance', {}, { idempotencyKey: 'next' })),
    );
    expect(new Set(answered.map(({ text }) => text)).size).toBe(1);
    expect(await api.read()).toMatchObject({ step: 2, version: 2 });
  });

  test('400 validation_error: a long reason, and other fields', async () => {
    const api = await openRollouts();
    await api.started({ steps: twoSteps });
    for (const [body, path] of [
      [{ reason: 'a'.repeat(501) }, 'reason'],
      [{ percent: 90 }, 'percent'],
    ] as const) {
      const { error } = await api.move('advance', body);
      expect([error.code, error.details?.[0]?.path]).toEqual(['validation_error', path]);
    }
  });
});
