/**
 * The clients of SQS and KMS in the functions' bundles send what the SDK's own clients send, and understand what comes back. For
 * DynamoDB: bundle/dynamodb/.
 */

import * as kms from '@aws-sdk/client-kms';
import * as sqs from '@aws-sdk/client-sqs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  credentials,
  fixed,
  importBundled,
  openScriptedServer,
  type Scripted,
  type ScriptedServer,
  signed,
} from '../support/function-sdk.ts';

let ours: typeof sqs & Pick<typeof kms, 'KMSClient' | 'EncryptCommand' | 'DecryptCommand'>;
let server: ScriptedServer;

beforeAll(async () => {
  const bundled = importBundled(`
    export { KMSClient, EncryptCommand, DecryptCommand } from '@aws-sdk/client-kms';
    export {
      SQSClient,
      SendMessageBatchCommand,
      ChangeMessageVisibilityBatchCommand,
      GetQueueAttributesCommand,
    } from '@aws-sdk/client-sqs';`);
  server = await openScriptedServer();
  ours = (await bundled) as typeof ours;
});

afterAll(() => server.close());

describe('SQS', () => {
  const QueueUrl = 'https://sqs.eu-central-1.amazonaws.com/123456789012/q';
  const sends = ({ SendMessageBatchCommand }: typeof sqs) =>
    new SendMessageBatchCommand({
      QueueUrl,
      Entries: [{ Id: '0', MessageBody: '{"id":"\\u00e9"}', MessageGroupId: 'org_1', DelaySeconds: 5 }],
    });
  const postpones = ({ ChangeMessageVisibilityBatchCommand }: typeof sqs) =>
    new ChangeMessageVisibilityBatchCommand({
      QueueUrl,
      Entries: [{ Id: '0', ReceiptHandle: 'r', VisibilityTimeout: 5 }],
    }) as unknown as sqs.SendMessageBatchCommand;

  const asks = ({ GetQueueAttributesCommand }: typeof sqs) =>
    new GetQueueAttributesCommand({
      QueueUrl,
      AttributeNames: ['ApproximateNumberOfMessages'],
    }) as unknown as sqs.SendMessageBatchCommand;

  async function runQueues(
    libraries: typeof sqs,
    command: (libraries: typeof sqs) => sqs.SendMessageBatchCommand,
    scripted: Scripted[],
  ) {
    server.play(scripted);
    const endpoint = server.url;
    const client = new libraries.SQSClient({ region: 'eu-central-1', endpoint, credentials, maxAttempts: 3 });
    const result = await client.send(command(libraries)).then(
      ({ $metadata: { attempts }, ...output }) => ({ attempts, output }),
      ({ name, message, $metadata, $fault }) => ({
        error: { name, message, attempts: $metadata?.attempts, $fault },
      }),
    );
    client.destroy();
    return { sent: server.sent(), result };
  }

  const refused = { Id: '0', SenderFault: true, Code: 'InvalidMessageContents', Message: 'no' };
  const failing = (status: number, type: string): Scripted => ({
    status,
    body: { __type: `com.amazonaws.sqs#${type}`, message: 'no' },
    headers: { 'x-amzn-query-error': `AWS.SimpleQueueService.${type};Sender` },
  });

  test.each([
    ['a batch', sends, [{ status: 200, body: { Successful: [], Failed: [] } }]],
    ['a batch with a refused message', sends, [{ status: 200, body: { Successful: [], Failed: [refused] } }]],
    ['a visibility timeout', postpones, [{ status: 200, body: { Successful: [], Failed: [] } }]],
    [
      'the number of messages',
      asks,
      [{ status: 200, body: { Attributes: { ApproximateNumberOfMessages: '3' } } }],
    ],
    ['a queue that does not exist', sends, [failing(400, 'QueueDoesNotExist')]],
    ['a throttle, then success', sends, [failing(403, 'RequestThrottled'), { status: 200, body: {} }]],
    ['three server errors', sends, [1, 2, 3].map(() => failing(500, 'InternalFailure'))],
  ])('%s', async (_, command, scripted) => {
    const expected = await runQueues(sqs, command, scripted);
    const actual = await runQueues(ours, command, scripted);
    expect(actual.result).toEqual(expected.result);
    expect(actual.sent.map(fixed)).toEqual(expected.sent.map(fixed));
    for (const request of actual.sent) {
      expect(signed(request).scope).toBe('/eu-central-1/sqs/aws4_request');
    }
  });
});

describe('KMS', () => {
  type Kms = Pick<typeof kms, 'KMSClient' | 'EncryptCommand' | 'DecryptCommand'>;
  const EncryptionContext = { tenant: 'org_1#live', webhook: 'whk_1' };
  const encrypts = ({ EncryptCommand }: Kms) =>
    new EncryptCommand({ KeyId: 'key', Plaintext: Buffer.from('ä'), EncryptionContext });
  const decrypts = ({ DecryptCommand }: Kms) =>
    new DecryptCommand({ KeyId: 'key', CiphertextBlob: Buffer.from('ä'), EncryptionContext });

  async function runKeys(
    libraries: Kms,
    command: (libraries: Kms) => kms.EncryptCommand | kms.DecryptCommand,
    scripted: Scripted[],
  ) {
    server.play(scripted);
    const endpoint = server.url;
    const client = new libraries.KMSClient({ region: 'eu-central-1', endpoint, credentials, maxAttempts: 3 });
    const result = await client.send(command(libraries) as kms.EncryptCommand).then(
      ({ $metadata: { attempts }, ...output }) => ({ attempts, output }),
      ({ name, message, $metadata, $fault }) => ({
        error: { name, message, attempts: $metadata?.attempts, $fault },
      }),
    );
    client.destroy();
    return { sent: server.sent(), result };
  }

  const failing = (status: number, type: string): Scripted => ({
    status,
    body: { __type: type, message: 'no' },
  });

  test.each([
    ['an encryption', encrypts, [{ status: 200, body: { CiphertextBlob: 'AQID', KeyId: 'key' } }]],
    ['a decryption', decrypts, [{ status: 200, body: { Plaintext: 'AQID', KeyId: 'key' } }]],
    ['another context', decrypts, [failing(400, 'InvalidCiphertextException')]],
    ['a throttle, then success', encrypts, [failing(400, 'ThrottlingException'), { status: 200, body: {} }]],
    ['three server errors', encrypts, [1, 2, 3].map(() => failing(500, 'KMSInternalException'))],
  ])('%s', async (_, command, scripted) => {
    const expected = await runKeys(kms, command, scripted);
    const actual = await runKeys(ours, command, scripted);
    expect(actual.result).toEqual(expected.result);
    expect(actual.sent.map(fixed)).toEqual(expected.sent.map(fixed));
    for (const request of actual.sent) {
      expect(signed(request).scope).toBe('/eu-central-1/kms/aws4_request');
    }
  });
});
