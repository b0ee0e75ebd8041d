/** The queues of a deployed stage, with the operator's AWS credentials. */

import {
  DeleteMessageBatchCommand,
  GetQueueUrlCommand,
  type Message,
  ReceiveMessageCommand,
  type SQSClient,
} from '@aws-sdk/client-sqs';
import { UsageError } from '../shared/options.ts';

/** @throws UsageError if there is no such queue */
export async function urlOfQueue(client: SQSClient, QueueName: string): Promise<string> {
  try {
    const { QueueUrl = '' } = await client.send(new GetQueueUrlCommand({ QueueName }));
    return QueueUrl;
  } catch (error) {
    if (!(error instanceof Error && error.name.includes('QueueDoesNotExist'))) throw error;
    throw new UsageError(
      `There is no queue ${QueueName} in ${await client.config.region()}. Check the stage (--stage), the worker, the ` +
        'region (AWS_REGION) and the account (AWS_PROFILE).',
    );
  }
}

/** Messages are sent on within this time. */
const hiddenSeconds = 60;

/**
 * Receives until there is no message that it has not seen.
 * @param act returns the messages to delete. The others become visible again
 * @param hidden for how long a received message is hidden from others, in seconds
 */
export async function drain(
  client: SQSClient,
  QueueUrl: string,
  act: (messages: readonly Message[]) => Promise<readonly Message[]>,
  hidden = hiddenSeconds,
): Promise<void> {
  const seen = new Set<string | undefined>();
  for (;;) {
    const { Messages = [] } = await client.send(
      new ReceiveMessageCommand({
        QueueUrl,
        MaxNumberOfMessages: 10,
        VisibilityTimeout: hidden,
        // Long polling asks all of SQS's servers ("Amazon SQS short and long polling", Amazon SQS Developer Guide).
        WaitTimeSeconds: 2,
      }),
    );
    const fresh = Messages.filter(({ MessageId }) => !seen.has(MessageId));
    if (fresh.length === 0) return;
    for (const { MessageId } of fresh) seen.add(MessageId);
    const Entries = (await act(fresh)).map(({ ReceiptHandle }, index) => ({
      Id: String(index),
      ReceiptHandle,
    }));
    if (Entries.length > 0) await client.send(new DeleteMessageBatchCommand({ QueueUrl, Entries }));
  }
}
