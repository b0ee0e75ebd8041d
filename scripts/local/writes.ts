/** Who writes to DynamoDB Local: the change feed reads a stream after a write, and does not have to ask all the time. */

import { type AddressInfo, connect, createServer } from 'node:net';
import { pipeline } from 'node:stream/promises';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { Client } from '../../lib/dynamodb/session.ts';

type Input = {
  TableName?: string;
  TransactItems?: readonly Record<string, { TableName?: string } | undefined>[];
  RequestItems?: object;
};

const isRead = (command = '') => /^(Get|BatchGet|Query)/.test(command);

const tablesIn = ({ TableName, TransactItems = [], RequestItems = {} }: Input): string[] => [
  ...new Set([
    ...(TableName === undefined ? [] : [TableName]),
    ...TransactItems.flatMap((item) => Object.values(item).flatMap((part) => part?.TableName ?? [])),
    ...Object.keys(RequestItems),
  ]),
];

/**
 * The streams have a write as soon as DynamoDB Local has responded.
 * @param onWrite gets the names of the tables after each write of this client, also after a failed write
 */
export function afterWrites(client: Client, onWrite: (tableNames: readonly string[]) => void): void {
  if (!(client instanceof DynamoDBDocumentClient)) throw new Error('the client has no middleware');
  client.middlewareStack.add(
    (next, { commandName }) =>
      async (args) => {
        try {
          return await next(args);
        } finally {
          if (!isRead(commandName)) onWrite(tablesIn(args.input as Input));
        }
      },
    { step: 'initialize', name: 'afterWrites' },
  );
}

export type DatabasePort = { endpoint: string; close(): void };

/**
 * Opens a port for other processes, and passes what they send on to DynamoDB Local.
 * @param onResponse is called after each response, and when a caller leaves: the request may have been a write
 */
export async function openDatabasePort(endpoint: string, onResponse: () => void): Promise<DatabasePort> {
  const { hostname, port } = new URL(endpoint);
  const server = createServer((caller) => {
    const database = connect(Number(port), hostname);
    database.on('data', onResponse);
    // A caller that was killed after a write takes no response.
    database.on('close', onResponse);
    // A connection may end at any time.
    pipeline(caller, database, caller).catch(() => {});
  });
  server.unref();
  await new Promise<void>((listening, failed) => server.once('error', failed).listen(0, listening));
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => server.close(),
  };
}
