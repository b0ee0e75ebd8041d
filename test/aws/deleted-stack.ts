/** Follows docs/restore.md, "A deleted stack": a secret from before the deletion signs after it. */

import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import {
  CloudFormationClient,
  DeleteStackCommand,
  DescribeStackResourcesCommand,
  DescribeStacksCommand,
  UpdateTerminationProtectionCommand,
  waitUntilStackDeleteComplete,
} from '@aws-sdk/client-cloudformation';
import {
  CreateAliasCommand,
  CreateKeyCommand,
  DeleteAliasCommand,
  KMSClient,
  ListKeysCommand,
  ScheduleKeyDeletionCommand,
} from '@aws-sdk/client-kms';
import {
  GetFunctionConfigurationCommand,
  LambdaClient,
  PublishVersionCommand,
  UpdateAliasCommand,
  UpdateFunctionConfigurationCommand,
} from '@aws-sdk/client-lambda';
import { Webhook } from 'standardwebhooks';
import { expect, onTestFinished } from 'vitest';
import { dataStackName, functionName, stackName } from '../../infra/names.ts';
import { loopbackVariable } from '../../lib/network/network.ts';
import { secretsKeyVariable } from '../../lib/runtime/secret-box.ts';
import type { ApiResponse, CallOptions } from '../../samples/api.ts';
import type { Account } from '../support/aws-account.ts';
import { follow } from './follow.ts';

type Call = (method: string, path: string, options?: CallOptions) => Promise<ApiResponse>;
export type CallAt = (baseUrl: string, key: string) => Call;
type Stored = { tables: { customerManagedKey?: unknown }; secretsKeyArn?: string };

/**
 * Deletes both stacks of a deployed stage that retains its data, and deploys them again as the document says.
 * @param key a key of an organisation of the stage
 */
export async function rehearseDeletedStack(
  account: Account,
  { stage, key, callAt }: { stage: string; key: string; callAt: CallAt },
): Promise<void> {
  const cloudFormation = new CloudFormationClient({});
  const kms = new KMSClient({});
  const stacks = [stackName(stage), dataStackName(stage)] as const;
  const open = async () => {
    const described = await cloudFormation.send(new DescribeStacksCommand({ StackName: stacks[0] }));
    const outputs = described.Stacks?.[0]?.Outputs ?? [];
    return callAt(outputs.find(({ OutputKey }) => OutputKey === 'BaseUrl')?.OutputValue ?? '', key);
  };
  const countKeys = async () => (await kms.send(new ListKeysCommand({ Limit: 1000 }))).Keys?.length;

  const receiver = await receive();
  await allowLoopback(functionName(stage, 'webhooks.create'));
  const before = await open();
  const project = `${(await before('POST', '/projects', { body: { name: 'kept' } })).data.id}`;
  const body = { url: receiver.url, eventTypes: ['project.updated'], projectIds: [project] };
  const created = await before('POST', '/webhooks', { body });
  expect(created.status, created.text).toBe(201);
  const secretsKey = (await variablesOf(functionName(stage, 'webhooks.create')))[secretsKeyVariable];

  for (const StackName of stacks) {
    await cloudFormation.send(
      new UpdateTerminationProtectionCommand({ StackName, EnableTerminationProtection: false }),
    );
    await cloudFormation.send(new DeleteStackCommand({ StackName }));
    await waitUntilStackDeleteComplete(
      { client: cloudFormation, minDelay: 1, maxDelay: 2, maxWaitTime: 300 },
      { StackName },
    );
  }
  // A stage with a key of its own for the tables leaves that, too.
  const file = `stages/${stage}.json`;
  const settings = JSON.parse(readFileSync(file, 'utf8')) as Stored;
  settings.tables.customerManagedKey = true;
  writeFileSync(file, JSON.stringify(settings));
  const tableKey = await keyWithAlias(kms, `alias/${stackName(stage)}`);
  const keysBefore = await countKeys();

  // The templates are checked where they are first deployed.
  const values = { STAGE: stage, CDK_VALIDATION: 'false' };
  await follow(account, 'docs/restore.md', values, 'LIVE=', 'name_key()', '--import-existing');

  const named = JSON.parse(readFileSync(file, 'utf8')) as Stored;
  expect([named.secretsKeyArn, named.tables.customerManagedKey]).toEqual([secretsKey, tableKey]);
  expect(await countKeys()).toBe(keysBefore);
  const made = await cloudFormation.send(new DescribeStackResourcesCommand({ StackName: stacks[1] }));
  const types = new Set(made.StackResources?.map(({ ResourceType }) => ResourceType));
  expect([...types].toSorted()).toEqual(expect.arrayContaining(['AWS::DynamoDB::Table', 'AWS::S3::Bucket']));
  expect(types).not.toContain('AWS::KMS::Key');
  const sender = functionName(stage, 'webhook-sender');
  expect((await variablesOf(sender))[secretsKeyVariable]).toBe(secretsKey);

  await allowLoopback(sender);
  const after = await open();
  const changed = await after('PATCH', `/projects/${project}`, { body: { name: 'still kept' } });
  expect(changed.status, changed.text).toBe(200);
  const { headers, payload } = await receiver.first;
  const signed = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, `${value}`]));
  expect(new Webhook(`${created.data.secret}`).verify(payload, signed)).toMatchObject({
    type: 'project.updated',
    data: { id: project, name: 'still kept' },
  });
}

/** A receiver of webhooks on this machine, until the test ends. `first` is its first request. */
async function receive() {
  const first = Promise.withResolvers<{ headers: IncomingHttpHeaders; payload: string }>();
  const server = createServer(async (request, response) => {
    first.resolve({ headers: request.headers, payload: await text(request) });
    response.end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/hook`, first: first.promise };
}

/** @returns the ARN of a new key, which is removed with its alias when the test ends */
async function keyWithAlias(kms: KMSClient, AliasName: string): Promise<string> {
  const { KeyMetadata } = await kms.send(new CreateKeyCommand({}));
  const { KeyId = '', Arn = '' } = KeyMetadata ?? {};
  await kms.send(new CreateAliasCommand({ AliasName, TargetKeyId: KeyId }));
  onTestFinished(async () => {
    await kms.send(new DeleteAliasCommand({ AliasName }));
    await kms.send(new ScheduleKeyDeletionCommand({ KeyId }));
  });
  return Arn;
}

async function variablesOf(FunctionName: string): Promise<Record<string, string>> {
  const found = await new LambdaClient({}).send(new GetFunctionConfigurationCommand({ FunctionName }));
  return found.Environment?.Variables ?? {};
}

/** Lets a function use webhooks to this machine, where the receiver is. */
async function allowLoopback(FunctionName: string): Promise<void> {
  const lambda = new LambdaClient({});
  const Variables = { ...(await variablesOf(FunctionName)), [loopbackVariable]: 'true' };
  await lambda.send(new UpdateFunctionConfigurationCommand({ FunctionName, Environment: { Variables } }));
  const { Version } = await lambda.send(new PublishVersionCommand({ FunctionName }));
  await lambda.send(new UpdateAliasCommand({ FunctionName, Name: 'live', FunctionVersion: Version }));
}
