/** Guards decide when scores are counted, and steps move when their time is over. */

import { describe, expect, test } from 'vitest';
import { hourMs, minuteMs } from '../../../lib/base/time.ts';
import type { Json } from '../../../samples/api.ts';
import { deploy, idsOf, pointerOf } from '../../support/avatars.ts';
import { eventsOf } from '../../support/events.ts';
import {
  erase,
  type Guarded,
  logEvents,
  openGuarded,
  solved,
  units,
} from '../../support/guarded-rollouts.ts';
import { dueOf } from '../../support/schedule.ts';
import { resumeAndGoOn, suspendNow } from '../../support/suspensions.ts';

const mover = 'worker:rollout-mover';
/** The bounds exist from so many units on each side on. */
const enough = 20;

const eventTypes = async ({ api }: Pick<Guarded, 'api'>) =>
  (await eventsOf(api))
    .map(({ type }) => type)
    .filter((type) => type.startsWith('rollout.'))
    .reverse();

/** @returns what the environment is, and whether everything agrees with it */
async function stateOf(api: Guarded) {
  const { current, pinned } = await pointerOf(api);
  const { deploymentId, rollout } = await api.config();
  expect(deploymentId).toBe(current);
  expect(idsOf((await api.send('GET', '/deployments?phase=current')).data)).toEqual([current]);
  const { status, endedAt } = await api.read();
  expect(rollout === null).toBe(endedAt !== null);
  return { current, pinned, status };
}

describe('a breach', () => {
  test('rolls back: everybody gets the current deployment, the environment is pinned, and an event says why', async () => {
    const api = await openGuarded();
    const log = logEvents(api.api);
    const rollout = await api.started({ percent: 50, guards: [solved()] });
    await log();
    const all = units(enough, true, false);
    await api.talk(rollout, all.slice(0, -1));
    await api.count();
    // A unit is missing, so the sequence has no bound.
    expect(await api.read()).toMatchObject({ status: 'running', version: 1 });
    expect(await api.guardNow()).toMatchObject({ verdict: 'passed', difference: -1, low: null, high: null });

    await api.talk(rollout, all.slice(-1));
    await api.count();
    const ended = await api.read();
    const breach = {
      score: 'solved',
      value: null,
      current: { units: enough, mean: 1 },
      candidate: { units: enough, mean: 0 },
    };
    expect(ended).toMatchObject({
      status: 'rolled_back',
      by: mover,
      reason: 'guard_breached',
      breach,
      version: 2,
      percent: 50,
    });
    expect(ended.endedAt).toBe(ended.since);
    expect(await api.guardNow()).toMatchObject({ verdict: 'breached', current: { mean: 1 } });
    expect(await api.environment()).toMatchObject({
      current: api.current.id,
      pinned: true,
      rollback: { from: api.candidate.id, reason: 'guard_breached', at: ended.since, by: mover },
    });
    expect(await stateOf(api)).toEqual({ current: api.current.id, pinned: true, status: 'rolled_back' });
    expect(await api.phaseOf(api.candidate)).toBe('staged');
    // The next nightly deployment does not serve the same change to everybody.
    expect(await deploy(api)).toMatchObject({ phase: 'staged', heldBackReason: 'rollback' });

    await log();
    expect(await eventTypes(api)).toEqual(['rollout.started', 'rollout.rolled_back']);
    const [event] = (await eventsOf(api.api)).filter(({ type }) => type === 'rollout.rolled_back');
    expect(event?.data).toMatchObject({ id: rollout.id, status: 'rolled_back', breach, version: 2 });

    // Counted again, nothing moves.
    await api.count();
    expect((await api.read()).version).toBe(2);
  });

  test('pauses where the rollout says so: nothing changes for users, and what somebody accepts pauses no more', async () => {
    const api = await openGuarded();
    const body = { percent: 50, guards: [solved()], onBreach: 'pause' };
    const rollout = await api.started(body);
    const before = await api.config();
    await api.talk(rollout, units(enough, true, false));
    await api.count();
    expect(await api.read()).toMatchObject({
      status: 'paused',
      reason: 'guard_breached',
      by: mover,
      breach: { score: 'solved' },
      endedAt: null,
    });
    expect(await api.config()).toEqual(before);
    expect((await pointerOf(api)).pinned).toBe(false);
    await api.update({ paused: false, percent: 60 });
    await api.talk(await api.read(), units(1, true, false));
    await api.count();
    expect(await api.read()).toMatchObject({ status: 'running', percent: 60 });
    expect((await api.guardNow()).verdict).toBe('breached');
  });

  test('of a correction counts, too', async () => {
    const api = await openGuarded();
    const rollout = await api.started({ percent: 50, guards: [solved()] });
    const all = units(enough, true, true);
    const paths = await api.talk(rollout, all);
    await api.count();
    expect((await api.read()).status).toBe('running');
    for (const path of paths.filter((_, index) => all[index]?.[0] === 'candidate'))
      await api.call('PUT', `${path}/scores/solved`, { body: { value: false, source: 'human' } });
    await api.count();
    expect(await api.read()).toMatchObject({
      status: 'rolled_back',
      breach: { current: { mean: 1 }, candidate: { mean: 0 } },
    });
  });
});

describe('a candidate that does not harm', () => {
  test('goes through its steps: it waits for scores, advances when they pass, and completes', async () => {
    const api = await openGuarded();
    const log = logEvents(api.api);
    const steps = [
      { percent: 50, holdMinutes: 60 },
      { percent: 60, holdMinutes: 30 },
    ];
    const first = await api.started({ steps, guards: [solved()] });
    await log();
    await api.move();
    await api.wait(59 * minuteMs);
    expect(await api.read()).toMatchObject({ status: 'running', version: 1 });

    await api.wait(2 * minuteMs);
    const waiting = await api.read();
    expect(waiting).toMatchObject({ status: 'waiting_for_scores', step: 1, percent: 50, by: mover });
    expect(await api.guardNow()).toMatchObject({
      verdict: 'undecided',
      undecidedReason: 'nothing_evaluated',
    });
    await log();
    await api.talk(first, units(4, true, true));
    await api.count();
    expect((await api.read()).status).toBe('waiting_for_scores');
    expect((await api.guardNow()).undecidedReason).toBe('too_few_units');

    await api.talk(first, units(1, true, true));
    await api.count();
    const second = await api.read();
    expect(second).toMatchObject({ status: 'running', step: 2, percent: 60, span: 2, by: mover });
    expect((await api.config()).rollout).toMatchObject({ percent: 60 });
    await log();
    await api.move();
    await api.wait(29 * minuteMs);
    expect((await api.read()).status).toBe('running');
    await api.wait(2 * minuteMs);
    expect(await stateOf(api)).toEqual({ current: api.candidate.id, pinned: false, status: 'completed' });
    expect(await api.read()).toMatchObject({ by: mover, reason: null, version: 4 });
    await log();
    expect(await eventTypes(api)).toEqual([
      'rollout.started',
      'rollout.waiting',
      'rollout.advanced',
      'rollout.completed',
    ]);
    await api.move();
    expect((await dueOf(api.api)).filter((item) => JSON.stringify(item).includes('rollout-mover'))).toEqual(
      [],
    );
  });

  test('is not stopped, however often somebody looks', async () => {
    const api = await openGuarded();
    const rollout = await api.started({ percent: 50, guards: [solved({ maxHarm: 0 })] });
    for (let look = 0; look < 4; look += 1) {
      await api.talk(rollout, [...units(4, true, true), ...units(2, false, false)]);
      await api.count();
      expect(await api.read()).toMatchObject({ status: 'running', version: 1 });
    }
    const { verdict, difference, low, high } = await api.guardNow();
    expect([verdict, difference]).toEqual(['passed', 0]);
    expect(Number(low)).toBeLessThan(0);
    expect(Number(high)).toBeGreaterThan(0);
  });

  test('does not pass with a tenth of its units: 90 % of the scores are unknown', async () => {
    const api = await openGuarded();
    const steps = [
      { percent: 50, holdMinutes: 1 },
      { percent: 60, pause: true },
    ];
    const rollout = await api.started({ steps, guards: [solved({ minimum: 2 })] });
    await api.talk(rollout, [...units(2, true, true), ...units(18, true, null)]);
    await api.count();
    await api.move();
    await api.wait(2 * minuteMs);
    expect(await api.read()).toMatchObject({ status: 'waiting_for_scores', step: 1 });
    expect(await api.guardNow()).toMatchObject({
      verdict: 'undecided',
      undecidedReason: 'too_many_unknown',
      current: { units: 20, open: 0, unknown: 0, mean: 1 },
      candidate: { units: 20, open: 0, unknown: 0.9, mean: 1 },
    });
    // A person may decide.
    expect((await api.act('advance')).data).toMatchObject({ step: 2, status: 'waiting_for_advance' });
  });
});

test('corrections and erasures change the comparison', async () => {
  const api = await openGuarded();
  const rollout = await api.started({ percent: 50, guards: [solved({ maxHarm: 1 })] });
  const said = units(4, true, false);
  const paths = await api.talk(rollout, said);
  await api.count();
  const candidate = async () => (await api.guardNow()).candidate;
  expect(await candidate()).toEqual({ units: 4, open: 0, unknown: 0, mean: 0 });
  const ofCandidate = paths.filter((_, index) => said[index]?.[0] === 'candidate');
  await api.call('PUT', `${ofCandidate[0]}/scores/solved`, { body: { value: true, source: 'human' } });
  await api.count();
  expect(await candidate()).toEqual({ units: 4, open: 0, unknown: 0, mean: 0.25 });
  await erase(api.api, `${ofCandidate[1]}`);
  expect(await candidate()).toMatchObject({ units: 3, mean: 1 / 3 });
  await erase(api.api, `${ofCandidate[0]}`);
  expect(await candidate()).toEqual({ units: 2, open: 0, unknown: 0, mean: 0 });
  expect(await api.guardNow()).toMatchObject({ current: { units: 4, mean: 1 } });
});

describe('time', () => {
  const steps = [{ percent: 50, holdMinutes: 60 }];

  test('does not count while the organisation is suspended', async () => {
    const api = await openGuarded();
    const { holdUntil } = await api.started({ steps });
    await api.move();
    await api.wait(30 * minuteMs);
    await suspendNow(api.api);
    await api.wait(10 * hourMs);
    await api.move();
    await resumeAndGoOn(api.api);
    const resumed = await api.read();
    expect(resumed).toMatchObject({ status: 'running', version: 1 });
    const laterMs = Date.parse(`${resumed.holdUntil}`) - Date.parse(`${holdUntil}`);
    expect(Math.abs(laterMs - 10 * hourMs)).toBeLessThan(minuteMs);
    await api.wait(28 * minuteMs);
    expect((await api.read()).status).toBe('running');
    await api.wait(3 * minuteMs);
    expect(await stateOf(api)).toMatchObject({ current: api.candidate.id, status: 'completed' });
  });

  test('a breach that is counted during a suspension ends the rollout after it', async () => {
    const api = await openGuarded();
    const rollout = await api.started({ percent: 50, guards: [solved()] });
    await api.talk(rollout, units(enough, true, false));
    await suspendNow(api.api);
    await api.count();
    await resumeAndGoOn(api.api);
    expect(await stateOf(api)).toEqual({ current: api.current.id, pinned: true, status: 'rolled_back' });
  });

  test('does not count while it is paused', async () => {
    const api = await openGuarded();
    await api.started({ steps });
    await api.move();
    await api.wait(50 * minuteMs);
    await api.update({ paused: true });
    await api.move();
    await api.wait(10 * hourMs);
    expect((await api.read()).status).toBe('paused');
    await api.update({ paused: false });
    await api.move();
    await api.wait(8 * minuteMs);
    expect((await api.read()).status).toBe('running');
    await api.wait(3 * minuteMs);
    expect((await api.read()).status).toBe('completed');
  });

  test('that passes while it waits for scores and is paused, is over when it goes on', async () => {
    const api = await openGuarded();
    const rollout = await api.started({ steps, guards: [solved()] });
    await api.move();
    await api.wait(61 * minuteMs);
    expect((await api.read()).status).toBe('waiting_for_scores');
    await api.update({ paused: true });
    await api.talk(rollout, units(5, true, true));
    await api.count();
    expect((await api.read()).status).toBe('paused');
    await api.update({ paused: false });
    await api.move();
    expect((await api.read()).status).toBe('completed');
  });
});

describe('one move', () => {
  test('of a worker that is killed between the count and the decision is made when its notices come again', async () => {
    const api = await openGuarded();
    const rollout = await api.started({ percent: 50, guards: [solved()] });
    await api.talk(rollout, units(enough, true, false));
    api.life.diesDeciding = true;
    await expect(api.count()).rejects.toThrow('killed');
    api.life.diesDeciding = false;
    expect(await api.guardNow()).toMatchObject({ verdict: 'breached' });
    expect(await api.read()).toMatchObject({ status: 'running', version: 1 });
    await api.count();
    expect(await api.read()).toMatchObject({ status: 'rolled_back', version: 2 });
  });

  test('of two workers and a person who aborts at once', async () => {
    const api = await openGuarded();
    const rollout = await api.started({ percent: 50, guards: [solved()] });
    await api.talk(rollout, units(enough, true, false));
    api.life.diesDeciding = true;
    await expect(api.count()).rejects.toThrow('killed');
    api.life.diesDeciding = false;
    const [aborted] = await Promise.all([api.act('abort'), api.count(), api.count(), api.move()]);
    const { status, version, history } = await api.read();
    expect([version, (history as Json[]).length]).toEqual([2, 2]);
    expect(aborted?.status).toBe(status === 'aborted' ? 200 : 409);
    expect(['aborted', 'rolled_back']).toContain(status);
    expect(await stateOf(api)).toEqual({
      current: api.current.id,
      pinned: status === 'rolled_back',
      status,
    });
  });

  test.each(['abort', 'complete', 'advance'] as const)(
    'of workers whose time has come and a person who wants to %s at once',
    async (action) => {
      const api = await openGuarded();
      for (let round = 0; round < 3; round += 1) {
        const { id: deploymentId } = await deploy(api, { promote: false });
        await api.started({ deploymentId, steps: [{ percent: 10, holdMinutes: 1 }] });
        const before = (await pointerOf(api)).current;
        api.advance(2 * minuteMs);
        const [answer] = await Promise.all([api.act(action), api.move(), api.move()]);
        const { status, by, version, history } = await api.read();
        expect([version, (history as Json[]).length]).toEqual([2, 2]);
        expect(answer?.status, answer?.text).toBe(by === mover ? 409 : 200);
        expect(await stateOf(api)).toEqual({
          current: status === 'completed' ? deploymentId : before,
          pinned: false,
          status,
        });
      }
    },
  );
});
