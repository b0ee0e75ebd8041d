/** The way to the workers' queues: SQS in functions (sqs.ts), in memory locally. */

import type { TableName } from '../dynamodb/tables.ts';
import type { Notice } from './notice.ts';

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

export type Sender = {
  /**
   * @returns the notices that the queue refuses, which it would refuse again
   * @throws Error if the queue is not available. Some notices may have been sent
   */
  send(workerId: string, notices: readonly Notice[]): Promise<Notice[]>;
  /** Puts letters into the dispatcher's dead-letter queue. */
  bury(letters: readonly Letter[]): Promise<void>;
};
