/** The moves of a rollout: what each of them does in each status. */

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { minuteMs, timestamp } from '../../../lib/base/time.ts';
import { maxSpans } from '../../../lib/rollouts/assign.ts';
import {
  advance,
  changePercent,
  credentialRevoked,
  decide,
  end,
  guardBreached,
  isOpen,
  type Judged,
  type Moved,
  pause,
  resume,
  start,
} from '../../../lib/rollouts/moves.ts';
import type { NewRollout, RolloutStatus } from '../../../lib/rollouts/schema.ts';
import type { RolloutItem } from '../../../lib/rollouts/store.ts';

const at = (minutes: number) => timestamp(minutes * minuteMs);
const actor = (minutes: number, reason: string | null = null) => ({ at: at(minutes), by: 'key_1', reason });
const worker = (minutes: number) => ({ at: at(minutes), by: 'worker:rollout-mover' });

const guard = { score: 'solved', better: 'higher', maxHarm: 0.05, minimum: 50, maxUnknown: 0.2 } as const;
const stepped: Partial<NewRollout> = {
  steps: [
    { percent: 10, holdMinutes: 60 },
    { percent: 50, pause: true },
    { percent: 90, holdMinutes: 30 },
  ],
};

function begin({ steps, ...changes }: Partial<NewRollout> = {}): RolloutItem {
  const body: NewRollout = {
    deploymentId: 'dep_2',
    guards: [guard],
    onBreach: 'roll_back',
    reason: null,
    ...(steps ? { steps } : { percent: 10 }),
    ...changes,
  };
  const begun = {
    id: 'rol_1',
    environment: 'production',
    currentDeploymentId: 'dep_1',
    conversationsBefore: 0,
  };
  return start(body, begun, { at: at(0), by: 'key_1', setBy: 'key_1' });
}

/** @throws if the move is refused */
function done(moved: Moved): RolloutItem {
  if ('refused' in moved) throw new Error(moved.refused);
  return moved.rollout;
}

const breachOf = (score = 'solved') => ({
  score,
  value: null,
  current: { units: 60, mean: 0.9 },
  candidate: { units: 60, mean: 0.1 },
});
const judged = (verdict: Judged['verdict'], score = 'solved'): Judged => ({
  verdict,
  breach: breachOf(score),
});
const held = 60 * minuteMs;

/** A rollout with a hold in each status, a minute after its start. */
const inStatus: Record<RolloutStatus, () => RolloutItem> = {
  running: () => begin(stepped),
  waiting_for_advance: () => done(advance(begin(stepped), actor(1))),
  waiting_for_scores: () => decide(begin(stepped), [judged('undecided')], held, true, worker(1)),
  paused: () => done(pause(begin(stepped), minuteMs, actor(1))),
  completed: () => done(end(begin(stepped), 'completed', actor(1))),
  aborted: () => done(end(begin(stepped), 'aborted', actor(1))),
  rolled_back: () => done(end(begin(stepped), 'rolled_back', actor(1), breachOf())),
};
const statuses = Object.keys(inStatus) as RolloutStatus[];
const ends = ['completed', 'aborted', 'rolled_back'] as const;

describe('the start', () => {
  test('with a percent runs until somebody ends it', () => {
    const rollout = begin({ reason: 'try it' });
    expect(rollout).toMatchObject({
      status: 'running',
      percent: 10,
      step: null,
      steps: null,
      span: 1,
      spans: [{ span: 1, percent: 10, from: at(0), until: null }],
      version: 1,
      reason: 'try it',
      since: at(0),
      endedAt: null,
      breach: null,
    });
    expect(rollout.history).toEqual([
      { at: at(0), by: 'key_1', status: 'running', percent: 10, reason: 'try it' },
    ]);
    expect(rollout).not.toHaveProperty('hold');
    expect(decide(rollout, [judged('passed')], 1e12, true, worker(1e6))).toBe(rollout);
  });

  test('with a step that has a hold holds it', () => {
    expect(begin(stepped)).toMatchObject({
      status: 'running',
      percent: 10,
      step: 1,
      hold: { since: at(0), ms: 60 * minuteMs },
    });
  });

  test('with a step that pauses waits', () => {
    const rollout = begin({ steps: [{ percent: 5, pause: true }] });
    expect(rollout).toMatchObject({ status: 'waiting_for_advance', percent: 5, step: 1, version: 1 });
    expect(rollout).not.toHaveProperty('hold');
  });
});

describe('each move in each status', () => {
  test.each(statuses)('%s has itself been reached', (status) => {
    expect(inStatus[status]().status).toBe(status);
  });

  test.each(ends)('%s refuses every move, and nothing decides', (status) => {
    const rollout = inStatus[status]();
    const later = actor(5);
    expect(changePercent(rollout, 50, later)).toEqual({ refused: 'rollout_ended' });
    expect(changePercent(rollout, rollout.percent, later)).toEqual({ refused: 'rollout_ended' });
    expect(pause(rollout, 0, later)).toEqual({ refused: 'rollout_ended' });
    expect(resume(rollout, 'key_2', later)).toEqual({ refused: 'rollout_ended' });
    expect(advance(rollout, later)).toEqual({ refused: 'rollout_ended' });
    for (const other of ends) expect(end(rollout, other, later)).toEqual({ refused: 'rollout_ended' });
    expect(decide(rollout, [judged('breached')], held, true, worker(5))).toBe(rollout);
    expect(isOpen(rollout)).toBe(false);
  });

  const open = statuses.filter((status) => !ends.some((one) => one === status));

  test.each(open)('%s: the percent rises, and the status stays', (status) => {
    const before = inStatus[status]();
    const after = done(changePercent(before, 60, actor(2, 'faster')));
    expect(after).toMatchObject({ status, percent: 60, span: before.span + 1, step: before.step });
    expect(after.spans.slice(-2)).toMatchObject([
      { until: at(2) },
      { percent: 60, from: at(2), until: null },
    ]);
    expect(after.hold).toEqual(before.hold);
    expect(after.history.at(-1)).toEqual({ at: at(2), by: 'key_1', status, percent: 60, reason: 'faster' });
  });

  test.each(open)('%s: an equal percent changes nothing, and a lower one is refused', (status) => {
    const rollout = inStatus[status]();
    expect(changePercent(rollout, rollout.percent, actor(2))).toEqual({ rollout });
    expect(done(changePercent(rollout, rollout.percent, actor(2)))).toBe(rollout);
    const lower = rollout.percent - 0.01;
    expect(changePercent(rollout, lower, actor(2))).toEqual({ refused: 'rollout_only_forward' });
  });

  test.each(open)('%s: every end is possible, and closes the last span', (status) => {
    for (const last of ends) {
      const before = inStatus[status]();
      const after = done(end(before, last, actor(2, 'enough')));
      expect(after).toMatchObject({
        status: last,
        endedAt: at(2),
        percent: before.percent,
        reason: 'enough',
      });
      expect(after.spans.at(-1)).toMatchObject({ until: at(2) });
      expect(after).not.toHaveProperty('hold');
      expect(after).not.toHaveProperty('holdLeftMs');
    }
  });

  test('paused: it does not advance, and a second pause changes nothing', () => {
    const rollout = inStatus.paused();
    expect(advance(rollout, actor(2))).toEqual({ refused: 'rollout_paused' });
    expect(done(pause(rollout, 0, actor(2)))).toBe(rollout);
  });

  test.each(['running', 'waiting_for_advance', 'waiting_for_scores'] as const)(
    '%s: it advances and pauses, and to resume it changes nothing',
    (status) => {
      const rollout = inStatus[status]();
      expect(done(resume(rollout, 'key_2', actor(2)))).toBe(rollout);
      expect(done(pause(rollout, 0, actor(2))).status).toBe('paused');
      const next = done(advance(rollout, actor(2)));
      expect(next).toMatchObject({ step: (rollout.step ?? 0) + 1, span: rollout.span + 1 });
    },
  );
});

describe('steps', () => {
  test('advance in order, and after the last one the rollout completes', () => {
    let rollout = begin(stepped);
    rollout = done(advance(rollout, actor(1)));
    expect(rollout).toMatchObject({ status: 'waiting_for_advance', percent: 50, step: 2, span: 2 });
    expect(rollout).not.toHaveProperty('hold');
    rollout = done(advance(rollout, actor(2)));
    expect(rollout).toMatchObject({
      status: 'running',
      percent: 90,
      step: 3,
      span: 3,
      hold: { since: at(2), ms: 30 * minuteMs },
    });
    rollout = done(advance(rollout, actor(3)));
    expect(rollout).toMatchObject({ status: 'completed', percent: 90, step: 3, endedAt: at(3) });
    expect(rollout.spans).toEqual([
      { span: 1, percent: 10, from: at(0), until: at(1) },
      { span: 2, percent: 50, from: at(1), until: at(2) },
      { span: 3, percent: 90, from: at(2), until: at(3) },
    ]);
  });

  test('without steps, nothing can be advanced', () => {
    expect(advance(begin(), actor(1))).toEqual({ refused: 'rollout_without_steps' });
  });

  test('a step does not lower a percent that was raised further', () => {
    const raised = done(changePercent(begin(stepped), 70, actor(1)));
    const second = done(advance(raised, actor(2)));
    expect(second).toMatchObject({ percent: 70, step: 2, span: 2, status: 'waiting_for_advance' });
    expect(done(advance(second, actor(3)))).toMatchObject({ percent: 90, step: 3, span: 3 });
  });
});

describe('spans and history', () => {
  test('a rollout has at most 20 spans', () => {
    let rollout = begin();
    for (let span = 2; span <= maxSpans; span += 1) {
      rollout = done(changePercent(rollout, 10 + span, actor(span)));
      expect(rollout.span).toBe(span);
    }
    expect(rollout.spans).toHaveLength(20);
    expect(changePercent(rollout, 99, actor(50))).toEqual({ refused: 'rollout_too_many_changes' });
    expect(done(changePercent(rollout, rollout.percent, actor(50)))).toBe(rollout);
    expect(done(end(rollout, 'aborted', actor(50))).spans).toHaveLength(20);
  });

  test('changes by hand leave spans for the steps that follow', () => {
    const steps = Array.from({ length: 10 }, (_, n) => ({ percent: 80 + n, pause: true as const }));
    let rollout = begin({ steps: [{ percent: 1, pause: true as const }, ...steps.slice(1)] });
    let changes = 0;
    for (;;) {
      const moved = changePercent(rollout, rollout.percent + 1, actor(changes + 1));
      if ('refused' in moved) break;
      rollout = moved.rollout;
      changes += 1;
    }
    // 1 at the start and 9 of later steps.
    expect(changes).toBe(10);
    for (let step = 2; step <= 10; step += 1) rollout = done(advance(rollout, actor(100 + step)));
    expect(rollout.spans).toHaveLength(20);
    expect(changePercent(rollout, 99, actor(200))).toEqual({ refused: 'rollout_too_many_changes' });
  });

  test('the history has the last 100 moves', () => {
    let rollout = begin();
    for (let move = 1; move <= 60; move += 1) {
      rollout = done(pause(rollout, 0, actor(move, `pause ${move}`)));
      rollout = done(resume(rollout, 'key_1', actor(move, `resume ${move}`)));
    }
    expect(rollout.version).toBe(121);
    expect(rollout.history).toHaveLength(100);
    expect(rollout.history[0]).toMatchObject({ reason: 'pause 11', status: 'paused' });
    expect(rollout.history.at(-1)).toMatchObject({ reason: 'resume 60', status: 'running' });
  });
});

describe('a pause', () => {
  test('keeps the rest of the hold', () => {
    const paused = done(pause(begin(stepped), 20 * minuteMs, actor(20, 'lunch')));
    expect(paused).toMatchObject({ status: 'paused', holdLeftMs: 40 * minuteMs, reason: 'lunch' });
    expect(paused).not.toHaveProperty('hold');
    const resumed = done(resume(paused, 'key_2', actor(500)));
    expect(resumed).toMatchObject({
      status: 'running',
      hold: { since: at(500), ms: 40 * minuteMs },
      setBy: 'key_2',
      step: 1,
    });
    expect(resumed).not.toHaveProperty('holdLeftMs');
    const again = done(pause(resumed, 10 * minuteMs, actor(510)));
    expect(again.holdLeftMs).toBe(30 * minuteMs);
  });

  test('after the whole hold leaves nothing of it', () => {
    expect(done(pause(begin(stepped), 2 * held, actor(120))).holdLeftMs).toBe(0);
  });

  test('while it waits for scores still waits for them afterwards', () => {
    const resumed = done(resume(done(pause(inStatus.waiting_for_scores(), 0, actor(2))), 'key_1', actor(3)));
    expect(resumed).toMatchObject({ status: 'running', hold: { since: at(3), ms: 0 } });
    const undecided = decide(resumed, [judged('undecided')], 0, true, worker(3));
    expect(undecided.status).toBe('waiting_for_scores');
    expect(decide(resumed, [judged('passed')], 0, true, worker(3))).toMatchObject({ step: 2 });
  });

  test('in a step with a pause waits for advance again', () => {
    const paused = done(pause(inStatus.waiting_for_advance(), 0, actor(2)));
    expect(paused).not.toHaveProperty('holdLeftMs');
    const resumed = done(resume(paused, 'key_1', actor(3)));
    expect(resumed.status).toBe('waiting_for_advance');
    expect(resumed).not.toHaveProperty('hold');
  });

  test('without steps goes on without a hold', () => {
    const resumed = done(resume(done(pause(begin(), 0, actor(1))), 'key_1', actor(2)));
    expect(resumed.status).toBe('running');
    expect(resumed).not.toHaveProperty('hold');
  });
});

describe('decide', () => {
  const isHeld = held;
  const isNot = held - 1;
  type Row = [RolloutStatus, Judged['verdict'], number, RolloutStatus, number];
  const rows: Row[] = [
    // Status before, verdict, held, status after, step after.
    ['running', 'passed', isNot, 'running', 1],
    ['running', 'undecided', isNot, 'running', 1],
    ['running', 'breached', isNot, 'rolled_back', 1],
    ['running', 'passed', isHeld, 'waiting_for_advance', 2],
    ['running', 'undecided', isHeld, 'waiting_for_scores', 1],
    ['running', 'breached', isHeld, 'rolled_back', 1],
    ['waiting_for_advance', 'passed', isHeld, 'waiting_for_advance', 2],
    ['waiting_for_advance', 'undecided', isHeld, 'waiting_for_advance', 2],
    ['waiting_for_advance', 'breached', 0, 'rolled_back', 2],
    ['waiting_for_scores', 'passed', 0, 'waiting_for_advance', 2],
    ['waiting_for_scores', 'undecided', 0, 'waiting_for_scores', 1],
    ['waiting_for_scores', 'breached', 0, 'rolled_back', 1],
    ['paused', 'passed', isHeld, 'paused', 1],
    ['paused', 'undecided', isHeld, 'paused', 1],
    ['paused', 'breached', isHeld, 'rolled_back', 1],
  ];

  test.each(rows)('%s, %s, held for %i ms: %s in step %i', (status, verdict, heldMs, next, step) => {
    const before = inStatus[status]();
    const after = decide(before, [judged(verdict)], heldMs, true, worker(5));
    expect(after).toMatchObject({ status: next, step });
    const stays = next === status && step === before.step;
    expect(after === before).toBe(stays);
    if (stays) return;
    expect(after).toMatchObject({ by: 'worker:rollout-mover', since: at(5), version: before.version + 1 });
    expect(after.reason).toBe(verdict === 'breached' ? guardBreached : null);
    expect(after.breach).toEqual(verdict === 'breached' ? breachOf() : null);
  });

  test('all guards must pass, and the first breach is the one that is stored', () => {
    const rollout = begin(stepped);
    const verdicts = (...all: Judged['verdict'][]) => all.map((verdict, n) => judged(verdict, `score_${n}`));
    const waits = decide(rollout, verdicts('passed', 'undecided', 'passed'), held, true, worker(60));
    expect(waits.status).toBe('waiting_for_scores');
    const stopped = decide(rollout, verdicts('undecided', 'breached', 'breached'), 0, true, worker(60));
    expect(stopped).toMatchObject({ status: 'rolled_back', breach: { score: 'score_1' } });
    expect(decide(rollout, [], held, true, worker(60))).toMatchObject({ step: 2 });
  });

  test('after the last step with a hold, the rollout completes by itself', () => {
    const rollout = begin({ steps: [{ percent: 10, holdMinutes: 60 }] });
    expect(decide(rollout, [judged('passed')], isNot, true, worker(59))).toBe(rollout);
    const completed = decide(rollout, [judged('passed')], held, true, worker(60));
    expect(completed).toMatchObject({ status: 'completed', endedAt: at(60), percent: 10 });
    const waits = decide(rollout, [judged('undecided')], held, true, worker(60));
    expect(waits).toMatchObject({ status: 'waiting_for_scores', step: 1 });
    expect(decide(waits, [judged('passed')], 0, true, worker(70))).toMatchObject({ status: 'completed' });
  });

  test('the last step with a pause waits for advance', () => {
    const rollout = begin({ steps: [{ percent: 10, pause: true }] });
    expect(decide(rollout, [judged('passed')], 1e12, true, worker(60))).toBe(rollout);
    expect(done(advance(rollout, actor(61)))).toMatchObject({ status: 'completed', endedAt: at(61) });
  });

  test('without steps nothing completes, and a breach still ends the rollout', () => {
    const rollout = begin();
    expect(decide(rollout, [judged('passed')], 1e12, true, worker(60))).toBe(rollout);
    expect(decide(rollout, [judged('breached')], 0, true, worker(60))).toMatchObject({
      status: 'rolled_back',
    });
  });

  test('a credential that may not deploy any more pauses it when it would move forward, and only then', () => {
    const rollout = begin(stepped);
    expect(decide(rollout, [judged('passed')], isNot, false, worker(5))).toBe(rollout);
    for (const verdict of ['passed', 'undecided'] as const) {
      const paused = decide(rollout, [judged(verdict)], held, false, worker(60));
      expect(paused).toMatchObject({
        status: 'paused',
        reason: credentialRevoked,
        holdLeftMs: 0,
        percent: 10,
      });
    }
    expect(decide(rollout, [judged('breached')], 0, false, worker(5))).toMatchObject({
      status: 'rolled_back',
    });
    expect(decide(inStatus.waiting_for_scores(), [judged('passed')], 0, false, worker(70))).toMatchObject({
      status: 'paused',
      reason: credentialRevoked,
    });
  });
});

describe('a breach that pauses', () => {
  const pausing = () =>
    decide(begin({ ...stepped, onBreach: 'pause' }), [judged('breached')], 20 * minuteMs, true, worker(20));

  test('keeps the rest of the hold, and says which guard it was', () => {
    const paused = pausing();
    expect(paused).toMatchObject({
      status: 'paused',
      reason: guardBreached,
      breach: breachOf(),
      holdLeftMs: 40 * minuteMs,
      endedAt: null,
    });
    expect(decide(paused, [judged('breached')], 0, true, worker(21))).toBe(paused);
  });

  test('does not pause again after it was accepted; another guard does', () => {
    const resumed = done(resume(pausing(), 'key_1', actor(30)));
    expect(decide(resumed, [judged('breached')], 0, true, worker(31))).toBe(resumed);
    const other = decide(resumed, [judged('breached'), judged('breached', 'polite')], 0, true, worker(31));
    expect(other).toMatchObject({ status: 'paused', breach: { score: 'polite' } });
    // The accepted breach does not stop the next step either.
    expect(decide(resumed, [judged('breached')], 40 * minuteMs, true, worker(70))).toMatchObject({ step: 2 });
    const both = done(resume(other, 'key_1', actor(40)));
    const still = decide(both, [judged('breached'), judged('breached', 'polite')], 0, true, worker(41));
    expect(still).toBe(both);
  });

  test('is accepted also if the percent was raised while it was paused', () => {
    const raised = done(changePercent(pausing(), 20, actor(25, 'we know')));
    const resumed = done(resume(raised, 'key_1', actor(30)));
    expect(decide(resumed, [judged('breached')], 0, true, worker(31))).toBe(resumed);
  });

  test('is not accepted by resuming a pause that somebody else has made', () => {
    const accepted = done(resume(pausing(), 'key_1', actor(30)));
    const other = decide(accepted, [judged('breached', 'polite')], 0, true, worker(31));
    const byHand = done(pause(done(resume(other, 'key_1', actor(32))), 0, actor(33, 'lunch')));
    expect(done(resume(byHand, 'key_1', actor(34))).acceptedBreaches).toEqual(['solved#', 'polite#']);
    const first = done(pause(begin({ ...stepped, onBreach: 'pause' }), 0, actor(1, 'lunch')));
    expect(done(resume(first, 'key_1', actor(2)))).not.toHaveProperty('acceptedBreaches');
  });
});

describe('random sequences of moves', () => {
  const percentOf = fc.integer({ min: 1, max: 9999 }).map((parts) => parts / 100);
  const verdictOf = fc.constantFrom('passed' as const, 'undecided' as const, 'breached' as const);
  type Step = (rollout: RolloutItem, minutes: number) => RolloutItem;
  const tried = (rollout: RolloutItem, moved: Moved) => ('rollout' in moved ? moved.rollout : rollout);
  const move: fc.Arbitrary<Step> = fc.oneof(
    percentOf.map(
      (percent): Step =>
        (r, m) =>
          tried(r, changePercent(r, percent, actor(m))),
    ),
    fc.nat({ max: 100 }).map(
      (minutes): Step =>
        (r, m) =>
          tried(r, pause(r, minutes * minuteMs, actor(m))),
    ),
    fc.constant<Step>((r, m) => tried(r, resume(r, 'key_2', actor(m)))),
    fc.constant<Step>((r, m) => tried(r, advance(r, actor(m)))),
    fc.record({ verdict: verdictOf, heldMinutes: fc.nat({ max: 100 }), mayAct: fc.boolean() }).map(
      ({ verdict, heldMinutes, mayAct }): Step =>
        (r, m) =>
          decide(r, [judged(verdict)], heldMinutes * minuteMs, mayAct, worker(m)),
    ),
  );
  const ending = fc.constantFrom(...ends).map(
    (last): Step =>
      (r, m) =>
        tried(r, end(r, last, actor(m))),
  );
  const steps = fc
    .uniqueArray(percentOf, { minLength: 1, maxLength: 10 })
    .chain((percents) =>
      fc.tuple(
        ...percents
          .toSorted((a, b) => a - b)
          .map((percent) =>
            fc
              .option(fc.integer({ min: 1, max: 60 }))
              .map((holdMinutes) =>
                holdMinutes === null ? { percent, pause: true as const } : { percent, holdMinutes },
              ),
          ),
      ),
    );
  const starts = fc.record({
    steps: fc.option(steps),
    onBreach: fc.constantFrom('roll_back' as const, 'pause' as const),
  });

  test('the percent never falls, spans are contiguous, an end is final, and the version counts', () => {
    const sequences = fc.array(fc.oneof({ weight: 30, arbitrary: move }, { weight: 1, arbitrary: ending }), {
      maxLength: 60,
    });
    const reached = new Set<RolloutStatus>();
    fc.assert(
      fc.property(starts, sequences, ({ steps: given, onBreach }, moves) => {
        let rollout = begin({ ...(given && { steps: given }), onBreach });
        for (const [index, next] of moves.entries()) {
          const before = structuredClone(rollout);
          const after = next(rollout, index + 1);
          // A move does not change the state that it was given.
          expect(rollout).toEqual(before);
          if (before.endedAt !== null) expect(after).toBe(rollout);
          if (after !== rollout) expect(after.version).toBe(before.version + 1);
          expect(after.percent).toBeGreaterThanOrEqual(before.percent);
          expect(after.step ?? 0).toBeGreaterThanOrEqual(before.step ?? 0);
          check(after);
          reached.add(after.status);
          rollout = after;
        }
      }),
      { numRuns: 300 },
    );
    expect([...reached].sort()).toEqual(statuses.toSorted());
  });

  function check(rollout: RolloutItem): void {
    const { spans, span, percent, endedAt, status, history, hold, holdLeftMs } = rollout;
    expect(spans.length).toBeLessThanOrEqual(maxSpans);
    expect(spans.map((one) => one.span)).toEqual(spans.map((_, index) => index + 1));
    for (const [index, one] of spans.entries()) {
      const next = spans[index + 1];
      expect(one.until).toBe(next ? next.from : endedAt);
      if (next) expect(next.percent).toBeGreaterThan(one.percent);
    }
    expect(spans.at(-1)).toMatchObject({ span, percent });
    expect(history.at(-1)).toMatchObject({ status, percent });
    expect(history.length).toBeLessThanOrEqual(100);
    // A time is held only while it runs, and the rest of it only while it is paused.
    expect(hold === undefined || status === 'running').toBe(true);
    expect(holdLeftMs === undefined || status === 'paused').toBe(true);
    expect(endedAt !== null).toBe(ends.some((one) => one === status));
  }
});
