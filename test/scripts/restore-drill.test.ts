/** `npm run restore-drill` on DynamoDB Local, which cannot restore: the test copies the items instead. */

import { randomUUID } from 'node:crypto';
import {
  type AttributeValue,
  BatchWriteItemCommand,
  CreateTableCommand,
  type DescribeTableCommand,
  DynamoDBClient,
  ListTablesCommand,
  PutItemCommand,
  RestoreTableToPointInTimeCommand,
} from '@aws-sdk/client-dynamodb';
import { expect, test } from 'vitest';
import { isGood, practise } from '../../scripts/restore-drill.ts';

type Stored = Record<string, AttributeValue>;

const items = Array.from(
  { length: 20 },
  (_, n): Stored => ({
    tenant: { S: 'org_1#live' },
    id: { S: `proj_${n}` },
    n: { N: `${n}` },
  }),
);

/** A stage with one table, whose restored copies have these items. */
async function openStage(restored: readonly Stored[], fault?: Error) {
  const client = new DynamoDBClient({});
  const prefix = `drill-${randomUUID()}`;
  const create = (TableName: string | undefined) =>
    client.send(
      new CreateTableCommand({
        TableName,
        BillingMode: 'PAY_PER_REQUEST',
        AttributeDefinitions: ['tenant', 'id'].map((AttributeName) => ({
          AttributeName,
          AttributeType: 'S' as const,
        })),
        KeySchema: [
          { AttributeName: 'tenant', KeyType: 'HASH' },
          { AttributeName: 'id', KeyType: 'RANGE' },
        ],
      }),
    );
  const fill = (table: string, some: readonly Stored[]) =>
    some.length === 0
      ? undefined
      : client.send(
          new BatchWriteItemCommand({
            RequestItems: { [table]: some.map((Item) => ({ PutRequest: { Item } })) },
          }),
        );
  await create(`${prefix}-projects`);
  await fill(`${prefix}-projects`, items);
  const requested: RestoreTableToPointInTimeCommand['input'][] = [];
  const send = client.send.bind(client);
  Object.assign(client, {
    send: async (command: DescribeTableCommand) => {
      if (!(command instanceof RestoreTableToPointInTimeCommand)) return send(command);
      requested.push(command.input);
      const { TargetTableName = '' } = command.input;
      await create(TargetTableName);
      await fill(TargetTableName, restored);
      if (fault) throw fault;
      return {};
    },
  });
  const tablesLeft = async () => {
    const { TableNames = [] } = await send(
      new ListTablesCommand({ ExclusiveStartTableName: prefix, Limit: 10 }),
    );
    return TableNames.filter((name) => name.startsWith(prefix));
  };
  return {
    client,
    prefix,
    requested,
    tablesLeft,
    put: (Item: Stored) => fill(`${prefix}-projects`, [Item]),
    create,
  };
}

const ofProjects = { table: 'projects', at: undefined } as const;

test('a good copy has the items, also if a few have changed or appeared since, and is removed', async () => {
  const [, changed = {}, ...others] = items;
  const stage = await openStage([{ ...changed, n: { N: '-1' } }, ...others]);
  const drill = await practise(stage.client, { prefix: stage.prefix, ...ofProjects });
  expect(drill).toMatchObject({ table: 'projects', sampled: 20, present: 19, same: 18 });
  expect(isGood(drill)).toBe(true);
  expect(stage.requested).toMatchObject([
    { SourceTableName: `${stage.prefix}-projects`, UseLatestRestorableTime: true },
  ]);
  expect(await stage.tablesLeft()).toEqual([`${stage.prefix}-projects`]);
});

test('a copy without the items is not good', async () => {
  const stage = await openStage(items.slice(0, 10));
  const at = new Date('2026-03-01T09:30:00Z');
  const drill = await practise(stage.client, { prefix: stage.prefix, table: 'projects', at });
  expect(drill).toMatchObject({ sampled: 20, present: 10 });
  expect(isGood(drill)).toBe(false);
  expect(stage.requested).toMatchObject([{ RestoreDateTime: at }]);
});

test('a failed drill leaves no copy, and a drill removes that of an interrupted one', async () => {
  const stage = await openStage(items, new Error('interrupted'));
  await stage.create(`${stage.prefix}-projects-drill`);
  await stage.client.send(
    new PutItemCommand({
      TableName: `${stage.prefix}-projects-drill`,
      Item: { tenant: { S: 'a' }, id: { S: 'a' } },
    }),
  );
  await expect(practise(stage.client, { prefix: stage.prefix, ...ofProjects })).rejects.toThrow(
    'interrupted',
  );
  expect(await stage.tablesLeft()).toEqual([`${stage.prefix}-projects`]);
});

test('a table without items has a good copy without items', () => {
  expect(isGood({ table: 'jobs', sampled: 0, present: 0, same: 0, seconds: 1 })).toBe(true);
});
