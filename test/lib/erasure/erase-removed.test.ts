/** The deliveries of a removed resource lose its data in turns, however many there are. */

import { BatchWriteCommand } from '@aws-sdk/lib-dynamodb';
import { expect, test } from 'vitest';
import { inBatches, split } from '../../../lib/base/batches.ts';
import { minuteMs } from '../../../lib/base/time.ts';
import type { Notice } from '../../../lib/workers/notice.ts';
import { type Json, storedOf } from '../../../samples/api.ts';
import { deliverNotices, noticesOf } from '../../../samples/lambda-queue.ts';
import { changeRecord } from '../../../samples/stream-records.ts';
import eventWriter from '../../../workers/event-writer.ts';
import { dueNotices, dueOf } from '../../support/schedule.ts';
import { deliverKilled } from '../../support/turns.ts';
import { openWebhook } from '../../support/webhooks.ts';
import { mortal } from '../../support/workers.ts';

/** Three pages, so that a turn ends among the deliveries. */
const count = 250;

type Life = ReturnType<typeof mortal>['life'];

async function open() {
  let life: Life | undefined;
  const opened = await openWebhook('http://127.0.0.1:1/hook', { eventTypes: ['document.*'] }, (runtime) => {
    const dying = mortal(runtime.client);
    life = dying.life;
    return { client: dying.client };
  });
  if (!life) throw new Error('nothing can kill it');
  const { api } = opened;
  const documents = `/projects/${await api.createProject()}/knowledge/documents`;
  const itemOf = async (id: unknown) =>
    (await storedOf(api, 'knowledge')).find((item) => item.id === id && item.title !== undefined);
  const changed = (before: Json | undefined, after: Json | undefined) =>
    noticesOf(eventWriter, [changeRecord(before, after)], 'knowledge');
  const create = async () => {
    const { data } = await api.call('POST', documents, { body: { title: 'word:title', content: 'text' } });
    return { id: `${data.id}`, notices: changed(undefined, await itemOf(data.id)) };
  };
  return {
    api,
    life,
    create,
    /** @returns the notice that its events are due for the erasure */
    async remove(id: string): Promise<Notice[]> {
      const before = await itemOf(id);
      await api.call('DELETE', `${documents}/${id}`);
      await deliverNotices(api.runtime, eventWriter, changed(before, undefined));
      api.advance(minuteMs);
      return (await dueNotices(api)).filter((notice) => notice.id === id);
    },
    /** Stores copies of the first delivery, with what a receiver has answered, directly in the table. */
    async fill(resource: string) {
      const stored = await storedOf(api, 'deliveries');
      const delivery = stored.find(({ resourceId }) => resourceId === resource);
      const place = stored.find(({ id }) => `${id}`.startsWith(`${resource}#`));
      const attempt = { at: delivery?.createdAt, status: 200, durationMs: 1, body: 'word:body', error: null };
      const items = Array.from({ length: count }, (_, n) => {
        const id = `${`${delivery?.id}`.slice(0, 14)}${String(n).padStart(16, '0')}`;
        return [
          { ...delivery, id, status: 'delivered', attempts: [attempt] },
          { ...place, id: `${resource}#${id}` },
          { ...place, tenant: `${delivery?.tenant}#extra`, id, messages: 'word:message' },
        ];
      }).flat();
      const { client, tableNames } = api.runtime;
      await inBatches(split(items, 25), 8, (batch) =>
        client.send(
          new BatchWriteCommand({
            RequestItems: { [`${tableNames.deliveries}`]: batch.map((Item) => ({ PutRequest: { Item } })) },
          }),
        ),
      );
    },
    /** @returns what still has words of the resource */
    async left(): Promise<number> {
      const items = [...(await storedOf(api, 'deliveries')), ...(await storedOf(api, 'events'))];
      return items.filter((item) => JSON.stringify(item).includes('word:')).length;
    },
    positions: async () =>
      (await storedOf(api, 'deliveries')).filter(({ tenant }) => `${tenant}`.endsWith('#erasing')),
  };
}

test('each turn erases more, and the other notices of its batch do not come again', async () => {
  const { api, create, fill, remove, left, positions } = await open();
  const [many, few] = [await create(), await create()];
  await deliverNotices(api.runtime, eventWriter, [...many.notices, ...few.notices]);
  await fill(many.id);
  const [, other] = [await left(), await create()];
  const due = [...(await remove(many.id)), ...(await remove(few.id))];
  expect(due).toHaveLength(2);
  const runtime = { ...api.runtime, turnMs: 0 };
  const sentAgain = (error: Error) => error.cause as { notice: Notice; seconds: number }[];
  const turn = (notices: readonly Notice[]) =>
    deliverNotices(runtime, eventWriter, notices).then(() => [], sentAgain);
  let again = await turn([...due, ...other.notices]);
  expect(again.map(({ notice, seconds }) => [notice.id, seconds])).toEqual([
    [many.id, 0],
    [few.id, 0],
  ]);
  const written = (await storedOf(api, 'events')).map(({ resourceId, type }) => [resourceId, type]);
  expect(written).toContainEqual([other.id, 'document.created']);
  const seen: string[] = [];
  const leftAfter: number[] = [];
  for (let turns = 1; again.length > 0; turns += 1) {
    expect(turns).toBeLessThan(12);
    seen.push(...(await positions()).map(({ id, after }) => `${id} ${after}`));
    again = await turn(again.map(({ notice }) => notice));
    leftAfter.push(await left());
  }
  expect(leftAfter).toEqual(leftAfter.toSorted((one, another) => another - one));
  const phases = seen.filter((one) => one.startsWith(many.id)).map((one) => one.split(' ')[1]);
  expect(phases).toEqual(['events', 'deliveries', 'deliveries', 'deliveries']);
  // The document that exists keeps its data.
  expect(leftAfter.at(-1)).toBe(1);
  expect(await positions()).toEqual([]);
  expect(await dueOf(api)).toEqual([]);
});

test('turns that are killed leave nothing', { tags: ['long'] }, async () => {
  const { api, life, create, fill, remove, left, positions } = await open();
  const { id, notices } = await create();
  await deliverNotices(api.runtime, eventWriter, notices);
  await fill(id);
  expect(await left()).toBeGreaterThan(2 * count);
  const due = await remove(id);
  expect(await deliverKilled(api, life, eventWriter, due)).toBeGreaterThan(5);
  expect(await left()).toBe(0);
  expect(await positions()).toEqual([]);
  expect(await dueOf(api)).toEqual([]);
});

test('the erasure after another removal begins with the first event', async () => {
  const { api, create, fill, remove, left } = await open();
  const { id, notices } = await create();
  await deliverNotices(api.runtime, eventWriter, notices);
  await fill(id);
  const [due] = await remove(id);
  if (!due) throw new Error('nothing is due');
  const runtime = { ...api.runtime, turnMs: 0 };
  for (let turns = 0; turns < 4; turns += 1)
    await expect(deliverNotices(runtime, eventWriter, [due])).rejects.toThrow('out of time');
  expect(await left()).toBe(0);
  await fill(id);
  await deliverNotices(api.runtime, eventWriter, [{ ...due, atMs: due.atMs + 1 }]);
  expect(await left()).toBe(0);
});
