/** Which changes of rollouts and of their environments are events. */

import { expect, test } from 'vitest';
import { timestamp } from '../../../lib/base/time.ts';
import { draftsOf } from '../../../lib/events/from-changes/store/changes.ts';
import { rolloutEvents } from '../../../lib/events/rollouts.ts';
import type { RolloutMove, RolloutStatus } from '../../../lib/rollouts/schema.ts';
import type { Change } from '../../../lib/workers/change.ts';

const ended = ['completed', 'aborted', 'rolled_back'] as const;
const waiting = ['waiting_for_advance', 'waiting_for_scores'] as const;

const eventsOf = (from: [RolloutStatus, number], [status, percent]: [RolloutStatus, number]) =>
  rolloutEvents({ status: from[0], percent: from[1] }, { status, percent, history: [] });

test('a higher percent is rollout.advanced', () => {
  expect(eventsOf(['running', 10], ['running', 50])).toEqual(['rollout.advanced']);
  expect(eventsOf(['waiting_for_advance', 10], ['running', 50])).toEqual(['rollout.advanced']);
  expect(eventsOf(['paused', 10], ['paused', 50])).toEqual(['rollout.advanced']);
});

test.each(ended)('the status %s is its own event, whatever was before', (status) => {
  for (const before of ['running', 'paused', ...waiting] as const)
    expect(eventsOf([before, 10], [status, 10])).toEqual([`rollout.${status}`]);
});

test.each(waiting)(
  'the status %s is rollout.waiting, after rollout.advanced for a higher percent',
  (status) => {
    expect(eventsOf(['running', 10], [status, 10])).toEqual(['rollout.waiting']);
    const both = ['rollout.advanced', 'rollout.waiting'];
    expect(eventsOf(['running', 10], [status, 50])).toEqual(both);
    expect(eventsOf([status, 10], [status, 50])).toEqual(both);
  },
);

test('a pause is rollout.paused, and what follows it rollout.resumed', () => {
  for (const status of ['running', ...waiting] as const) {
    expect(eventsOf([status, 10], ['paused', 10])).toEqual(['rollout.paused']);
    expect(eventsOf(['paused', 10], [status, 10])).toEqual(['rollout.resumed']);
  }
});

test('a change that keeps the status and the percent is no event', () => {
  for (const status of ['running', 'paused', ...waiting, ...ended] as const)
    expect(eventsOf([status, 10], [status, 10])).toEqual([]);
  expect(eventsOf(['waiting_for_scores', 10], ['running', 10])).toEqual([]);
});

test('without the item of before, the history says what was before', () => {
  const move = (status: RolloutStatus, percent: number): RolloutMove => ({
    at: timestamp(0),
    by: 'key_1',
    status,
    percent,
    reason: null,
  });
  const history = [move('running', 10), move('paused', 10), move('running', 10)];
  expect(rolloutEvents(undefined, { status: 'running', percent: 10, history })).toEqual(['rollout.resumed']);
  expect(rolloutEvents(undefined, { status: 'running', percent: 10, history: [] })).toEqual([]);
});

const tenant = 'org_1#live#proj_1';
const ulid = '01JZ4Y7Q8R5T2V9W3X6B0C1D4E';
const changedIn = `call_${ulid}`;

/** @returns the types of the events of a change by a request */
function typesOf(place: string, id: string, before: object | undefined, after: object): string[] {
  const item = (attributes: object, call: string) => ({
    tenant: `${tenant}#${place}`,
    id,
    changedBy: 'key_1',
    changedThrough: 'rollouts.update',
    changedIn: call,
    ...attributes,
  });
  const change: Change = {
    table: 'deployments',
    tenant: 'org_1#live',
    partition: ['proj_1', place],
    id,
    kind: before ? 'MODIFY' : 'INSERT',
    before: before && item(before, `call_${ulid.replace(/E$/, 'D')}`),
    after: item(after, changedIn),
    atMs: 0,
    sequence: '1',
  };
  return draftsOf(change)?.events.map(({ type }) => type) ?? [];
}

test('a new rollout is rollout.started', () => {
  const rollout = { status: 'running', percent: 10, history: [] };
  expect(typesOf('rollouts', `rol_${ulid}`, undefined, rollout)).toEqual(['rollout.started']);
  expect(typesOf('rollouts', `rol_${ulid}`, rollout, { ...rollout, percent: 20 })).toEqual([
    'rollout.advanced',
  ]);
  expect(typesOf('rollouts', `rol_${ulid}`, rollout, { ...rollout, hold: { since: '', ms: 1 } })).toEqual([]);
  expect(typesOf('rollouts-of-environments', `production#rol_${ulid}`, undefined, {})).toEqual([]);
});

test('an environment that gets another rollout or percent is not updated: the rollout has events of its own', () => {
  const environment = { history: ['dep_1'], serves: { deploymentId: 'dep_1' }, rollback: null };
  const rollout = { id: `rol_${ulid}`, percent: 10, span: 1 };
  const started = { ...environment, rollout, updatedAt: 'later' };
  expect(typesOf('environments', 'production', environment, started)).toEqual([]);
  const advanced = { ...started, rollout: { ...rollout, percent: 20, span: 2 } };
  expect(typesOf('environments', 'production', started, advanced)).toEqual([]);
  expect(typesOf('environments', 'production', started, environment)).toEqual([]);
  const promoted = { ...environment, history: ['dep_2', 'dep_1'], serves: { deploymentId: 'dep_2' } };
  expect(typesOf('environments', 'production', started, promoted)).toEqual(['environment.updated']);
  const pinned = { ...environment, rollback: { from: 'dep_2' } };
  expect(typesOf('environments', 'production', started, pinned)).toEqual(['environment.updated']);
});
