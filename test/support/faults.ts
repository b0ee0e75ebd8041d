/** Faults that DynamoDB Local does not produce. */

import { randomUUID } from 'node:crypto';
import { TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import { type DynamoDBDocumentClient, TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import { mockClient } from 'aws-sdk-client-mock';
import type { Client } from '../../lib/dynamodb/session.ts';
import { openApi, testRuntime } from '../../samples/api.ts';

/**
 * For faults that are responses, and for counts of calls.
 * @returns the API, and a mock of its client. Commands reach the database unless the mock has a response for them
 */
export async function openMocked() {
  // The tests share a client, so only this object is changed.
  const own = Object.create(testRuntime().client) as DynamoDBDocumentClient;
  const mock = mockClient(own);
  mock.send.callThrough();
  return { api: await openApi(() => ({ client: own, sleep: () => Promise.resolve() })), mock };
}

type AnyCommand = { constructor: { name: string }; input: unknown };

/** A client that calls `before` first. Its result or error replaces the command's, unless undefined. */
export function intercept(
  client: Client,
  before: (command: AnyCommand, proceed: () => Promise<unknown>) => Promise<unknown> | undefined,
): Client {
  const send = (command: AnyCommand) => {
    const proceed = () => client.send(command as never);
    return before(command, proceed) ?? proceed();
  };
  return { send } as unknown as Client;
}

type WithKey = { TableName?: string; Item?: Record<string, unknown>; Key?: Record<string, unknown> };

const keyOf = (part: WithKey) =>
  `${part.TableName}/${(part.Item ?? part.Key)?.tenant}/${(part.Item ?? part.Key)?.id}`;

/**
 * Like DynamoDB, and unlike DynamoDB Local: a transaction that meets an item of a running one is cancelled with
 * TransactionConflict ("Amazon DynamoDB transactions: how it works", Developer Guide).
 * @param underWayMs long enough for every duplicate to meet it
 */
export function withTransactionConflicts(
  client: Client,
  underWayMs = 50,
): { client: Client; conflicts: () => number } {
  const underWay = new Set<string>();
  let conflicts = 0;
  const intercepted = intercept(client, (command, proceed) => {
    if (!(command instanceof TransactWriteCommand)) return undefined;
    const parts = (command.input.TransactItems ?? []).map(
      (item) => Object.values(item).find((part) => part !== undefined) as WithKey,
    );
    const keys = parts.map(keyOf);
    if (keys.some((key) => underWay.has(key))) {
      conflicts += 1;
      return Promise.reject(
        new TransactionCanceledException({
          message: 'Transaction cancelled, please refer cancellation reasons for specific reasons',
          $metadata: { httpStatusCode: 400, requestId: randomUUID() },
          CancellationReasons: keys.map((key) => ({
            Code: underWay.has(key) ? 'TransactionConflict' : 'None',
          })),
        }),
      );
    }
    for (const key of keys) underWay.add(key);
    return (async () => {
      try {
        await new Promise((resolve) => setTimeout(resolve, underWayMs));
        return await proceed();
      } finally {
        for (const key of keys) underWay.delete(key);
      }
    })();
  });
  return { client: intercepted, conflicts: () => conflicts };
}
