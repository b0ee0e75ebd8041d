/**
 * The dispatcher reads the streams of all tables, and puts a notice of each change into the queue of every worker that wants
 * it. It is the only reader: DynamoDB allows two per shard ("Service, account, and table quotas in Amazon DynamoDB"), and with
 * queues behind the dispatcher, another worker needs no further reader.
 */

import type { DynamoDBBatchResponse, DynamoDBRecord, DynamoDBStreamEvent } from 'aws-lambda';
import { type TableName, tableNames } from '../dynamodb/tables.ts';
import type { BaseRuntime } from '../runtime/base-runtime.ts';
import { type Change, noticeFor, readChange } from './change.ts';
import { latestPerItem, type Notice } from './notice.ts';
import type { Worker } from './worker.ts';

/** The name of its bundle, construct and log lines. */
export const dispatcherId = 'dispatcher';

export type Dispatcher = (event: DynamoDBStreamEvent) => Promise<DynamoDBBatchResponse>;

/**
 * A change that cannot be read or sent becomes a dead letter and does not block its shard: the other changes go on. If the
 * queues are not available, the whole batch comes again, because Lambda retries a failed batch. So a change may be sent twice.
 */
export function createDispatcher(
  workers: readonly Worker[],
  { tableNames: names, log }: Pick<BaseRuntime, 'tableNames' | 'log'>,
  sender: Sender,
): Dispatcher {
  const tablesByName = new Map(tableNames.map((table) => [names[table], table]));
  const failed = (message: string, worker: string, item: string, fault: unknown) =>
    log({ level: 'error', message, worker, tenant: '', item, fault });

  function wants(worker: Worker, change: Change): boolean {
    try {
      return worker.wants(change);
    } catch (fault) {
      // The worker reads the current item. It decides again, and its failures become dead letters of its own.
      failed('cannot decide whether the worker wants the change', worker.id, change.id, fault);
      return true;
    }
  }

  return async ({ Records }) => {
    const wanted = new Map<string, Notice[]>(workers.map(({ id }) => [id, []]));
    const letters: Letter[] = [];
    for (const record of Records) {
      const table = tablesByName.get(tableIn(record));
      try {
        if (!table) throw new Error('the record is of no known table');
        const change = readChange(record, table);
        for (const worker of workers) {
          if (!worker.sources.includes(table) || !wants(worker, change)) continue;
          const notice = noticeFor(worker, change);
          if (notice) wanted.get(worker.id)?.push(notice);
        }
      } catch (fault) {
        failed('change is unreadable', dispatcherId, record.eventID ?? '', fault);
        letters.push(letterOf(record, 'unreadable', table));
      }
    }
    await Promise.all(
      [...wanted].map(async ([worker, notices]) => {
        if (notices.length === 0) return;
        for (const notice of await sender.send(worker, latestPerItem(notices))) {
          const record = Records.find(({ dynamodb }) => dynamodb?.SequenceNumber === notice.sequence);
          letters.push({ ...letterOf(record ?? {}, 'refused', notice.table), worker, notice });
        }
      }),
    );
    if (letters.length > 0) await sender.bury(letters);
    return { batchItemFailures: [] };
  };
}

/** @returns the name in the ARN of the record's stream, `arn:aws:dynamodb:…:table/<name>/stream/…` */
const tableIn = ({ eventSourceARN = '' }: DynamoDBRecord): string => eventSourceARN.split('/')[1] ?? '';

const letterOf = (
  { eventSourceARN = '', dynamodb }: DynamoDBRecord,
  reason: string,
  table: TableName | undefined,
): Letter => ({
  reason,
  ...(table && { table }),
  stream: eventSourceARN,
  sequence: dynamodb?.SequenceNumber ?? '',
});

/** A change that the dispatcher could not read or send: its position, never its images. */
export type Letter = {
  reason: string;
  table?: TableName;
  /** The stream, and the position in it, which DynamoDB keeps for 24 hours. */
  stream: string;
  sequence: string;
  /** The worker and the notice that its queue refused. */
  worker?: string;
  notice?: Notice;
};

/** The way to the workers' queues: SQS in functions (sqs.ts), in memory locally. */
export type Sender = {
  /**
   * @returns the notices that the queue refuses, which it would refuse again
   * @throws Error if the queue is not available. Some notices may have been sent
   */
  send(workerId: string, notices: readonly Notice[]): Promise<Notice[]>;
  /** Puts letters into the dispatcher's dead-letter queue. */
  bury(letters: readonly Letter[]): Promise<void>;
};
