/**
 * A session is the DynamoDB access of one request. It knows the tables' names, refuses undeclared actions (as IAM would
 * in production), and counts the usage.
 */

import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { UpdateCommand, type UpdateCommandInput } from '@aws-sdk/lib-dynamodb';
import type { Access, Action, TableName } from './tables.ts';

export type Usage = {
  /** The number of sequential calls. Parallel calls count as one. */
  roundTrips: number;
  readUnits: number;
  writeUnits: number;
  /** The number of failed calls, without failed conditions and conflicts. */
  databaseErrors: number;
};

/** Only this part of the document client is used, so that tests and benchmarks can replace it. */
export type Client = Pick<DynamoDBDocumentClient, 'send'>;

export type Session = {
  /**
   * Sends one command. `usage` counts commands with `ReturnConsumedCapacity: 'TOTAL'`.
   * @throws Error before sending, if the endpoint has not declared a needed action
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
      if (!access[table]?.includes(action))
        throw new Error(`${action} on "${table}" is not declared in access`);
    }
    if (underWay === 0) usage.roundTrips += 1;
    underWay += 1;
    try {
      const output = await send(client);
      count(usage, needs, output.ConsumedCapacity);
      return output;
    } catch (error) {
      if (!isRefusal(error)) usage.databaseErrors += 1;
      throw error;
    } finally {
      underWay -= 1;
    }
  };

  return { run, tableName, usage };
}

/** A failed condition is not a failure of DynamoDB. */
const isRefusal = (error: unknown) =>
  error instanceof Error &&
  [
    'ConditionalCheckFailedException',
    'TransactionCanceledException',
    'TransactionConflictException',
  ].includes(error.name);

const reads: readonly Action[] = ['GetItem', 'BatchGetItem', 'Query'];

function count(usage: Usage, needs: readonly Need[], consumed: Capacity | Capacity[] | undefined): void {
  const isRead = needs.every(([, action]) => reads.includes(action));
  const capacities = Array.isArray(consumed) ? consumed : [consumed];
  for (const capacity of capacities) {
    const units = capacity?.CapacityUnits ?? 0;
    if (isRead) usage.readUnits += units;
    else usage.writeUnits += units;
  }
}

export type UpdateParameters = Omit<UpdateCommandInput, 'TableName' | 'ReturnConsumedCapacity'>;

/** Sends an update that is not among the writes of a handler, at once. It adds no stamps. */
export function sendUpdate(
  session: Session,
  table: TableName,
  parameters: UpdateParameters,
  abortSignal?: AbortSignal,
) {
  const command = new UpdateCommand({
    TableName: session.tableName(table),
    ReturnConsumedCapacity: 'TOTAL',
    ...parameters,
  });
  return session.run([[table, 'UpdateItem']], (client) =>
    client.send(command, abortSignal && { abortSignal }),
  );
}
