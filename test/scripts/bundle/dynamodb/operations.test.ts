/** The DynamoDB client of the functions' bundles sends what the SDK's own one sends, and returns what it returns. */

import { globSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import * as sdk from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { root } from '../../../../scripts/shared/root.ts';
import {
  bundledDynamoDb,
  type CommandName,
  commandNames,
  fixed,
  importBundled,
  type Libraries,
  openScriptedServer,
  realDynamoDb,
  run,
  type ScriptedServer,
  signed,
} from '../../../support/function-sdk.ts';

let ours: Libraries;
let server: ScriptedServer;

beforeAll(async () => {
  [ours, server] = await Promise.all([bundledDynamoDb(), openScriptedServer()]);
});

afterAll(() => server.close());

const item = {
  tenant: 'org',
  id: 'ä"\\\u0000\u2028\ud800 😀',
  n: 1.5,
  big: 12345678901234567890n,
  set: new Set(['x', 'ä']),
  numbers: new Set([1, 2]),
  bytes: new Uint8Array([1, 2, 255]),
  blobs: new Set([Buffer.from('a'), new Uint8Array(0)]),
  nested: { ok: true, none: null, list: ['', [], {}, [1, { constructor: 'x' }]] },
  left: undefined,
};
const Key = { tenant: 'org', id: 'ä' };
const expression = {
  ExpressionAttributeNames: { '#a': 'ä' },
  ExpressionAttributeValues: { ':n': 1, ':b': new Uint8Array([3]), ':u': undefined },
};
const condition = {
  ...expression,
  ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
  ConditionExpression: 'attribute_not_exists(id)',
};
const returned = {
  ReturnValues: 'ALL_OLD',
  ReturnItemCollectionMetrics: 'SIZE',
  ReturnConsumedCapacity: 'TOTAL',
  TableName: 't',
};
const projection = { ProjectionExpression: '#a', ExpressionAttributeNames: { '#a': 'ä' } };

/** Each with all members, not in the order in which they are sent. */
const inputs: Readonly<Record<CommandName, readonly object[]>> = {
  GetCommand: [
    { Key, TableName: 't' },
    { ...projection, ReturnConsumedCapacity: 'TOTAL', ConsistentRead: false, TableName: 't', Key },
    { ConsistentRead: undefined, Key, TableName: 't', ProjectionExpression: null },
  ],
  BatchGetCommand: [
    {
      ReturnConsumedCapacity: 'TOTAL',
      RequestItems: { b: { ConsistentRead: true, ...projection, Keys: [Key, { id: 1 }] }, a: { Keys: [] } },
    },
  ],
  QueryCommand: [
    {
      ...expression,
      ...projection,
      ExclusiveStartKey: Key,
      KeyConditionExpression: 'a = :n',
      FilterExpression: 'b = :b',
      ScanIndexForward: false,
      ReturnConsumedCapacity: 'TOTAL',
      ConsistentRead: true,
      Limit: 0,
      Select: 'COUNT',
      IndexName: 'i',
      TableName: 't',
    },
    { TableName: 't', ExclusiveStartKey: undefined },
  ],
  PutCommand: [{ ...condition, ...returned, Item: item }],
  UpdateCommand: [{ ...condition, ...returned, UpdateExpression: 'SET a = :n', Key }],
  DeleteCommand: [{ ...condition, ...returned, Key }],
  BatchWriteCommand: [
    {
      ReturnItemCollectionMetrics: 'NONE',
      ReturnConsumedCapacity: 'TOTAL',
      RequestItems: { b: [{ PutRequest: { Item: item } }], a: [{ DeleteRequest: { Key } }] },
    },
  ],
  TransactWriteCommand: [
    {
      ClientRequestToken: 'token',
      ReturnItemCollectionMetrics: 'SIZE',
      ReturnConsumedCapacity: 'TOTAL',
      TransactItems: [
        { Put: { ...condition, TableName: 't', Item: item } },
        { Update: { ...condition, TableName: 't', UpdateExpression: 'SET a = :n', Key } },
        { Delete: { ...condition, TableName: 't', Key } },
        { ConditionCheck: { ...condition, TableName: 't', Key } },
      ],
    },
  ],
};

const attributes = {
  S: { S: '' },
  N: { N: '12345678901234567890123456789012345678' },
  n: { N: '7' },
  B: { B: 'AQL/' },
  empty: { B: '' },
  M: { M: { L: { L: [{ NULL: true }, { BOOL: false }, { B: 'AQ==' }] } } },
  SS: { SS: ['ä'] },
  NS: { NS: ['1', '2'] },
  BS: { BS: ['AQ==', 'Ag=='] },
};
const ConsumedCapacity = { TableName: 't', CapacityUnits: 2.5, Table: { CapacityUnits: 2.5 } };
const metrics = { ItemCollectionKey: { id: { B: 'AQ==' } }, SizeEstimateRangeGB: [0, 1] };
const changed = { Attributes: attributes, ConsumedCapacity, ItemCollectionMetrics: metrics };

/** Each with all members. */
const responses: Readonly<Record<CommandName, readonly object[]>> = {
  GetCommand: [{ Item: attributes, ConsumedCapacity }, {}, { Item: {}, Unknown: 1, ConsumedCapacity: null }],
  BatchGetCommand: [
    {
      Responses: { t: [attributes, {}], u: [] },
      UnprocessedKeys: { t: { Keys: [{ id: { B: 'AQ==' } }], ConsistentRead: true, ...projection } },
      ConsumedCapacity: [ConsumedCapacity],
    },
  ],
  QueryCommand: [
    {
      Items: [attributes],
      Count: 1,
      ScannedCount: 2,
      LastEvaluatedKey: { id: { S: 'a' } },
      ConsumedCapacity,
    },
    { Items: [], Count: 0, ScannedCount: 0 },
  ],
  PutCommand: [changed],
  UpdateCommand: [changed],
  DeleteCommand: [changed],
  BatchWriteCommand: [
    {
      UnprocessedItems: {
        t: [{ PutRequest: { Item: attributes } }, { DeleteRequest: { Key: { id: { S: 'a' } } } }],
      },
      ItemCollectionMetrics: { t: [metrics] },
      ConsumedCapacity: [ConsumedCapacity],
    },
  ],
  TransactWriteCommand: [{ ConsumedCapacity: [ConsumedCapacity], ItemCollectionMetrics: { t: [metrics] } }],
};

const numbered = (values: readonly object[]) => values.map((value, index) => [index, value] as const);

describe.each(commandNames)('%s', (name) => {
  test.each(numbered(inputs[name]))('sends the same request %i', async (_, input) => {
    const expected = await run(realDynamoDb, server, { command: [name, input] });
    const actual = await run(ours, server, { command: [name, input] });
    expect(actual.sent.map(fixed)).toEqual(expected.sent.map(fixed));
    expect(expected.sent).toHaveLength(1);
  });

  test.each(numbered(responses[name]))('returns the same for response %i', async (_, body) => {
    const script = [{ status: 200, body, headers: { 'x-amzn-requestid': 'request' } }];
    const command: [CommandName, object] = [name, inputs[name][0] ?? {}];
    const expected = await run(realDynamoDb, server, { command, script });
    const actual = await run(ours, server, { command, script });
    expect(actual.outcome).toEqual(expected.outcome);
    expect(actual.outcome).toMatchObject({ output: { $metadata: { requestId: 'request' } } });
  });
});

test('each attempt is signed, with all headers but the name of the client', async () => {
  const { sent } = await run(ours, server, {
    command: ['GetCommand', { TableName: 't', Key }],
    script: [{ status: 500, body: {} }],
  });
  const [first, second] = sent;
  expect(sent).toHaveLength(2);
  expect(first?.headers['amz-sdk-request']).toBe('attempt=1; max=3');
  expect(second?.headers['amz-sdk-request']).toBe('attempt=2; max=3');
  expect(second?.headers['amz-sdk-invocation-id']).toBe(first?.headers['amz-sdk-invocation-id']);
  expect(second?.headers.authorization).not.toBe(first?.headers.authorization);
  for (const request of sent) {
    const { scope, names } = signed(request);
    expect(scope).toBe('/eu-central-1/dynamodb/aws4_request');
    const unsigned = ['authorization', 'connection', 'user-agent'];
    const headers = Object.keys(request.headers).filter((header) => !unsigned.includes(header));
    expect(names).toBe(headers.sort().join(';'));
  }
});

test('a transaction without a token gets one, which is the same in all attempts', async () => {
  const input = { TransactItems: [{ Delete: { TableName: 't', Key } }] };
  const script = [1, 2].map(() => ({ status: 500, body: {} }));
  const tokensOf = async (libraries: Libraries) => {
    const { sent } = await run(libraries, server, { command: ['TransactWriteCommand', input], script });
    return sent.map(({ body }) => (JSON.parse(body) as { ClientRequestToken: string }).ClientRequestToken);
  };
  for (const tokens of [await tokensOf(realDynamoDb), await tokensOf(ours)]) {
    expect(tokens).toHaveLength(3);
    expect(new Set(tokens).size).toBe(1);
    expect(tokens[0]).toMatch(/^[0-9a-f-]{36}$/);
  }
  expect(await tokensOf(ours)).not.toEqual(await tokensOf(ours));
});

test.each([
  ['an undefined value', { a: [undefined] }],
  ['a number that is not exact', { a: 2 ** 53 }],
  ['NaN', { a: Number.NaN }],
  ['an empty set', { a: new Set() }],
  ['a set of others', { a: new Set([{}]) }],
  ['a function in a list', { a: Symbol('a') }],
])('%s is refused with the same error, and nothing is sent', async (_, Item) => {
  const command: [CommandName, object] = ['PutCommand', { TableName: 't', Item }];
  const expected = await run(realDynamoDb, server, { command });
  const actual = await run(ours, server, { command });
  expect(actual).toEqual(expected);
  expect(actual).toMatchObject({ sent: [], outcome: { error: { isError: true } } });
});

test('bytes that are no Uint8Array are refused: the SDK sends an empty text instead', async () => {
  const { sent, outcome } = await run(ours, server, {
    command: ['PutCommand', { TableName: 't', Item: { a: new Float32Array(2) } }],
  });
  expect(sent).toEqual([]);
  expect(outcome).toMatchObject({ error: { message: 'Only a Uint8Array can be stored as bytes.' } });
});

test('parameters that expressions have replaced are refused, and no function uses them', async () => {
  const replaced =
    /\b(AttributesToGet|AttributeUpdates|ConditionalOperator|Expected|KeyConditions|QueryFilter)\b *:/;
  const sources = globSync('{lib,functions,workers}/**/*.ts', { cwd: root });
  expect(sources.length).toBeGreaterThan(100);
  expect(sources.filter((file) => replaced.test(readFileSync(resolve(root, file), 'utf8')))).toEqual([]);
  const { sent, outcome } = await run(ours, server, {
    command: ['GetCommand', { TableName: 't', Key, AttributesToGet: ['a'] }],
  });
  expect(sent).toEqual([]);
  expect(outcome).toMatchObject({
    error: { message: 'GetItem in a bundle has no parameter AttributesToGet' },
  });
});

test.each([
  [
    'TransactWriteCommand',
    { TransactItems: [{ Put: { TableName: 't', Item: Key, Expected: {} } }] },
    'Expected',
  ],
  ['BatchGetCommand', { RequestItems: { t: { Keys: [Key], AttributesToGet: ['a'] } } }, 'AttributesToGet'],
] as const)('a nested member that %s does not have is refused', async (name, input, member) => {
  const { sent, outcome } = await run(ours, server, { command: [name, input] });
  expect(sent).toEqual([]);
  const message = expect.stringMatching(new RegExp(`in a bundle has no parameter ${member}$`));
  expect(outcome).toMatchObject({ error: { message } });
});

test('without credentials, nothing is sent', async () => {
  const client = new ours.DynamoDBClient({ region: 'eu-central-1', endpoint: server.url });
  server.play([]);
  const sending = ours.DynamoDBDocumentClient.from(client).send(new ours.GetCommand({ TableName: 't', Key }));
  await expect(sending).rejects.toThrow('there are no credentials for DynamoDB');
  expect(server.sent()).toEqual([]);
});

test.each(['http://127.0.0.1:1/path', 'http://127.0.0.1:1/?a=b', 'http://a:b@127.0.0.1:1', 'there'])(
  'the endpoint %s is refused',
  (endpoint) => {
    expect(() => new ours.DynamoDBClient({ region: 'eu-central-1', endpoint })).toThrow();
  },
);

test('a build that imports another name of the SDK fails', async () => {
  await expect(importBundled("export { ScanCommand } from '@aws-sdk/lib-dynamodb';")).rejects.toThrow(
    'No matching export in "scripts/bundle/dynamodb/index.ts" for import "ScanCommand"',
  );
  await expect(
    importBundled("export { ListTablesCommand } from '@aws-sdk/client-dynamodb';"),
  ).rejects.toThrow('No matching export');
  expect(sdk.ListTablesCommand).toBeDefined();
});
