/** The DynamoDB client of the functions' bundles and the SDK's own one have the same story with DynamoDB Local. */

import { CreateTableCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { GetCommand } from '@aws-sdk/lib-dynamodb';
import { expect, test } from 'vitest';
import { functionClientConfig } from '../../../../lib/runtime/function-client.ts';
import { localSettings } from '../../../../samples/tables.ts';
import {
  bundledDynamoDb,
  type CommandName,
  type Libraries,
  realDynamoDb,
} from '../../../support/function-sdk.ts';

const TableName = 'story';
const keyOf = (id: string) => ({ tenant: 'org', id });

const item = {
  ...keyOf('😀 ä'),
  text: '',
  n: -1.5e-7,
  big: 12345678901234567890123456789012345678n,
  bytes: new Uint8Array([0, 1, 255]),
  none: new Uint8Array(),
  texts: new Set(['b', 'a']),
  numbers: new Set([3, 1]),
  blobs: new Set([new Uint8Array([1]), new Uint8Array([2])]),
  list: [null, true, [], {}, ['', { deep: [[1]] }]],
  map: { constructor: 'x', 'a.b': { c: new Uint8Array([7]) } },
};
const condition = {
  TableName,
  ConditionExpression: 'attribute_not_exists(id)',
  ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
};
const increment = {
  TableName,
  Key: keyOf('counter'),
  UpdateExpression: 'ADD #n :n SET b = :b',
  ExpressionAttributeNames: { '#n': 'n' },
  ExpressionAttributeValues: { ':n': 2, ':b': new Uint8Array([9]) },
};
const counted = { ReturnConsumedCapacity: 'TOTAL' };
const puts = ['a', 'b', 'c'].map((id) => ({ PutRequest: { Item: { ...item, ...keyOf(id) } } }));

const story: readonly [CommandName, object][] = [
  ['PutCommand', { ...condition, ...counted, Item: item }],
  ['PutCommand', { ...condition, Item: item }],
  ['PutCommand', { TableName, Item: item, ReturnValues: 'ALL_OLD', ...counted }],
  ['GetCommand', { TableName, Key: keyOf(item.id), ConsistentRead: true, ...counted }],
  ['GetCommand', { TableName, Key: keyOf('nobody') }],
  ['UpdateCommand', { ...increment, ReturnValues: 'ALL_NEW', ...counted }],
  ['UpdateCommand', { ...increment, ...condition }],
  ['BatchWriteCommand', { RequestItems: { [TableName]: puts }, ...counted }],
  [
    'BatchGetCommand',
    { RequestItems: { [TableName]: { Keys: ['a', 'x', 'c'].map(keyOf), ConsistentRead: true } }, ...counted },
  ],
  [
    'QueryCommand',
    {
      TableName,
      KeyConditionExpression: 'tenant = :t',
      FilterExpression: 'bytes = :b',
      ExpressionAttributeValues: { ':t': 'org', ':b': item.bytes },
      ScanIndexForward: false,
      ...counted,
    },
  ],
  [
    'QueryCommand',
    {
      TableName,
      KeyConditionExpression: 'tenant = :t',
      ExpressionAttributeValues: { ':t': 'org' },
      ExclusiveStartKey: keyOf('a'),
      Limit: 1,
    },
  ],
  [
    'TransactWriteCommand',
    {
      TransactItems: [
        { Put: { ...condition, Item: { ...item, ...keyOf('new') } } },
        { Update: increment },
        { Delete: { TableName, Key: keyOf('a') } },
        { ConditionCheck: { ...condition, Key: keyOf('nobody') } },
      ],
      ...counted,
    },
  ],
  [
    'TransactWriteCommand',
    {
      TransactItems: [
        { Put: { ...condition, Item: { ...item, ...keyOf('new') } } },
        { Update: increment },
        { ConditionCheck: { ...condition, Key: keyOf('b') } },
        { Delete: { ...condition, Key: keyOf('nobody') } },
      ],
    },
  ],
  ['DeleteCommand', { ...condition, Key: keyOf('b') }],
  ['DeleteCommand', { TableName, Key: keyOf('b'), ReturnValues: 'ALL_OLD', ...counted }],
  ['DeleteCommand', { TableName: 'nowhere', Key: keyOf('b') }],
  ['PutCommand', { TableName, Item: { tenant: 'org' } }],
  ['UpdateCommand', { ...increment, UpdateExpression: 'ADD' }],
  ['GetCommand', { TableName, Key: keyOf('counter') }],
];

/** @returns the outputs and the errors of the story, in a database of its own */
async function tell(libraries: Libraries, accessKeyId: string): Promise<object[]> {
  const env = { ...localSettings(), AWS_ACCESS_KEY_ID: accessKeyId };
  const config = functionClientConfig(env);
  const setup = new DynamoDBClient(config);
  await setup.send(
    new CreateTableCommand({
      TableName,
      BillingMode: 'PAY_PER_REQUEST',
      AttributeDefinitions: ['tenant', 'id'].map((name) => ({ AttributeName: name, AttributeType: 'S' })),
      KeySchema: [
        { AttributeName: 'tenant', KeyType: 'HASH' },
        { AttributeName: 'id', KeyType: 'RANGE' },
      ],
    }),
  );
  setup.destroy();
  const documents = libraries.DynamoDBDocumentClient.from(new libraries.DynamoDBClient(config), {
    marshallOptions: { convertClassInstanceToMap: true },
  });
  const outcomes: object[] = [];
  for (const [name, input] of story) {
    const command = new libraries[name](input as never) as GetCommand;
    outcomes.push(await documents.send(command).then(withoutIds, (error) => errorFields(error, libraries)));
  }
  return outcomes;
}

/** Each request has an id of its own. */
const withoutIds = ({ $metadata, ...output }: { $metadata: object }) => ({
  ...output,
  $metadata: { ...$metadata, requestId: 'requestId' in $metadata },
});

const errorFields = (error: Error & { $metadata: object }, libraries: Libraries) => ({
  ...withoutIds({ ...error, name: error.name, message: error.message } as typeof error),
  isCondition: error instanceof libraries.ConditionalCheckFailedException,
  isCancelled: error instanceof libraries.TransactionCanceledException,
});

test('all outputs and errors are equal', async () => {
  const { AWS_ACCESS_KEY_ID: key } = localSettings();
  const theirs = await tell(realDynamoDb, `${key}theirs`);
  const ours = await tell(await bundledDynamoDb(), `${key}ours`);
  expect(ours).toEqual(theirs);
  const errors = theirs.flatMap((one) => ('name' in one ? [one.name] : []));
  expect(errors).toEqual([
    'ConditionalCheckFailedException',
    'ConditionalCheckFailedException',
    'TransactionCanceledException',
    'ConditionalCheckFailedException',
    'ResourceNotFoundException',
    'ValidationException',
    'ValidationException',
  ]);
  expect(theirs[3]).toMatchObject({ Item: item });
});
