/** What a rollout compares follows its conversations, whoever scores or removes them. */

import { describe, expect, test } from 'vitest';
import { parseAssignment } from '../../lib/rollouts/assign.ts';
import type { Json } from '../../samples/api.ts';
import { storedOf } from '../../samples/api.ts';
import userEraser from '../../workers/user-eraser.ts';
import { finishRun } from '../support/evaluations.ts';
import { exportNow, linesOf } from '../support/exports.ts';
import { openRelease, type Release, unitsWith } from '../support/releases.ts';
import { unitsOf } from '../support/stored-rollouts.ts';
import { handleAll } from '../support/suspensions.ts';

const half = { percent: 50 };
const solved = { name: 'solved', kind: 'external', output: { type: 'boolean' } };
const guard = { score: 'solved', better: 'higher', maxHarm: 0.05, minimum: 1 };

async function openGuarded(body: Json = {}) {
  const api = await openRelease();
  const { status, text } = await api.send('POST', '/evaluators', solved);
  if (status !== 201) throw new Error(text);
  const rollout = await api.start({ ...half, guards: [guard], ...body });
  return { ...api, id: rollout.id };
}

const comparisonOf = async (api: Pick<Release, 'rollout'>) =>
  (await api.rollout()).comparison as Json & { units: Json; guards: Json[] };

/** Enough units for a decision: the current deployment solves all, and the candidate none. */
const enough = 24;

async function scoreAll(api: Release & { id: string }, key: string): Promise<void> {
  for (const variant of ['current', 'candidate'] as const) {
    const units = unitsWith(variant, enough, { id: api.id, percent: 50 });
    await Promise.all(
      units.map(async (unit) => {
        const conversation = await api.converse(unit);
        const path = `/conversations/${conversation}/scores/solved`;
        const body = { value: variant === 'current', source: 'human' };
        const { status, text } = await api.send('PUT', path, body, { key });
        if (status >= 300) throw new Error(text);
      }),
    );
  }
}

test('a credential that may only write scores can end a rollout, and does nothing else to it', {
  tags: ['long'],
}, async () => {
  const api = await openGuarded();
  const { secret: key } = await api.createKey({ scopes: ['conversations:write'] });
  const path = '/environments/production/rollout';
  for (const [method, action] of [
    ['GET', ''],
    ['PATCH', ''],
    ['POST', '/complete'],
    ['POST', '/abort'],
  ])
    expect((await api.send(`${method}`, path + action, undefined, { key })).status).toBe(403);
  await scoreAll(api, key);
  await api.count();
  const { status, reason, by, breach } = await api.rollout();
  expect({ status, reason, by }).toEqual({
    status: 'rolled_back',
    reason: 'guard_breached',
    by: 'worker:rollout-mover',
  });
  expect(breach).toEqual({
    score: 'solved',
    value: null,
    current: { units: enough, mean: 1 },
    candidate: { units: enough, mean: 0 },
  });
  const environment = (await api.send('GET', '/environments/production')).data;
  expect(environment).toMatchObject({ current: api.current.id, pinned: true });
  for (const unit of unitsWith('candidate', 2, { id: api.id, percent: 50 }))
    expect(await api.config(unit)).toMatchObject({ deploymentId: api.current.id, rollout: null });
});

test('the scores of an evaluation run count, and decide', { tags: ['long'] }, async () => {
  const api = await openRelease();
  // Only the conversations of the candidate have messages.
  const body = { name: 'silent', kind: 'rule', rule: { messages: { lte: 0 } } };
  const evaluator = await api.send('POST', '/evaluators', body);
  expect(evaluator.status, evaluator.text).toBe(201);
  await api.send('PATCH', `/evaluators/${evaluator.data.id}`, { status: 'paused' });
  const guards = [{ ...guard, score: 'silent' }];
  const { id } = await api.start({ ...half, guards, onBreach: 'pause' });
  const talk = async (unit: string, isLong: boolean) => {
    const { rollout } = await api.config(unit);
    const { assignment } = rollout as Json;
    const path = await api.createConversation({ assignment }, api.projectId);
    if (isLong) {
      const messages = [{ role: 'user', text: 'Hello?' }];
      await api.call('POST', `${path}/messages`, { body: { messages } });
    }
    await api.call('POST', `${path}/end`, { body: { reason: 'completed' } });
  };
  for (const variant of ['current', 'candidate'] as const) {
    const units = unitsWith(variant, enough, { id, percent: 50 });
    await Promise.all(units.map((unit) => talk(unit, variant === 'candidate')));
  }
  await api.count();
  const before = await comparisonOf(api);
  expect(before.guards).toMatchObject([{ verdict: 'undecided', current: { unknown: 1, mean: null } }]);
  expect((await api.rollout()).status).toBe('running');
  const run = await api.send('POST', '/evaluation-runs', { evaluators: ['silent'] });
  expect(run.status, run.text).toBe(202);
  await finishRun(api, api.projectId, `${run.data.id}`);
  await api.count();
  expect((await comparisonOf(api)).guards).toMatchObject([
    { verdict: 'breached', current: { mean: 1, unknown: 0 }, candidate: { mean: 0, unknown: 0 } },
  ]);
  expect(await api.rollout()).toMatchObject({ status: 'paused', reason: 'guard_breached' });
});

describe('an erased user', () => {
  test('leaves neither a unit nor figures', async () => {
    const api = await openGuarded();
    const of = { id: api.id, percent: 50 };
    const [anna = '', ben = ''] = unitsWith('candidate', 2, of);
    const erased = await api.converse(anna, { externalUserId: 'anna' });
    await api.converse(ben, { externalUserId: 'ben' });
    await api.count();
    expect((await comparisonOf(api)).units).toEqual({ current: 0, candidate: 2 });
    const { rollout } = await api.config(anna);
    const { hash = '' } = parseAssignment(`${(rollout as Json).assignment}`) ?? {};
    expect((await unitsOf(api)).map(({ id }) => id)).toContain(`${api.id}#${hash}`);

    const { data: job } = await api.send('POST', '/conversations/erase', { externalUserId: 'anna' });
    await handleAll(api, userEraser, 'jobs', ({ id }) => id === job.id);
    const kept = await Promise.all(
      (['conversations', 'conversationSearch', 'conversationStats', 'deployments'] as const).map((table) =>
        storedOf(api, table),
      ),
    );
    expect((await unitsOf(api)).length).toBe(1);
    expect(JSON.stringify(kept)).not.toContain(hash);
    expect(JSON.stringify(kept[0]?.filter(({ assignment }) => assignment))).not.toContain(erased);
    const { units, durationSeconds } = await comparisonOf(api);
    expect(units).toEqual({ current: 0, candidate: 1 });
    expect(durationSeconds).toMatchObject({ candidate: { units: 1 } });

    // The user comes back as a new unit.
    await api.converse(anna);
    await api.count();
    expect((await comparisonOf(api)).units).toEqual({ current: 0, candidate: 2 });
  });
});

test('the exports of conversations say what a conversation was assigned, and whether it counted', async () => {
  const api = await openGuarded();
  const [unit = ''] = unitsWith('candidate', 1, { id: api.id, percent: 50 });
  const { assignment } = (await api.config(unit)).rollout as Json;
  const first = await api.converse(unit);
  const second = await api.converse(unit);
  await api.createConversation({}, api.projectId);
  const lines = await linesOf(api, await exportNow(api, api.projectId, { what: 'conversations' }));
  const found = lines.map((line) => (line.conversation ?? line) as Json);
  expect(found).toHaveLength(3);
  const of = (id: string) => found.find((one) => one.id === id);
  expect(of(first)).toMatchObject({ assignment, counted: true, deploymentId: api.candidate.id });
  expect(of(second)).toMatchObject({ assignment, counted: false, deploymentId: api.candidate.id });
  expect(found.find(({ id }) => id !== first && id !== second)).toMatchObject({
    assignment: null,
    counted: false,
  });
});
