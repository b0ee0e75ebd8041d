/** Batches of a worker's queue, made by hand. */

import type { DynamoDBRecord } from 'aws-lambda';
import type { LogLine } from '../lib/base/log.ts';
import type { TableName } from '../lib/dynamodb/tables.ts';
import type { BaseRuntime } from '../lib/runtime/base-runtime.ts';
import { noticeFor, readChange } from '../lib/workers/change.ts';
import { createWorkerHandler, type Message, type WorkerHandler } from '../lib/workers/handler.ts';
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

/**
 * Passes the notices to the worker, in one batch.
 * @throws the first fault of the worker, if notices come again
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
  const handler = createWorkerHandler(worker, { ...runtime, log });
  const { batchItemFailures } = await handler(queueEvent(notices), context);
  if (batchItemFailures.length > 0) throw faults[0] ?? new Error('out of time');
}
