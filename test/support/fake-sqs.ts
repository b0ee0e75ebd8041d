/** SQS in memory, for what the sender and the scripts use. There is no local SQS. */

import {
  ChangeMessageVisibilityBatchCommand,
  DeleteMessageBatchCommand,
  GetQueueAttributesCommand,
  GetQueueUrlCommand,
  ReceiveMessageCommand,
  SendMessageBatchCommand,
  type SQSClient,
} from '@aws-sdk/client-sqs';

export type Stored = {
  id: string;
  body: string;
  group: string | undefined;
  seconds?: number | undefined;
  hidden: boolean;
};

type Answer = Record<string, unknown>;

/**
 * @param before is asked before each call, which fails if it throws
 * @returns a client, and the messages by the name of their queue. A hidden message has been received
 */
export function fakeSqs(
  names: readonly string[],
  before: (command: object, calls: number) => void = () => {},
) {
  const queues = new Map<string, Stored[]>(names.map((name) => [name, []]));
  const postponed: Record<string, number> = {};
  let calls = 0;
  let ids = 0;
  const queueOf = (url = '') => {
    const queue = queues.get(url.split('/').at(-1) ?? '');
    if (!queue) throw Object.assign(new Error('no such queue'), { name: 'QueueDoesNotExist' });
    return queue;
  };
  /** A body that contains this is refused, as one with invalid characters. */
  const isRefused = (body = '') => body.includes('refused');

  function answer(command: object): Answer {
    if (command instanceof GetQueueUrlCommand) {
      const { QueueName = '' } = command.input;
      queueOf(QueueName);
      return { QueueUrl: `http://sqs/1/${QueueName}` };
    }
    if (command instanceof SendMessageBatchCommand) {
      const { QueueUrl, Entries = [] } = command.input;
      if (Entries.length > 10) throw new Error('TooManyEntriesInBatchRequest');
      const Failed = Entries.filter(({ MessageBody }) => isRefused(MessageBody));
      for (const entry of Entries.filter((one) => !Failed.includes(one))) {
        const { MessageBody: body = '', MessageGroupId: group, DelaySeconds: seconds } = entry;
        queueOf(QueueUrl).push({ id: `m${ids++}`, body, group, seconds, hidden: false });
      }
      return { Failed: Failed.map(({ Id }) => ({ Id, SenderFault: true, Code: 'InvalidMessageContents' })) };
    }
    if (command instanceof ReceiveMessageCommand) {
      const found = queueOf(command.input.QueueUrl)
        .filter(({ hidden }) => !hidden)
        .slice(0, 10);
      for (const message of found) message.hidden = command.input.VisibilityTimeout !== 0;
      return { Messages: found.map(({ id, body }) => ({ MessageId: id, ReceiptHandle: id, Body: body })) };
    }
    if (command instanceof DeleteMessageBatchCommand) {
      const { QueueUrl, Entries = [] } = command.input;
      const queue = queueOf(QueueUrl);
      for (const { ReceiptHandle } of Entries) {
        queue.splice(
          queue.findIndex(({ id }) => id === ReceiptHandle),
          1,
        );
      }
      return {};
    }
    if (command instanceof ChangeMessageVisibilityBatchCommand) {
      const { Entries = [] } = command.input;
      if (Entries.length > 10) throw new Error('TooManyEntriesInBatchRequest');
      for (const { ReceiptHandle = '', VisibilityTimeout = 0 } of Entries)
        postponed[ReceiptHandle] = VisibilityTimeout;
      return {};
    }
    if (command instanceof GetQueueAttributesCommand) {
      const visible = queueOf(command.input.QueueUrl).filter(({ hidden }) => !hidden);
      return { Attributes: { ApproximateNumberOfMessages: String(visible.length) } };
    }
    throw new Error(`unknown: ${command.constructor.name}`);
  }

  const send = async (command: object) => {
    calls += 1;
    before(command, calls);
    return answer(command);
  };
  const client = { send, config: { region: async () => 'eu-central-1' } } as object as SQSClient;
  return {
    client,
    queues,
    postponed,
    /** The visibility timeout of what was received ends. */
    reappear: () => {
      for (const message of [...queues.values()].flat()) message.hidden = false;
    },
    calls: () => calls,
  };
}
