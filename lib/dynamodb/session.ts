/**
 * A session is one request's use of DynamoDB: it knows the tables' names, refuses what the endpoint has not
 * declared (IAM would refuse it in production, so a test must), and counts what was used.
 */

import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { Access, Action, TableName } from './tables.ts';

export type Usage = {
  /** Calls that had to wait for one another; calls side by side count once. */
  roundTrips: number;
  readUnits: number;
  writeUnits: number;
  /** Calls that failed for another reason than a condition or a conflict. */
  databaseErrors: number;
};

/** The part of the document client that is used, so that a benchmark or a test can stand in for it. */
export type Client = Pick<DynamoDBDocumentClient, 'send'>;

export type Session = {
  /**
   * Sends one command. A `ReturnConsumedCapacity: 'TOTAL'` in it is what `usage` counts.
   * @throws Error, before anything is sent, when the endpoint has not declared an action that it needs
   */
  run<Output extends Consumption>(
    needs: readonly Need[],
    send: (client: Client) => Promise<Output>,
  ): Promise<Output>;
  tableName(table: TableName): string;
  readonly usage: Usage;
};

export type Need = readonly [table: TableName, action: Action];

type Capacity = { CapacityUnits?: number | undefined };
type Consumption = { ConsumedCapacity?: Capacity | Capacity[] | undefined };

export function openSession(
  client: Client,
  names: Readonly<Partial<Record<TableName, string>>>,
  access: Access,
): Session {
  const usage: Usage = { roundTrips: 0, readUnits: 0, writeUnits: 0, databaseErrors: 0 };
  let underWay = 0;

  const tableName = (table: TableName): string => {
    const name = names[table];
    if (!name) throw new Error(`no table name is configured for "${table}"`);
    return name;
  };

  const run: Session['run'] = async (needs, send) => {
    for (const [table, action] of needs) {
      if (!access[table]?.includes(action)) throw new Error(`${action} on "${table}" is not declared`);
    }
    if (underWay === 0) usage.roundTrips += 1;
    underWay += 1;
    try {
      const output = await send(client);
      count(usage, needs, output.ConsumedCapacity);
      return output;
    } catch (error) {
      if (!isAnswer(error)) usage.databaseErrors += 1;
      throw error;
    } finally {
      underWay -= 1;
    }
  };

  return { run, tableName, usage };
}

/** What DynamoDB answers to a write that may not take effect is no failure of DynamoDB's. */
const isAnswer = (error: unknown) =>
  error instanceof Error &&
  [
    'ConditionalCheckFailedException',
    'TransactionCanceledException',
    'TransactionConflictException',
  ].includes(error.name);

const reads: readonly Action[] = ['GetItem', 'BatchGetItem', 'Query'];

function count(usage: Usage, needs: readonly Need[], consumed: Capacity | Capacity[] | undefined): void {
  const isRead = needs.every(([, action]) => reads.includes(action));
  for (const capacity of [consumed ?? []].flat()) {
    const units = capacity.CapacityUnits ?? 0;
    if (isRead) usage.readUnits += units;
    else usage.writeUnits += units;
  }
}
