/** Work on many items at the same time, and how it ends. */

import { expect, test } from 'vitest';
import { inParallel } from '../../../clients/typescript/src/helpers/parallel.ts';

const failure = new Error('all of it fails');

/** Acts that never end by themselves. They end some time after their signal. */
function acts() {
  const stop = new AbortController();
  let running = 0;
  let most = 0;
  const untilStopped = async (signal: AbortSignal) => {
    running += 1;
    most = Math.max(most, running);
    await new Promise<void>((ended) => signal.addEventListener('abort', () => ended(), { once: true }));
    for (let turns = 0; turns < 50; turns += 1) await undefined;
    running -= 1;
    signal.throwIfAborted();
  };
  return { stop, untilStopped, running: () => running, most: () => most };
}

test('the first failure ends the others, and is thrown when none of them runs', async () => {
  const { stop, untilStopped, running, most } = acts();
  const act = async (item: string) => {
    if (item === 'bad') throw failure;
    await untilStopped(stop.signal);
  };
  const items = ['a', 'b', 'bad', 'c', 'd'];
  await expect(inParallel(items, 3, act, stop, stop.signal)).rejects.toBe(failure);
  expect([running(), most()]).toEqual([0, 2]);
});

test("the caller's signal ends all, and its reason is thrown when none of them runs", async () => {
  const { stop, untilStopped, running, most } = acts();
  const caller = new AbortController();
  const signal = AbortSignal.any([caller.signal, stop.signal]);
  const ended = inParallel(['a', 'b'], 3, () => untilStopped(signal), stop, signal);
  await expect.poll(running).toBe(2);
  caller.abort(failure);
  await expect(ended).rejects.toBe(failure);
  expect([running(), most(), stop.signal.aborted]).toEqual([0, 2, true]);
});

test('a source that never has its next item does not keep a failure back, and is closed', async () => {
  const { stop } = acts();
  let isClosed = false;
  async function* endless() {
    try {
      yield 'bad';
      yield await new Promise<string>((_, reject) =>
        stop.signal.addEventListener('abort', () => reject(stop.signal.reason)),
      );
    } finally {
      isClosed = true;
    }
  }
  const act = async () => {
    throw failure;
  };
  await expect(inParallel(endless(), 2, act, stop, stop.signal)).rejects.toBe(failure);
  await expect.poll(() => isClosed).toBe(true);
  const other = acts();
  async function* silent() {
    yield 'bad';
    await new Promise<never>(() => {});
  }
  await expect(inParallel(silent(), 2, act, other.stop, other.stop.signal)).rejects.toBe(failure);
});

test('what the source throws is a failure, and no item begins after a failure', async () => {
  const { stop } = acts();
  const begun: string[] = [];
  function* broken() {
    yield 'a';
    throw failure;
  }
  const act = async (item: string) => void begun.push(item);
  await expect(inParallel(broken(), 4, act, stop, stop.signal)).rejects.toBe(failure);
  expect(begun).toEqual(['a']);
});
