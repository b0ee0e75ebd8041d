/** The AWS clients of the functions' bundles send what the SDK's own clients send, and understand what comes back. */

import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { resolve } from 'node:path';
import * as sdk from '@aws-sdk/client-dynamodb';
import * as kms from '@aws-sdk/client-kms';
import * as sqs from '@aws-sdk/client-sqs';
import * as document from '@aws-sdk/lib-dynamodb';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { leanPlugins } from '../../scripts/bundle/bundle.ts';
import { root } from '../../scripts/shared/root.ts';

type Libraries = { DynamoDBClient: typeof sdk.DynamoDBClient } & Pick<
  typeof document,
  'DynamoDBDocumentClient' | 'GetCommand' | 'QueryCommand' | 'TransactWriteCommand'
>;
type Sent = {
  method: string | undefined;
  url: string | undefined;
  headers: IncomingHttpHeaders;
  body: string;
};
type Response = { status: number; body: object; headers?: Record<string, string> };

let folder: string;
let server: Server;
let ours: Libraries & typeof sqs & Pick<typeof kms, 'KMSClient' | 'EncryptCommand' | 'DecryptCommand'>;
let sent: Sent[] = [];
let responses: Response[] = [];

beforeAll(async () => {
  folder = mkdtempSync(resolve(root, 'dist/function-sdk-'));
  const outfile = resolve(folder, 'index.mjs');
  await build({
    stdin: {
      contents: `
        export { DynamoDBClient } from '@aws-sdk/client-dynamodb';
        export { KMSClient, EncryptCommand, DecryptCommand } from '@aws-sdk/client-kms';
        export {
          SQSClient,
          SendMessageBatchCommand,
          ChangeMessageVisibilityBatchCommand,
          GetQueueAttributesCommand,
        } from '@aws-sdk/client-sqs';
        export { DynamoDBDocumentClient, GetCommand, QueryCommand, TransactWriteCommand } from '@aws-sdk/lib-dynamodb';`,
      resolveDir: root,
    },
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    mainFields: ['module', 'main'],
    plugins: leanPlugins,
  });
  ours = (await import(outfile)) as typeof ours;
  server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk) => {
      body += chunk;
    });
    request.on('end', () => {
      sent.push({ method: request.method, url: request.url, headers: request.headers, body });
      const { status, body: reply, headers } = responses.shift() ?? { status: 200, body: {} };
      response.writeHead(status, { 'content-type': 'application/x-amz-json-1.0', ...headers });
      response.end(JSON.stringify(reply));
    });
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
});

afterAll(async () => {
  rmSync(folder, { recursive: true });
  await new Promise((closed) => server.close(closed));
});

const credentials = { accessKeyId: 'AKIDEXAMPLE', secretAccessKey: 'secret', sessionToken: 'session' };

/** @returns what was sent, and what came of it: the output without its metadata, or the error's fields */
async function run(
  { DynamoDBClient, DynamoDBDocumentClient, ...commands }: Libraries,
  command: (commands: Omit<Libraries, 'DynamoDBClient' | 'DynamoDBDocumentClient'>) => document.GetCommand,
  scripted: Response[],
) {
  sent = [];
  responses = [...scripted];
  const { port } = server.address() as AddressInfo;
  const endpoint = `http://127.0.0.1:${port}`;
  const client = new DynamoDBClient({ region: 'eu-central-1', endpoint, credentials, maxAttempts: 3 });
  const result = await DynamoDBDocumentClient.from(client)
    .send(command(commands))
    .then(
      ({ $metadata: { attempts }, ...output }) => ({ attempts, output }),
      ({ name, message, $metadata, CancellationReasons, $fault }) => ({
        error: { name, message, attempts: $metadata?.attempts, $fault, CancellationReasons },
      }),
    );
  client.destroy();
  return { sent, result };
}

/** Headers that differ between two requests, or that say only who sent it. */
const varying = new Set([
  'amz-sdk-invocation-id',
  'authorization',
  'user-agent',
  'x-amz-user-agent',
  'x-amz-date',
]);
const fixed = ({ headers, ...rest }: Sent) => ({
  ...rest,
  headers: Object.fromEntries(Object.entries(headers).filter(([name]) => !varying.has(name))),
});
const scopeOf = ({ headers: { authorization = '' } }: Sent) =>
  /^(AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE)\/\d{8}(\/[^,]+), SignedHeaders=([^,]+), Signature=[0-9a-f]{64}$/.exec(
    authorization,
  );

const item = {
  tenant: 'org',
  id: 'a',
  n: 1.5,
  set: new Set(['x']),
  bytes: new Uint8Array([1, 2]),
  nested: { ok: true },
};
const stored = {
  Item: { tenant: { S: 'org' }, n: { N: '7' }, list: { L: [{ NULL: true }, { BOOL: false }] } },
};
const failure = (status: number, type: string, more: object = {}): Response => ({
  status,
  body: { __type: `com.amazonaws.dynamodb.v20120810#${type}`, message: `${type}, it says`, ...more },
});
const get = ({ GetCommand }: Pick<Libraries, 'GetCommand'>) =>
  new GetCommand({ TableName: 't', Key: { tenant: 'org', id: 'ä' }, ConsistentRead: true });
const transact = ({ TransactWriteCommand }: Pick<Libraries, 'TransactWriteCommand'>) =>
  new TransactWriteCommand({
    TransactItems: [{ Put: { TableName: 't', Item: item, ConditionExpression: 'attribute_not_exists(id)' } }],
    ClientRequestToken: 'token',
    ReturnConsumedCapacity: 'TOTAL',
  }) as unknown as document.GetCommand;
const reasons = {
  CancellationReasons: [{ Code: 'ConditionalCheckFailed', Message: 'no' }, { Code: 'None' }],
};

describe("sends the SDK's requests and gives its results", () => {
  test.each([
    ['a read', get, [{ status: 200, body: stored }]],
    [
      'a transaction',
      transact,
      [{ status: 200, body: { ConsumedCapacity: [{ TableName: 't', CapacityUnits: 2 }] } }],
    ],
    ['a condition that failed', get, [failure(400, 'ConditionalCheckFailedException')]],
    ['a transaction that was cancelled', transact, [failure(400, 'TransactionCanceledException', reasons)]],
    ['an error of the control plane', get, [failure(400, 'BackupInUseException')]],
    ['an error that no version knows', get, [failure(400, 'NewException')]],
    [
      'a throttle, then success',
      get,
      [failure(400, 'ProvisionedThroughputExceededException'), { status: 200, body: stored }],
    ],
    ['three server errors', get, [1, 2, 3].map(() => failure(500, 'InternalServerError'))],
    [
      'a body that is no JSON object',
      get,
      [
        { status: 502, body: [] },
        { status: 502, body: [] },
        { status: 502, body: [] },
      ],
    ],
  ])('%s', async (_, command, scripted) => {
    const expected = await run({ ...document, DynamoDBClient: sdk.DynamoDBClient }, command, scripted);
    const actual = await run(ours, command, scripted);
    expect(actual.result).toEqual(expected.result);
    expect(actual.sent.map(fixed)).toEqual(expected.sent.map(fixed));
    for (const request of actual.sent) {
      const [, algorithm, scope, signedHeaders] = scopeOf(request) ?? [];
      expect([algorithm, scope]).toEqual(scopeOf(expected.sent[0] as Sent)?.slice(1, 3));
      for (const name of ['host', 'x-amz-date', 'x-amz-security-token', 'x-amz-target']) {
        expect(signedHeaders?.split(';')).toContain(name);
      }
    }
  });
});

test("requests share the SDK's quota of retries, so a broken table gets no storm of them", async () => {
  const attemptsOf = async ({ DynamoDBClient, DynamoDBDocumentClient, GetCommand }: Libraries) => {
    const { port } = server.address() as AddressInfo;
    const endpoint = `http://127.0.0.1:${port}`;
    const client = new DynamoDBClient({ region: 'eu-central-1', endpoint, credentials, maxAttempts: 3 });
    const documents = DynamoDBDocumentClient.from(client);
    sent = [];
    responses = Array.from({ length: 200 }, () => failure(500, 'InternalServerError'));
    for (let index = 0; index < 40; index += 1) {
      await documents
        .send(new GetCommand({ TableName: 't', Key: { tenant: 'org', id: 'a' } }))
        .catch(() => {});
    }
    client.destroy();
    return sent.length;
  };
  const expected = await attemptsOf({ ...document, DynamoDBClient: sdk.DynamoDBClient });
  expect(expected).toBeLessThan(3 * 40);
  expect(await attemptsOf(ours)).toBe(expected);
});

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
    scripted: Response[],
  ) {
    sent = [];
    responses = [...scripted];
    const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const client = new libraries.SQSClient({ region: 'eu-central-1', endpoint, credentials, maxAttempts: 3 });
    const result = await client.send(command(libraries)).then(
      ({ $metadata: { attempts }, ...output }) => ({ attempts, output }),
      ({ name, message, $metadata, $fault }) => ({
        error: { name, message, attempts: $metadata?.attempts, $fault },
      }),
    );
    client.destroy();
    return { sent, result };
  }

  const refused = { Id: '0', SenderFault: true, Code: 'InvalidMessageContents', Message: 'no' };
  const failing = (status: number, type: string): Response => ({
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
      expect(scopeOf(request)?.[2]).toBe('/eu-central-1/sqs/aws4_request');
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
    scripted: Response[],
  ) {
    sent = [];
    responses = [...scripted];
    const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const client = new libraries.KMSClient({ region: 'eu-central-1', endpoint, credentials, maxAttempts: 3 });
    const result = await client.send(command(libraries) as kms.EncryptCommand).then(
      ({ $metadata: { attempts }, ...output }) => ({ attempts, output }),
      ({ name, message, $metadata, $fault }) => ({
        error: { name, message, attempts: $metadata?.attempts, $fault },
      }),
    );
    client.destroy();
    return { sent, result };
  }

  const failing = (status: number, type: string): Response => ({
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
      expect(scopeOf(request)?.[2]).toBe('/eu-central-1/kms/aws4_request');
    }
  });
});
