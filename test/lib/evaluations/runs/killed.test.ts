/** Runs that are killed before or after any write or call: each score once, and no cent that is not counted. */

import { randomInt } from 'node:crypto';
import { expect, test } from 'vitest';
import { costOf } from '../../../../lib/base/money.ts';
import { minuteMs } from '../../../../lib/base/time.ts';
import type { Json } from '../../../../samples/api.ts';
import { replyWithFaults } from '../../../../samples/models.ts';
import { localModel } from '../../../../scripts/local/judge.ts';
import {
  converse,
  type Evaluations,
  factsOf,
  modelOf,
  openEvaluations,
  reservationsOf,
  ruleOf,
  runOnce,
  spentOfDay,
} from '../../../support/evaluations.ts';
import { chanceOf } from '../../../support/killable.ts';

const callsAtOnce = 8;

/** Models whose process may die while they answer. `sent.microUsd` is what their calls have really cost. */
async function open() {
  const sent = { calls: 0, microUsd: 0, diesAt: Number.POSITIVE_INFINITY };
  const opened: Evaluations = await openEvaluations({
    async reply(request) {
      const reply = await replyWithFaults(request);
      sent.calls += 1;
      if (reply.kind === 'answer') {
        const { inputTokens = 0, outputTokens = 0 } = reply;
        sent.microUsd += costOf({ inputTokens, outputTokens }, localModel);
      }
      if (sent.calls === sent.diesAt) opened.life.callsLeft = 0;
      return reply;
    },
  });
  await opened.createEvaluator('short', ruleOf());
  await opened.createEvaluator('judge', modelOf());
  await opened.createEvaluator('second', modelOf('Is the user content?'));
  return { ...opened, sent };
}
type Opened = Awaited<ReturnType<typeof open>>;

/** @returns the number of kills until the run has ended */
async function finishKilled(
  { api, life, project }: Opened,
  job: string,
  prepare: (kills: number) => void,
): Promise<number> {
  let kills = 0;
  for (;;) {
    prepare(kills);
    const isKilled = await runOnce(api, project, job).then(
      () => false,
      () => true,
    );
    life.callsLeft = Number.POSITIVE_INFINITY;
    if (isKilled) {
      kills += 1;
      // The place of the killed run expires.
      api.advance(5 * minuteMs);
    }
    const { data } = await api.call('GET', `/projects/${project}/jobs/${job}`);
    if (data.status !== 'running' && data.status !== 'queued') return kills;
  }
}

/** @param before what was sent and spent before this run */
async function expectInvariants(
  { api, project, path, sent }: Opened,
  job: string,
  {
    kills,
    conversations,
    before,
  }: { kills: number; conversations: number; before: { calls: number; microUsd: number; day: number } },
) {
  const about = `${kills} kills`;
  const { data } = await api.call('GET', `${path}/jobs/${job}`);
  expect(data, about).toMatchObject({
    status: 'succeeded',
    result: { conversations, evaluated: 3 * conversations, unchanged: 0, failed: 0, stoppedBecause: null },
  });
  const facts = [...(await factsOf(api))].filter(([, { tenant }]) => `${tenant}`.includes(project));
  expect(facts.length).toBe(3 * conversations);
  const calls = sent.calls - before.calls;
  expect(calls, about).toBeLessThanOrEqual(2 * conversations + callsAtOnce * kills);
  const result = data.result as { calls: number; costUsd: number };
  const microUsd = Math.round(result.costUsd * 1e6);
  const really = sent.microUsd - before.microUsd;
  expect(result.calls).toBeGreaterThanOrEqual(calls);
  expect(microUsd, about).toBeGreaterThanOrEqual(really);
  expect(await spentOfDay(api), about).toBe(before.day + microUsd);
  // It is the only run of the project.
  const { data: usage } = await api.call('GET', `/projects/${project}/usage/days`);
  expect(usage.totals, about).toMatchObject({ modelCostUsd: result.costUsd });
  if (kills === 0) expect(microUsd).toBe(really);
  expect((await reservationsOf(api)).filter(({ tenant }) => `${tenant}`.includes(project))).toEqual([]);
  return facts as [string, Json][];
}

const contents = [['a'], ['a', 'b'], ['a', 'b', 'c'], [], ['d', 'e']];
/** One of them has no messages, so its models are not asked. */
async function fill({ api }: Opened, project: string): Promise<void> {
  for (const texts of contents) await converse(api, project, texts);
}

async function killedAtEvery(step: number) {
  const opened = await open();
  const { api, life, sent } = opened;
  // Of a run that is not killed.
  const { project: trial } = opened;
  await fill(opened, trial);
  const requestIn = async (project: string) => {
    const { data } = await api.call('POST', `/projects/${project}/evaluation-runs`, {
      body: { maxCostUsd: 5 },
    });
    return `${data.id}`;
  };
  const trialJob = await requestIn(trial);
  life.calls = 0;
  await runOnce(api, trial, trialJob);
  const { calls } = life;
  const { calls: asked } = sent;
  expect(calls).toBeGreaterThan(10);
  expect(asked).toBe(8);
  const deaths = [
    ...Array.from({ length: Math.ceil(calls / step) }, (_, n) => ({ database: 1 + n * step })),
    ...Array.from({ length: Math.ceil(asked / step) }, (_, n) => ({ model: 1 + n * step })),
  ];
  for (const death of deaths) {
    const { data } = await api.call('POST', '/projects', { body: { name: 'another' } });
    const project = `${data.id}`;
    for (const [name, body] of [
      ['short', ruleOf()],
      ['judge', modelOf()],
      ['second', modelOf('Is the user content?')],
    ] as const)
      await api.call('POST', `/projects/${project}/evaluators`, { body: { name, ...body } });
    await fill(opened, project);
    const job = await requestIn(project);
    const before = { calls: sent.calls, microUsd: sent.microUsd, day: await spentOfDay(api) };
    const one = { ...opened, project, path: `/projects/${project}` };
    const kills = await finishKilled(one, job, (kills) => {
      if (kills > 0) return;
      if ('database' in death) {
        life.callsLeft = death.database;
        life.afterwards = death.database % 2 === 0;
      } else sent.diesAt = sent.calls + death.model;
    });
    sent.diesAt = Number.POSITIVE_INFINITY;
    await expectInvariants(one, job, { kills, conversations: contents.length, before });
  }
}

test('killed before or after some of its writes and calls', { tags: ['long'] }, () => killedAtEvery(13));
test('killed before or after each write and call', { tags: ['nightly'] }, () => killedAtEvery(1));

const seed = Number(process.env.KILL_SEED ?? randomInt(2 ** 32));

/** @param most the kills: ten attempts without progress would end the job */
async function killedAtRandom(count: number, calls: { least: number; further: number }, most: number) {
  const chance = chanceOf(seed);
  const opened = await open();
  const { project, life, sent, requestRun, converse: add } = opened;
  for (let n = 0; n < count; n += 1) await add(contents[n % contents.length]);
  const job = `${(await requestRun({ maxCostUsd: 5 })).id}`;
  const kills = await finishKilled(opened, job, (kills) => {
    if (kills >= most) return;
    life.callsLeft = calls.least + Math.floor(chance() * calls.further);
    life.afterwards = chance() < 0.5;
    if (chance() < 0.3) sent.diesAt = sent.calls + 1 + Math.floor(chance() * 12);
  });
  expect(kills, `KILL_SEED=${seed}`).toBeGreaterThan(0);
  const before = { calls: 0, microUsd: 0, day: 0 };
  await expectInvariants({ ...opened, project }, job, { kills, conversations: count, before });
}

test('killed once, a small run is complete', { tags: ['long'] }, () =>
  killedAtRandom(4, { least: 8, further: 8 }, 5),
);
test('killed again and again at random', { tags: ['long'] }, () =>
  killedAtRandom(45, { least: 20, further: 70 }, 100),
);

test('a run that dies after each call, and stores nothing, fails after ten attempts', {
  tags: ['long'],
}, async () => {
  const opened: Evaluations = await openEvaluations({
    reply(request) {
      opened.life.callsLeft = 0;
      return replyWithFaults(request);
    },
  });
  const { api, life, models, project, path, createEvaluator, requestRun } = opened;
  await createEvaluator('judge', modelOf());
  await opened.converse();
  const { id } = await requestRun({ maxCostUsd: 1 });
  for (let n = 0; n < 12; n += 1) {
    await runOnce(api, project, `${id}`).catch(() => {});
    life.callsLeft = Number.POSITIVE_INFINITY;
    api.advance(5 * minuteMs);
  }
  const { data } = await api.call('GET', `${path}/jobs/${id}`);
  expect(data).toMatchObject({ status: 'failed', error: { code: 'worker_failed' } });
  expect(models.calls).toHaveLength(10);
});
