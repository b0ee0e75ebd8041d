import { describe, expect, test } from 'vitest';
import { minuteMs } from '../../../lib/base/time.ts';
import { storedOf } from '../../../samples/api.ts';
import { refuses, responds } from '../../support/responses.ts';
import { ifMatch, openRollouts, twoSteps } from '../../support/started-rollouts.ts';

describe('rollouts.update', () => {
  responds(200, 'with a higher percent, which begins a span', async () => {
    const api = await openRollouts();
    const before = await api.started();
    api.advance(minuteMs);
    const response = await api.update({ percent: 25.5, reason: 'So far so good.' }, ifMatch(1));
    const { since } = response.data;
    expect(response.headers.ETag).toBe('"2"');
    expect(response.data).toMatchObject({
      ...before,
      percent: 25.5,
      reason: 'So far so good.',
      since,
      span: 2,
      spans: [
        { span: 1, percent: 10, until: since },
        { span: 2, percent: 25.5, from: since, until: null },
      ],
      version: 2,
      history: [{}, { status: 'running', percent: 25.5, reason: 'So far so good.' }],
    });
    expect((await api.config()).rollout).toMatchObject({ percent: 25.5 });
    return response;
  });

  responds(200, 'with an equal percent, and nothing is written', async () => {
    const api = await openRollouts();
    const before = await api.started();
    const stored = async () =>
      (await storedOf(api, 'deployments')).map((item) => JSON.stringify(item)).sort();
    const items = await stored();
    api.advance(minuteMs);
    for (const body of [
      { percent: 10 },
      { paused: false },
      { percent: 10, paused: false, reason: 'again' },
    ]) {
      const { status, data } = await api.update(body);
      expect([status, data]).toEqual([200, before]);
    }
    expect(await stored()).toEqual(items);
    return api.update({ percent: 10 });
  });

  responds(200, 'paused, and then it goes on with the rest of its hold', async () => {
    const api = await openRollouts();
    const before = await api.started({ steps: twoSteps });
    api.advance(20 * minuteMs);
    const paused = await api.update({ paused: true, reason: 'lunch' });
    expect(paused.data).toMatchObject({
      status: 'paused',
      reason: 'lunch',
      holdUntil: null,
      percent: 10,
      span: 1,
    });
    // Every unit keeps its side, and new units are assigned.
    expect((await api.config()).rollout).toMatchObject({ id: before.id, percent: 10 });
    expect((await api.update({ paused: true })).data).toEqual(paused.data);
    api.advance(600 * minuteMs);
    const response = await api.update({ paused: false });
    const { since, holdUntil } = response.data;
    expect(response.data).toMatchObject({ status: 'running', step: 1, version: 3, reason: null });
    const leftMs = Date.parse(`${holdUntil}`) - Date.parse(`${since}`);
    expect(Math.abs(leftMs - 40 * minuteMs)).toBeLessThan(minuteMs);
    return response;
  });

  responds(200, 'raised and paused at once, in two moves', async () => {
    const api = await openRollouts();
    await api.started();
    const response = await api.update({ percent: 20, paused: true });
    expect(response.data).toMatchObject({ status: 'paused', percent: 20, span: 2, version: 3 });
    expect(response.data.history).toMatchObject([
      { status: 'running', percent: 10 },
      { status: 'running', percent: 20 },
      { status: 'paused', percent: 20 },
    ]);
    expect((await api.config()).rollout).toMatchObject({ percent: 20 });
    return response;
  });

  responds(200, 'paused while it waits for advance, and it waits again', async () => {
    const api = await openRollouts();
    await api.started({ steps: [{ percent: 10, pause: true }] });
    expect((await api.update({ paused: true })).data.status).toBe('paused');
    const response = await api.update({ paused: false });
    expect(response.data).toMatchObject({ status: 'waiting_for_advance', step: 1 });
    return response;
  });

  refuses('rollout_only_forward', 'a lower percent', async () => {
    const api = await openRollouts();
    await api.started();
    return api.update({ percent: 9.99 });
  });

  refuses('rollout_too_many_changes', 'the 20th change', async () => {
    const api = await openRollouts();
    await api.started();
    for (let percent = 11; percent < 30; percent += 1)
      expect((await api.update({ percent })).data.span).toBe(percent - 9);
    expect((await api.update({ percent: 29, paused: true })).status).toBe(200);
    return api.update({ percent: 30 });
  });

  refuses('rollout_ended', 'one that was aborted', async () => {
    const api = await openRollouts();
    await api.started();
    await api.move('abort');
    return api.update({ percent: 20 });
  });

  refuses('not_found', 'an environment without a rollout', async () => {
    const api = await openRollouts();
    return api.update({ percent: 20 });
  });

  refuses('version_mismatch', 'a version that is gone', async () => {
    const api = await openRollouts();
    await api.started();
    await api.update({ percent: 20 });
    const response = await api.update({ percent: 30 }, ifMatch(1));
    expect(await api.read()).toMatchObject({ percent: 20, version: 2 });
    return response;
  });

  test.each<[string, Record<string, unknown>, string]>([
    ['nothing', {}, ''],
    ['only a reason', { reason: 'x' }, ''],
    ['a percent of 0', { percent: 0 }, 'percent'],
    ['a percent of 100', { percent: 100 }, 'percent'],
    ['three decimals', { percent: 10.123 }, 'percent'],
    ['no percent', { percent: null }, 'percent'],
    ['a text', { paused: 'yes' }, 'paused'],
    ['a long reason', { percent: 20, reason: 'a'.repeat(501) }, 'reason'],
    ['other fields', { percent: 20, steps: [] }, 'steps'],
  ])('400 validation_error: %s', async (_, body, path) => {
    const api = await openRollouts();
    await api.started();
    const { error } = await api.update(body);
    expect(error.code).toBe('validation_error');
    expect(error.details?.map((detail) => detail.path)).toEqual([path]);
  });

  test('of ten at once who name the same version one changes it', async () => {
    const api = await openRollouts();
    await api.started();
    const answered = await Promise.all(
      Array.from({ length: 10 }, (_, n) => api.update({ percent: 20 + n }, ifMatch(1))),
    );
    expect(answered.map(({ status }) => status).sort()).toEqual([200, ...Array(9).fill(412)]);
    expect(await api.read()).toMatchObject({ version: 2, span: 2 });
  });
});
