/** An erased conversation leaves no posting, even if an indexer is held, killed or slow at that time: lib/runtime/fence.ts. */

import { setTimeout as sleep } from 'node:timers/promises';
import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, test } from 'vitest';
import type { Write } from '../../../lib/workers/worker.ts';
import { writeWithinFence } from '../../../lib/workers/writes.ts';
import { storedOf } from '../../../samples/api.ts';
import { changeRecord } from '../../../samples/stream-records.ts';
import conversationEraser from '../../../workers/conversation-eraser.ts';
import messageIndexer from '../../../workers/message-indexer.ts';
import { openSearch } from '../../support/conversation-search.ts';
import { intercept } from '../../support/faults.ts';
import { deliver } from '../../support/workers.ts';

const fence = { writeMs: 1000, waitMs: 2000 };
const words = Array.from({ length: 30 }, (_, n) => `w${n}`).join(' ');
/** Reads of generations, message and tombstone; 30 words; the tombstone again. */
const lastCall = 3 + 30 + 1;

/** An indexer that is held before a call, and killed before another one. */
async function openHeld(hold: number, kill = Number.POSITIVE_INFINITY) {
  const state = { calls: Number.NEGATIVE_INFINITY, held: () => {}, go: Promise.resolve() };
  const api = await openSearch(() => ({ fence }));
  const { runtime } = api;
  const client = intercept(runtime.client, (_, proceed) => {
    state.calls += 1;
    if (state.calls >= kill) return Promise.reject(new Error('killed'));
    if (state.calls !== hold) return undefined;
    state.held();
    return state.go.then(proceed);
  });
  // The first message opens the generations.
  await api.say(['first']);
  await api.index();
  const path = await api.say([words]);
  const [message] = (await storedOf(api, 'messages')).filter(({ text }) => text === words);
  const index = () =>
    deliver({ runtime: { ...runtime, client } }, messageIndexer, [changeRecord(undefined, message)]);
  const erase = async () => {
    await api.call('DELETE', path);
    const [tombstone] = (await storedOf(api, 'conversations')).filter(({ erasedAt }) => erasedAt);
    return () => deliver(api, conversationEraser, [changeRecord(undefined, tombstone)]);
  };
  const left = async () => {
    const items = await storedOf(api, 'conversationSearch');
    return items.filter(({ id }) => `${id}`.includes(`${path.split('/').at(-1)}`));
  };
  return { api, path, state, index, erase, left };
}

describe('an indexer is held while its conversation is erased', () => {
  const held = async (at: number, kill: number, heldMs: number) => {
    const { state, index, erase, left, path, api } = await openHeld(at, kill);
    const isHeld = new Promise<void>((resolve) => {
      state.held = resolve;
    });
    const { promise, resolve: go } = Promise.withResolvers<void>();
    state.go = promise;
    state.calls = 0;
    const indexing = index().catch(() => {});
    await isHeld;
    const purge = await erase();
    const purging = purge();
    await Promise.race([purging, sleep(heldMs)]);
    go();
    await indexing;
    await purging;
    expect(await left()).toEqual([]);
    expect((await api.call('DELETE', path)).data.purgedAt).not.toBeNull();
    // It comes again, because it did not end, or twice.
    state.calls = Number.NEGATIVE_INFINITY;
    await index();
    expect(await left()).toEqual([]);
  };

  // Only the time prevents this: it is killed before it can read the tombstone again.
  const killed = (at: number) => held(at, lastCall, fence.writeMs / 2);
  test.each([33])('before call %i, and is killed after its last write', killed);
  test.each([4, 5, 20])('before call %i, and is killed after its last write', { tags: ['long'] }, killed);

  const goesOn = (at: number) => held(at, Number.POSITIVE_INFINITY, 60_000);
  test.each([3])('before call %i, and goes on when the erasure is over', goesOn);
  test.each([1, 2, 4, 20, 33, lastCall])(
    'before call %i, and goes on when the erasure is over',
    { tags: ['long'] },
    goesOn,
  );
});

test('an erasure leaves nothing in a generation that is being built, or removed', {
  tags: ['long'],
}, async () => {
  const { api, index, erase, left } = await openHeld(0);
  const [stored] = (await storedOf(api, 'conversationSearch')).filter(({ id }) => id === 'indexed');
  const TableName = api.runtime.tableNames.conversationSearch;
  const put = (Item: object) =>
    api.runtime.client.send(new PutCommand({ TableName, Item: { ...stored, ...Item } }));
  await put({ building: { number: 2, tokenizer: 1, jobId: 'job_1' } });
  await index();
  expect(await left()).toHaveLength(2 * 30);
  await put({ current: { number: 2, tokenizer: 1 }, removing: [{ number: 1, tokenizer: 1 }] });
  await (await erase())();
  expect(await left()).toEqual([]);
});

describe('writeWithinFence', () => {
  const writes = Array.from({ length: 250 }, (_, n) => ({ key: { tenant: 't', id: `${n}` } }) as Write);

  test('reads again when half of the time is over, and writes only what is left then', async () => {
    const written: Write[] = [];
    let reads = 0;
    const read = async () => {
      reads += 1;
      return { writes: reads === 1 ? writes : [] };
    };
    const writeEach = async (some: readonly Write[]) => {
      await sleep(120);
      written.push(...some);
    };
    await writeWithinFence({ fence: { writeMs: 200, waitMs: 400 }, writeEach }, read);
    expect([reads, written.length]).toEqual([2, 25]);
  });

  test('stops what is under way when the time is over', async () => {
    const writeEach = (_: readonly Write[], signal?: AbortSignal) =>
      sleep(60_000, undefined, { ...(signal && { signal }) });
    const read = async () => ({ writes });
    const writing = writeWithinFence({ fence: { writeMs: 50, waitMs: 100 }, writeEach }, read);
    await expect(writing).rejects.toThrow('aborted');
  });
});
