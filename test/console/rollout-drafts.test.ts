/** The form for a rollout, and the texts about its state. */

import { expect, test } from 'vitest';
import type { RolloutStatus } from '../../clients/typescript/src/index.ts';
import { bodyOf, emptyDraft, newGuard } from '../../console/src/pages/environments/draft.ts';
import {
  advanceText,
  ifUnmoved,
  movesOf,
  sharesOf,
  statusSentence,
  stepText,
} from '../../console/src/pages/environments/texts.ts';

const steps = [
  { percent: 10, holdMinutes: 60 },
  { percent: 50, pause: true as const },
];

test('the request has numbers, and harm as the API counts it', () => {
  const boolean = { type: 'boolean' } as const;
  const draft = {
    ...emptyDraft,
    deploymentId: 'dep_1',
    guards: [
      { ...newGuard('solved', boolean), maxHarm: '7' },
      { ...newGuard('mood', { type: 'category', values: ['angry', 'happy'] }), better: 'lower' as const },
      { ...newGuard('csat', { type: 'number', min: 1, max: 5 }), minimum: '80', maxUnknown: '12.5' },
      newGuard('other', undefined),
    ],
    reason: '  ',
  };
  const typeOf = (score: string) =>
    (({ solved: 'boolean', mood: 'category', csat: 'number' }) as const)[score];
  const usual = { better: 'higher', minimum: 50, maxUnknown: 0.2 };
  expect(bodyOf(draft, typeOf)).toEqual({
    deploymentId: 'dep_1',
    steps,
    guards: [
      { ...usual, score: 'solved', maxHarm: 0.07 },
      { ...usual, score: 'mood', value: 'angry', better: 'lower', maxHarm: 0.05 },
      { ...usual, score: 'csat', maxHarm: 0.1, minimum: 80, maxUnknown: 0.125 },
      { ...usual, score: 'other', maxHarm: 0.05 },
    ],
    onBreach: 'roll_back',
    reason: null,
  });
  const flat = bodyOf({ ...draft, isStepped: false, percent: '2.5', guards: [], reason: ' Slow ' }, typeOf);
  expect(flat).toMatchObject({ percent: 2.5, guards: [], reason: 'Slow' });
  expect(flat).not.toHaveProperty('steps');
});

test('the buttons are those that the state allows', () => {
  const of = (status: RolloutStatus, fields = {}) =>
    movesOf({ status, steps, endedAt: null, ...fields }).join(' ');
  expect(of('running')).toBe('advance pause raise complete abort');
  expect(of('waiting_for_scores')).toBe('advance pause raise complete abort');
  expect(of('running', { steps: null })).toBe('pause raise complete abort');
  expect(of('paused')).toBe('resume raise complete abort');
  expect(of('rolled_back', { endedAt: '2026-03-01T09:30:00.000Z' })).toBe('');
  expect(ifUnmoved({ version: 7 }, { idempotencyKey: 'k' })).toEqual({ idempotencyKey: 'k', ifMatch: '"7"' });
});

test('who gets what adds up, and an ended rollout gives the candidate to nobody', () => {
  expect(sharesOf({ percent: 0.01, endedAt: null })).toEqual({ current: 99.99, candidate: 0.01 });
  expect(sharesOf({ percent: 33.33, endedAt: null })).toEqual({ current: 66.67, candidate: 33.33 });
  const none = { current: 100, candidate: 0 };
  expect(sharesOf({ percent: 50, endedAt: '2026-03-01T09:30:00.000Z' })).toEqual(none);
  expect(sharesOf(undefined)).toEqual(none);
});

test('a step says how long it is held, and advancing what comes next', () => {
  expect(stepText({ percent: 10, holdMinutes: 1 })).toBe('held for 1 min');
  expect(stepText({ percent: 10, holdMinutes: 3 * 1440 + 90 })).toBe('held for 3 d 1 h 30 min');
  expect(stepText({ percent: 10, pause: true })).toBe('then waits for somebody to advance it');
  expect(advanceText({ steps, step: 1 })).toContain('Step 2 begins at once');
  expect(advanceText({ steps, step: 1 })).toContain('50%');
  expect(advanceText({ steps, step: 2 })).toContain('the candidate is promoted');
});

test('a paused rollout says who has to decide', () => {
  const paused = (reason: string | null) =>
    statusSentence({ status: 'paused', reason, steps, percent: 10, guards: [] });
  expect(paused('guard_breached')).toContain('accept the breach');
  expect(paused('credential_revoked')).toContain('on behalf of yours');
  expect(paused('Lunch')).toBe(paused(null));
});
