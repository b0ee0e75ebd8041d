/** The queues in SQS. Only the bundles of the dispatcher and of workers contain its client, never an endpoint's. */

import { setTimeout as sleepFor } from 'node:timers/promises';
import {
  ChangeMessageVisibilityBatchCommand,
  GetQueueAttributesCommand,
  SendMessageBatchCommand,
  type SendMessageBatchRequestEntry,
  SQSClient,
  type SQSClientConfig,
} from '@aws-sdk/client-sqs';
import { inBatches, split } from '../base/batches.ts';
import { again, retry } from '../base/retry.ts';
import { dispatcherId, type Sender } from './dispatcher.ts';
import type { OwnQueue } from './handler.ts';
import { type Notice, organisationOf, writeNotice } from './notice.ts';
import { deadLettersVariable, queueVariable } from './worker.ts';

type Sleep = (ms: number) => Promise<unknown>;
type Variables = Readonly<Record<string, string | undefined>>;
type Entry = Omit<SendMessageBatchRequestEntry, 'Id'>;
/** The part of the client that is used, so that tests can replace it. */
type QueueClient = Pick<SQSClient, 'send'>;

/** The limit of a batch ("SendMessageBatch", Amazon SQS API Reference). */
const maxBatch = 10;
const batchesAtOnce = 10;
const maxAttempts = 5;
const pauseMs = 50;
/** The longest MessageGroupId. */
const maxGroupLength = 128;

export const openQueueClient = (config: SQSClientConfig): QueueClient => new SQSClient(config);

/**
 * The organisation is the MessageGroupId, with its live and test mode together. In a standard queue, this makes the queue fair:
 * it prefers the messages of organisations that have few under way ("Amazon SQS fair queues", Amazon SQS Developer Guide). It does
 * not order them.
 * @param secondsOf after which a notice is delivered: 0 to 900. Without it, after the queue's delay
 * @returns the notices that SQS refuses because of their content
 * @throws Error if SQS is not available. Some notices may have been sent
 */
export async function sendNotices(
  client: QueueClient,
  url: string,
  notices: readonly Notice[],
  sleep: Sleep = sleepFor,
  secondsOf: (notice: Notice) => number | undefined = () => undefined,
): Promise<Notice[]> {
  const entries = notices.map((notice) => ({
    MessageBody: writeNotice(notice),
    MessageGroupId: organisationOf(notice).slice(0, maxGroupLength),
    DelaySeconds: secondsOf(notice),
  }));
  const refused = await sendAll(client, url, entries, sleep);
  return notices.filter((_, index) => refused.has(index));
}

/** @param env the URLs of the queues */
export function createSender(client: QueueClient, env: Variables, sleep: Sleep): Sender {
  return {
    send: (workerId, notices) => sendNotices(client, urlIn(env, queueVariable(workerId)), notices, sleep),
    async bury(letters) {
      const entries = letters.map((letter) => ({ MessageBody: JSON.stringify(letter) }));
      const refused = await sendAll(client, urlIn(env, deadLettersVariable(dispatcherId)), entries, sleep);
      if (refused.size > 0) throw new Error('SQS refuses dead letters');
    },
  };
}

function urlIn(env: Variables, name: string): string {
  const url = env[name];
  if (!url) throw new Error(`${name} is not set`);
  return url;
}

/** @returns the indexes of the entries that SQS refuses because of their content @throws Error if some cannot be sent */
async function sendAll(
  client: QueueClient,
  QueueUrl: string,
  entries: readonly Entry[],
  sleep: Sleep,
): Promise<Set<number>> {
  const refused = new Set<number>();
  const numbered = entries.map((entry, index) => ({ ...entry, Id: String(index) }));
  await inBatches(split(numbered, maxBatch), batchesAtOnce, (batch) => {
    let left = batch;
    return retry(
      async () => {
        const { Failed = [] } = await client.send(new SendMessageBatchCommand({ QueueUrl, Entries: left }));
        for (const { Id, SenderFault } of Failed) if (SenderFault) refused.add(Number(Id));
        left = left.filter(({ Id }) => Failed.some((one) => one.Id === Id && !one.SenderFault));
        return left.length > 0 ? again : undefined;
      },
      {
        maxAttempts,
        failure: () => new Error('SQS does not accept messages'),
        pause: (attempt) => sleep(pauseMs * 2 ** attempt),
      },
    );
  });
  return refused;
}

/** @param env the URL of the queue of the worker */
export function openOwnQueue(
  client: QueueClient,
  env: Variables,
  { id }: { id: string },
  sleep: Sleep,
): OwnQueue {
  const url = () => urlIn(env, queueVariable(id));
  return {
    async postpone(messages) {
      const entries = messages.map(({ receiptHandle, seconds }, index) => ({
        Id: String(index),
        ReceiptHandle: receiptHandle,
        VisibilityTimeout: seconds,
      }));
      for (const Entries of split(entries, maxBatch)) {
        await client.send(new ChangeMessageVisibilityBatchCommand({ QueueUrl: url(), Entries }));
      }
    },
    async sendAgain(asked) {
      const seconds = new Map(asked.map(({ notice, seconds }) => [notice, seconds]));
      const notices = [...seconds.keys()];
      const refused = await sendNotices(client, url(), notices, sleep, (notice) => seconds.get(notice));
      if (refused.length > 0) throw new Error('SQS refuses notices that it has delivered');
    },
    async isAwaited() {
      const name = 'ApproximateNumberOfMessages';
      const { Attributes } = await client.send(
        new GetQueueAttributesCommand({ QueueUrl: url(), AttributeNames: [name] }),
      );
      return Attributes?.[name] !== '0';
    },
  };
}
