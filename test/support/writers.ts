/**
 * Writers of one item in separate processes, in simulated time. They read, wait as lib/http/race.ts decides, and
 * commit on condition that the item is unchanged. So the latencies do not depend on the machine.
 */

import { newIdFactory } from '../../lib/base/ids.ts';
import type { Write } from '../../lib/dynamodb/write.ts';
import { backoffMs, contentionPauseMs } from '../../lib/http/race.ts';
import { randomOf } from '../../scripts/shared/random.ts';

/** The milliseconds of a step; varies by up to a third, except for the read. */
export type Latencies = {
  /** From the start of the request until it reads the item: the check of the credential. */
  admission: number;
  read: number;
  /** Until a transaction arrives, while it locks the item, and until its response arrives. */
  arrival: number;
  hold: number;
  response: number;
};

export type WriterRequest = { tookMs: number; attempts: number; commits: number };

type Seen = { changedIn: string; changedAfterMs: number | undefined };

/** A clock that advances when everybody waits. */
function simulatedTime(nowMs: number) {
  const sleepers: { atMs: number; wake: () => void }[] = [];
  const time = {
    nowMs,
    sleep: (ms: number) =>
      new Promise<void>((wake) => {
        sleepers.push({ atMs: time.nowMs + ms, wake });
        sleepers.sort((one, other) => one.atMs - other.atMs);
      }),
    async run(work: Promise<unknown>): Promise<void> {
      let isOver = false;
      void work.finally(() => {
        isOver = true;
      });
      while (!isOver) {
        // Run everything that is awake until it sleeps.
        for (let n = 0; n < 20; n += 1) await Promise.resolve();
        const next = sleepers.shift();
        if (!next) continue;
        time.nowMs = next.atMs;
        next.wake();
      }
    },
  };
  return time;
}

/** Each writer sends its next request after the previous response. */
export async function simulateWriters(
  { writers, requests }: { writers: number; requests: number },
  latencies: Latencies,
  seed = 1,
): Promise<WriterRequest[]> {
  const random = randomOf(seed);
  const newId = newIdFactory(random);
  const time = simulatedTime(Date.UTC(2030, 0));
  const takes = (step: Exclude<keyof Latencies, 'read'>) =>
    time.sleep(latencies[step] * (2 / 3 + (2 / 3) * random()));
  let item: Seen = { changedIn: newId('call', time.nowMs), changedAfterMs: undefined };
  let isHeld = false;
  const done: WriterRequest[] = [];

  async function read(): Promise<Seen> {
    await time.sleep(latencies.read / 2);
    const seen = item;
    await time.sleep(latencies.read / 2);
    return seen;
  }

  async function commit(seen: Seen, changed: Seen): Promise<boolean> {
    await takes('arrival');
    const isFree = !isHeld && item.changedIn === seen.changedIn;
    if (isFree) {
      isHeld = true;
      await takes('hold');
      item = changed;
      isHeld = false;
    }
    await takes('response');
    return isFree;
  }

  async function request(): Promise<void> {
    const beganMs = time.nowMs;
    const changedIn = newId('call', Math.floor(beganMs));
    const waitedMs = () => time.nowMs - beganMs;
    await takes('admission');
    for (let attempts = 1, commits = 0; ; attempts += 1) {
      const seen = await read();
      const condition = { kind: 'unchanged', ...seen } as const;
      const moment = { nowMs: time.nowMs, waitedMs: waitedMs(), fraction: random() };
      const behindMs = contentionPauseMs([{ condition } as Write], moment);
      if (behindMs > 0) {
        await time.sleep(behindMs);
        continue;
      }
      commits += 1;
      const changedAfterMs = attempts > 1 ? Math.round(waitedMs()) : undefined;
      if (await commit(seen, { changedIn, changedAfterMs })) {
        done.push({ tookMs: waitedMs(), attempts, commits });
        return;
      }
      await time.sleep(backoffMs(commits, random()));
    }
  }

  const write = async () => {
    for (let n = 0; n < requests; n += 1) await request();
  };
  await time.run(Promise.all(Array.from({ length: writers }, write)));
  return done;
}
