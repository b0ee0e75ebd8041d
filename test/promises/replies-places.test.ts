/** A reply holds the place of its organisation only while it is answered, and begins again if nothing was asked. */

import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { type Json, storedOf } from '../../samples/api.ts';
import { defaultAnswer } from '../../samples/models.ts';
import { intercept } from '../support/faults.ts';
import { openReplies } from '../support/replies.ts';

test('a reply leaves its place when it ends, although others of its batch go on', async () => {
  let isStarted = async () => false;
  // The second reply waits until the third, which had no place, is sent back to the queue.
  const script = (_: unknown, index: number) => ({
    steps: [
      async () => {
        while (index === 1 && !(await isStarted())) await sleep(50);
      },
      defaultAnswer,
    ],
  });
  const opened = await openReplies(script, {
    adjust: ({ limits }) => ({
      limits: { ...limits, live: { ...limits.live, quotas: { modelCostUsd: 10, replies: 2 } } },
    }),
  });
  const { deploy, converse, ask, work, call } = opened;
  isStarted = async () => (await storedOf(opened, 'schedule')).some(({ sentMs }) => Number(sentMs) > 0);
  const { id: deploymentId } = await deploy();
  const paths = await Promise.all(Array.from({ length: 3 }, () => converse({ deploymentId })));
  for (const path of paths) await ask(path, 'One?');
  // The notice of the third goes back to the queue.
  await expect(work()).rejects.toThrow('out of time');
  const statuses = async () =>
    (await Promise.all(paths.map((path) => call('GET', `${path}/replies`))))
      .flatMap(({ data }) => data.items as Json[])
      .map(({ status }) => status)
      .sort();
  expect(await statuses()).toEqual(['done', 'done', 'queued']);
  await work();
  expect(await statuses()).toEqual(['done', 'done', 'done']);
});

test('a read that fails before the call is no end: the reply is queued again, and answered once', async () => {
  let failures = 0;
  const opened = await openReplies(undefined, {
    adjust: ({ client }) => ({
      client: intercept(client, ({ constructor: { name }, input }) => {
        const { RequestItems = {} } = input as { RequestItems?: object };
        const isVersion = name === 'BatchGetCommand' && /avatars/.test(Object.keys(RequestItems).join());
        if (!isVersion || failures === 0) return undefined;
        failures -= 1;
        return Promise.reject(new Error('DynamoDB does not answer'));
      }),
    }),
  });
  const { deploy, converse, ask, work, call, models } = opened;
  const { id: deploymentId } = await deploy();
  const path = await converse({ deploymentId });
  const { data } = await ask(path, 'One?');
  failures = 1;
  await expect(work()).rejects.toThrow('DynamoDB does not answer');
  const reply = async () => (await call('GET', `${path}/replies/${data.id}`)).data;
  expect(await reply()).toMatchObject({ status: 'queued', startedAt: null, costUsd: null });
  await work();
  expect(await reply()).toMatchObject({ status: 'done', text: defaultAnswer });
  expect(models.streams).toHaveLength(1);
});
