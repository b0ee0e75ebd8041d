/** What calls have cost is settled once, also if the answer of the database is lost and the settlement is sent again. */

import { TransactWriteCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { expect, test } from 'vitest';
import type { ModelReply } from '../../../../lib/models/models.ts';
import { testRuntime } from '../../../../samples/api.ts';
import { replyWithFaults } from '../../../../samples/models.ts';
import {
  end,
  factsOf,
  modelOf,
  openEvaluations,
  reservationsOf,
  spentOfDay,
} from '../../../support/evaluations.ts';
import { intercept } from '../../../support/faults.ts';

type Values = Record<string, unknown> | undefined;
const settles = (values: Values): boolean => Number(values?.[':used']) < 0;

/** A settlement takes effect, and its answer is lost. The SDK repeats a single write, but not a transaction. */
const losing = () => {
  const lost = { answers: 0 };
  const client = intercept(testRuntime().client, (command, proceed) => {
    if (command instanceof UpdateCommand && settles(command.input.ExpressionAttributeValues)) {
      lost.answers += 1;
      return proceed().then(proceed);
    }
    if (!(command instanceof TransactWriteCommand)) return undefined;
    const parts = command.input.TransactItems ?? [];
    if (!parts.some(({ Update }) => settles(Update?.ExpressionAttributeValues))) return undefined;
    return proceed().then(() => {
      lost.answers += 1;
      throw Object.assign(new Error('in progress'), { name: 'TransactionInProgressException' });
    });
  });
  return { client, lost };
};

const throttled: ModelReply = { kind: 'retry', reason: 'throttled', mayCost: false, message: '429' };

/** Each question is asked twice: the first call is throttled. */
async function open() {
  const asked = new Set<string>();
  const { client, lost } = losing();
  const opened = await openEvaluations({
    reply(request) {
      if (asked.has(JSON.stringify(request))) return replyWithFaults(request);
      asked.add(JSON.stringify(request));
      return throttled;
    },
    adjust: { client },
  });
  for (const [n, name] of ['one', 'two', 'three'].entries())
    await opened.createEvaluator(name, modelOf(`Question ${n}?`));
  return { ...opened, lost };
}

const costOfFacts = async ({ api }: Awaited<ReturnType<typeof open>>) =>
  [...(await factsOf(api)).values()].reduce((sum, { costMicroUsd }) => sum + Number(costMicroUsd), 0);

test('of a run', async () => {
  const opened = await open();
  const { api, converse, run, lost } = opened;
  for (let n = 0; n < 4; n += 1) await converse([`hello ${n}`]);
  const { status, result } = await run({ maxCostUsd: 1 });
  expect(status).toBe('succeeded');
  expect(result).toMatchObject({ conversations: 4, evaluated: 12, failed: 0, calls: 24 });
  expect(lost.answers).toBeGreaterThan(1);
  const cost = await costOfFacts(opened);
  expect(cost).toBeGreaterThan(0);
  expect(await spentOfDay(api)).toBe(cost);
  expect(Math.round((result as { costUsd: number }).costUsd * 1e6)).toBe(cost);
  expect(await reservationsOf(api)).toEqual([]);
});

test('of a preview', async () => {
  const { api, converse, run, lost } = await open();
  for (let n = 0; n < 2; n += 1) await converse([`hello ${n}`]);
  const { status, result } = await run({ preview: true, maxCostUsd: 1 });
  expect(status).toBe('succeeded');
  const { costUsd, preview } = result as { costUsd: number; preview: { scores: { costUsd: number }[] }[] };
  expect(lost.answers).toBeGreaterThan(0);
  const cost = preview.flatMap(({ scores }) => scores).reduce((sum, one) => sum + one.costUsd, 0);
  expect(cost).toBeGreaterThan(0);
  expect(costUsd).toBeCloseTo(cost, 9);
  expect(await spentOfDay(api)).toBe(Math.round(cost * 1e6));
});

test('of a conversation that ends', async () => {
  const opened = await open();
  const { api, converse, lost } = opened;
  await end(api, await converse());
  expect((await factsOf(api)).size).toBe(3);
  expect(lost.answers).toBe(2);
  const cost = await costOfFacts(opened);
  expect(cost).toBeGreaterThan(0);
  expect(await spentOfDay(api)).toBe(cost);
  expect(await reservationsOf(api)).toEqual([]);
});

test('of a model that does not answer when a conversation ends', async () => {
  const { api, createEvaluator, converse } = await openEvaluations({ adjust: { client: losing().client } });
  await createEvaluator('judge', modelOf('[[throttle]]'));
  await expect(end(api, await converse())).rejects.toThrow('out of time');
  expect(await spentOfDay(api)).toBe(0);
  expect(await reservationsOf(api)).toEqual([]);
});
