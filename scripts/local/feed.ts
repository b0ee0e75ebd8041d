/** The change feed on this machine: the dispatcher reads the streams of DynamoDB Local and feeds queues in memory. */

import { setTimeout as sleep } from 'node:timers/promises';
import type { BaseRuntime } from '../../lib/runtime/base-runtime.ts';
import { createDispatcher, type Letter, type Sender } from '../../lib/workers/dispatcher.ts';
import type { Notice } from '../../lib/workers/notice.ts';
import type { Worker } from '../../lib/workers/worker.ts';
import { openQueue, type Queue } from './queues.ts';
import { readStream, type Start } from './streams.ts';

export type Feed = {
  /** Reads the streams of these tables soon. Default: of all tables. */
  wake(tableNames?: readonly string[]): void;
  /** Resolves when all earlier writes are handled, and all writes of the workers too. */
  settled(): Promise<void>;
  /** How late the workers are with short work, or will be with the notices in their queues. */
  behindMs(): number;
  /** Resolves when running work has ended. */
  stop(): Promise<void>;
  sender: Sender;
  /** The notices that the workers and the dispatcher have given up on. */
  deadLetters(): { worker: string; notice: Notice }[];
  readonly letters: readonly Letter[];
};

export type FeedOptions = {
  endpoint: string;
  /** Whether to start now, or with everything that the streams still contain. */
  from: Start;
  /** How long a stream rests that is not woken. Default: it does not rest, so nothing has to wake it. */
  restMs?: number | undefined;
  /** Only the changes of this tenant. */
  only?: (tenant: string) => boolean;
  /** The length of a second of a delay or pause. Default: 1000. */
  secondMs?: number;
  /**
   * Moves the clock of the runtime forward. Where seconds are shorter, a notice would otherwise come before the time that it
   * waited for, again and again. While a worker runs, the clock does not move.
   */
  advance?: (ms: number) => void;
  /** Delivers each notice after each of these times: tests repeat, delay and reorder. Default: once, at once. */
  deliveriesMs?: () => readonly number[];
  /** @returns the queue of a worker that does not run here. Its notices are not waited for, and it gives none up */
  elsewhere?: (worker: Worker) => Pick<Queue, 'add' | 'stop'> | undefined;
};

/** The time of a notice on a busy machine. From this time follows the number of waiting notices that will be late. */
const noticeMs = 10;

/** Whether its notices take little time. Long jobs and deliveries of webhooks take more time. */
export const isShort = ({ batchSize, atOnce }: Worker): boolean => batchSize > 1 && !atOnce;

/** Runs until it is stopped. */
export async function startFeed(
  workers: readonly Worker[],
  runtime: BaseRuntime,
  {
    endpoint,
    from,
    restMs,
    only = () => true,
    secondMs = 1000,
    advance,
    deliveriesMs = () => [0],
    elsewhere = () => undefined,
  }: FeedOptions,
): Promise<Feed> {
  const reach = (endMs: number): void => {
    const leftMs = endMs - runtime.nowMs();
    if (leftMs > 0 && all.every((queue) => queue.isResting())) advance?.(leftMs);
  };
  const others = new Map(workers.map((worker) => [worker.id, elsewhere(worker)]));
  const queues = new Map(
    workers
      .filter(({ id }) => !others.get(id))
      .map((worker) => [worker.id, openQueue(worker, runtime, secondMs, reach)]),
  );
  const all = [...queues.values()];
  const letters: Letter[] = [];
  let sent = 0;
  let inTransit = 0;
  const sender: Sender = {
    async send(workerId, notices) {
      sent += notices.length;
      for (const notice of notices) {
        for (const afterMs of deliveriesMs()) {
          inTransit += 1;
          const deliver = () => {
            inTransit -= 1;
            (others.get(workerId) ?? queues.get(workerId))?.add([notice]);
          };
          if (afterMs === 0) deliver();
          else void sleep(afterMs).then(deliver);
        }
      }
      return [];
    },
    bury: async (buried) => void letters.push(...buried),
  };
  const dispatch = createDispatcher(workers, runtime, sender);
  const sources = [...new Set(workers.flatMap(({ sources }) => sources))];
  const options = { from, restMs, newest: { sequence: 0 } };
  const readers = await Promise.all(
    sources.map((source) =>
      readStream(
        endpoint,
        runtime.tableNames[source] ?? '',
        (records) =>
          dispatch({ Records: records.filter(({ dynamodb }) => only(dynamodb?.Keys?.tenant?.S ?? '')) }),
        options,
      ),
    ),
  );
  let stopping = false;

  /** The current rounds may have started before the last write. */
  async function readToTheEnd(): Promise<void> {
    const begun = readers.map((reader) => reader.rounds() + 1);
    for (;;) {
      const behind = readers.filter((reader, index) => reader.lastEmpty() <= (begun[index] ?? 0));
      if (stopping || behind.length === 0) return;
      for (const reader of behind) reader.hurry();
      await sleep(10);
    }
  }

  const short = workers.filter(isShort).flatMap(({ id }) => queues.get(id) ?? []);

  return {
    wake(tableNames) {
      for (const reader of readers)
        if (tableNames === undefined || tableNames.includes(reader.tableName)) reader.wake();
    },
    behindMs() {
      const unhandled = short.flatMap((queue) => queue.unhandled());
      const oldestMs = Math.min(...unhandled.map(({ readyMs }) => readyMs));
      const queuedMs = Math.max(0, performance.now() - oldestMs, unhandled.length * noticeMs);
      return queuedMs + Math.max(...readers.map((reader) => reader.roundMs()));
    },
    sender,
    letters,
    deadLetters: () =>
      [...queues].flatMap(([worker, queue]) => queue.deadLetters.map((notice) => ({ worker, notice }))),
    async settled() {
      for (let before = -1; before !== sent && !stopping; ) {
        before = sent;
        await readToTheEnd();
        while (!stopping && !(inTransit === 0 && all.every((queue) => queue.isIdle()))) await sleep(10);
        // The writes of the workers are read too.
        if (before !== sent) continue;
        await readToTheEnd();
      }
    },
    async stop() {
      stopping = true;
      await Promise.all(readers.map((reader) => reader.stop()));
      await Promise.all([...all, ...others.values()].map((queue) => queue?.stop()));
    },
  };
}
