/** Restored tables next to the service's. */

import { randomUUID } from 'node:crypto';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DeleteCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import { type TableName, tableNames } from '../../lib/dynamodb/tables.ts';
import { storedOf, type TestApi } from '../../samples/api.ts';
import { createTestTables } from '../../samples/tables.ts';
import { copyMissing } from '../../scripts/copy-missing.ts';
import { call } from '../../scripts/local/call.ts';
import { routesOf } from '../../scripts/local/service.ts';

type Restored = (table: TableName) => string;

/** Restores the current data of the organisation. @returns the names of the restored tables */
export async function restoreAll(api: TestApi): Promise<Restored> {
  const prefix = `restored-${randomUUID()}`;
  await createTestTables(new DynamoDBClient({}), prefix);
  for (const table of tableNames) {
    for (const Item of await storedOf(api, table)) {
      await api.runtime.client.send(new PutCommand({ TableName: `${prefix}-${table}`, Item }));
    }
  }
  return (table) => `${prefix}-${table}`;
}

/** Copies what the service's tables lack. */
export async function copyAll(api: TestApi, restored: Restored): Promise<void> {
  for (const table of tableNames)
    await copyMissing(new DynamoDBClient({}), directions(api, restored, table).back);
}

/**
 * Copies tombstones to the restored tables.
 * @returns the service with the restored tables instead of its own
 */
export async function replaceAll(api: TestApi, restored: Restored) {
  for (const table of tableNames) {
    for (const tenant of new Set((await storedOf(api, table)).map((item) => `${item.tenant}`))) {
      const copy = { ...directions(api, restored, table).over, tenant, tombstones: true };
      await copyMissing(new DynamoDBClient({}), copy);
    }
  }
  const names = Object.fromEntries(tableNames.map((table) => [table, restored(table)]));
  const other: TestApi = { ...api, runtime: { ...api.runtime, tableNames: names } };
  const routes = routesOf(other.runtime);
  return { ...other, get: (path: string, key = api.rootKey) => call(routes, 'GET', path, { key }) };
}

type Snapshot = ReadonlyMap<TableName, Awaited<ReturnType<typeof storedOf>>>;

/** @returns what the tables have of the organisation */
export async function snapshotOf(api: TestApi, tables: readonly TableName[]): Promise<Snapshot> {
  const items = await Promise.all(tables.map((table) => storedOf(api, table)));
  return new Map(tables.map((table, index) => [table, items[index] ?? []]));
}

/** Lets the tables have what they had at the snapshot, but keeps tombstones, as a restore does. */
export async function goBack(api: TestApi, snapshot: Snapshot): Promise<void> {
  const { client, tableNames: names } = api.runtime;
  for (const [table, items] of snapshot) {
    const TableName = names[table];
    for (const { tenant, id } of await storedOf(api, table)) {
      if (!`${tenant}`.endsWith('#erased'))
        await client.send(new DeleteCommand({ TableName, Key: { tenant, id } }));
    }
    for (const Item of items) await client.send(new PutCommand({ TableName, Item }));
  }
}

function directions(api: TestApi, restored: Restored, table: TableName) {
  const live = api.runtime.tableNames[table] ?? '';
  return { back: { from: restored(table), to: live }, over: { from: live, to: restored(table) } };
}
