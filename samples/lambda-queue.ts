/** Batches of a worker's queue, made by hand. */

import type { DynamoDBRecord } from 'aws-lambda';
import type { LogLine } from '../lib/base/log.ts';
import type { TableName } from '../lib/dynamodb/tables.ts';
import type { BaseRuntime } from '../lib/runtime/base-runtime.ts';
import { noticeFor, readChange } from '../lib/workers/change.ts';
import {
  createWorkerHandler,
  type Message,
  type OwnQueue,
  type WorkerHandler,
} from '../lib/workers/handler.ts';
import { type Notice, writeNotice } from '../lib/workers/notice.ts';
import type { Worker } from '../lib/workers/worker.ts';

/** @returns the notices that the dispatcher sends the worker for these stream records */
export const noticesOf = (
  worker: Worker,
  records: readonly DynamoDBRecord[],
  source = worker.sources[0],
): Notice[] =>
  records
    .map((record) => readChange(record, source as TableName))
    .filter((change) => worker.wants(change))
    .flatMap((change) => noticeFor(worker, change) ?? []);

/** @returns the event of a batch */
export const queueEvent = (notices: readonly Notice[], receives = 1): { Records: Message[] } => ({
  Records: notices.map((notice, index) => ({
    messageId: String(index),
    receiptHandle: String(index),
    body: writeNotice(notice),
    attributes: { ApproximateReceiveCount: String(receives) },
  })),
});

/** @returns a worker's queue that only records what its function does, and the records */
export function recordingQueue() {
  /** After how many seconds messages become visible again, by their receipt handles. */
  const postponed: Record<string, number> = {};
  const sentAgain: { notice: Notice; seconds: number }[] = [];
  const queue: OwnQueue = {
    async postpone(messages) {
      for (const { receiptHandle, seconds } of messages) postponed[receiptHandle] = seconds;
    },
    async sendAgain(notices) {
      sentAgain.push(...notices);
    },
    isAwaited: async () => false,
  };
  return { queue, postponed, sentAgain };
}

/**
 * Passes the notices to the worker, in one batch.
 * @throws the first fault of the worker, or `out of time` if notices go back to the queue: these are its cause
 */
export async function deliverNotices(
  runtime: BaseRuntime,
  worker: Worker,
  notices: readonly Notice[],
  context: Parameters<WorkerHandler>[1] = {},
): Promise<void> {
  const faults: unknown[] = [];
  const log = (line: LogLine) => {
    if ('fault' in line) faults.push(line.fault);
    runtime.log(line);
  };
  const { queue, sentAgain } = recordingQueue();
  const handler = createWorkerHandler(worker, { ...runtime, log }, queue);
  const { batchItemFailures } = await handler(queueEvent(notices), context);
  if (batchItemFailures.length + sentAgain.length > 0)
    throw faults[0] ?? new Error('out of time', { cause: sentAgain });
}

/** For work in turns. @throws everything but the end of a turn */
export function unlessTurnOver(error: Error): void {
  if (error.message !== 'out of time') throw error;
}

/** @returns whether the work goes on in the next turn @throws everything but the end of a turn */
export const endsTurn = (work: Promise<unknown>): Promise<boolean> =>
  work.then(
    () => false,
    (error: Error) => {
      unlessTurnOver(error);
      return true;
    },
  );
