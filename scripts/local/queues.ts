/** The workers' queues in memory, with the rules of SQS and Lambda: lib/workers/sqs.ts and infra/worker-function.ts. */

import { setTimeout as sleep } from 'node:timers/promises';
import type { BaseRuntime } from '../../lib/runtime/base-runtime.ts';
import { createWorkerHandler, type Message } from '../../lib/workers/handler.ts';
import { maxReceives, type Notice, organisationOf, writeNotice } from '../../lib/workers/notice.ts';
import type { Worker } from '../../lib/workers/worker.ts';

export type Queue = {
  add(notices: readonly Notice[]): void;
  /** Whether nothing runs, and no notice can be handled now. Delayed notices may wait. */
  isResting(): boolean;
  /** Whether it is resting, and no delayed notice waits. */
  isIdle(): boolean;
  /** Notices that wait for their turn or are being handled, with the time since when. Without those that pause after a failure. */
  unhandled(): readonly { readyMs: number }[];
  /** The notices that the worker has failed too often. */
  readonly deadLetters: readonly Notice[];
  /** Resolves when running work has ended. Waiting notices are not started. */
  stop(): Promise<void>;
};

type Waiting = { notice: Notice; receives: number; readyMs: number };

/** How long a worker waits for further notices of a batch. Lambda takes whole seconds. */
const batchingMs = 20;

/**
 * @param secondMs the length of a second of a delay or pause. Tests shorten it
 * @param reach called before a delayed notice is handled, with the end of its delay by the clock of the runtime
 */
export function openQueue(
  worker: Worker,
  runtime: BaseRuntime,
  secondMs: number,
  reach: (endMs: number) => void = () => {},
): Queue {
  /** By organisation. The organisation that has waited longest for its turn is the first. */
  const ready = new Map<string, Waiting[]>();
  const running = new Map<Promise<void>, readonly Waiting[]>();
  const pauses = new Map<string, number>();
  const deadLetters: Notice[] = [];
  let delayed = 0;
  let stopping = false;
  let isPumping = false;
  const handler = createWorkerHandler(worker, runtime, {
    async postpone(messages) {
      for (const { receiptHandle, seconds } of messages) pauses.set(receiptHandle, seconds);
    },
    async sendAgain(notices) {
      for (const { notice, seconds } of notices) offer({ notice, receives: 0 }, seconds);
    },
    isAwaited: async () => ready.size > 0,
  });

  function offer(offered: Omit<Waiting, 'readyMs'>, afterSeconds: number): void {
    if (afterSeconds > 0) {
      delayed += 1;
      const endMs = runtime.nowMs() + afterSeconds * 1000;
      void sleep(afterSeconds * secondMs, undefined, { ref: false }).then(() => {
        delayed -= 1;
        reach(endMs);
        offer(offered, 0);
      });
      return;
    }
    const waiting = { ...offered, readyMs: performance.now() };
    const organisation = organisationOf(waiting.notice);
    const own = ready.get(organisation);
    if (own) own.push(waiting);
    else ready.set(organisation, [waiting]);
    void pump();
  }

  /** A fair queue: each organisation has its turn, however many notices another one has. */
  function take(): Waiting[] {
    const batch: Waiting[] = [];
    while (batch.length < worker.batchSize) {
      const [next] = ready;
      if (!next) break;
      const [organisation, own] = next;
      const waiting = own.shift();
      ready.delete(organisation);
      if (own.length > 0) ready.set(organisation, own);
      if (waiting) batch.push(waiting);
    }
    return batch;
  }

  async function pump(): Promise<void> {
    if (isPumping) return;
    isPumping = true;
    if (worker.batchingSeconds > 0) await sleep(Math.min(batchingMs, worker.batchingSeconds * secondMs));
    isPumping = false;
    while (!stopping && running.size < worker.maxConcurrency && ready.size > 0) {
      const batch = take();
      const run = deliver(batch).finally(() => {
        running.delete(run);
        if (ready.size > 0) void pump();
      });
      running.set(run, batch);
    }
  }

  async function deliver(batch: readonly Waiting[]): Promise<void> {
    const messages = new Map(batch.map((waiting): [string, Waiting] => [crypto.randomUUID(), waiting]));
    const Records = [...messages].map(([messageId, { notice, receives }]): Message => {
      const attributes = { ApproximateReceiveCount: String(receives + 1) };
      return { messageId, receiptHandle: messageId, body: writeNotice(notice), attributes };
    });
    const deadlineMs = Date.now() + worker.timeoutSeconds * 1000;
    const context = { getRemainingTimeInMillis: () => deadlineMs - Date.now() };
    const { batchItemFailures } = await handler({ Records }, context);
    for (const { itemIdentifier } of batchItemFailures) {
      const waiting = messages.get(itemIdentifier);
      const seconds = pauses.get(itemIdentifier) ?? 0;
      pauses.delete(itemIdentifier);
      if (!waiting) continue;
      const { notice, receives } = waiting;
      if (receives + 1 < maxReceives) offer({ notice, receives: receives + 1 }, seconds);
      else {
        deadLetters.push(notice);
        const about = { worker: worker.id, tenant: notice.tenant, item: notice.id };
        runtime.log({ level: 'error', message: 'gave up', ...about, fault: new Error('dead letter') });
      }
    }
  }

  const isResting = () => ready.size === 0 && running.size === 0;

  return {
    add(notices) {
      for (const notice of notices) offer({ notice, receives: 0 }, worker.delaySeconds);
    },
    unhandled: () => [...ready.values(), ...running.values()].flat(),
    isResting,
    isIdle: () => isResting() && delayed === 0,
    deadLetters,
    async stop() {
      stopping = true;
      await Promise.all(running.keys());
    },
  };
}
