/**
 * The DynamoDB usage of a request, measured outside of it: sequential calls and consumed capacity.
 *
 * Reads and single writes count as DynamoDB Local reports them. For a transaction it reports only one item per table,
 * so transactions are computed as DynamoDB bills them: two units for each item and started KB ("Read and write capacity
 * for transactions", Developer Guide).
 */

import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { BatchGetCommand, TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import type { Client } from '../lib/dynamodb/session.ts';

export type Usage = { roundTrips: number; readUnits: number; writeUnits: number; calls: string[] };

const transactionUnits = ({ input }: TransactWriteCommand) =>
  (input.TransactItems ?? []).reduce(
    (sum, { Put }) => sum + 2 * Math.ceil(sizeOf(Put?.Item ?? {}) / 1024),
    0,
  );

/** A missing item costs one unit too, which DynamoDB Local does not count. */
function notFoundUnits({ input }: BatchGetCommand, { Responses = {}, UnprocessedKeys = {} }: Output): number {
  const asked = Object.values(input.RequestItems ?? {}).reduce((sum, { Keys = [] }) => sum + Keys.length, 0);
  const left = Object.values(UnprocessedKeys).reduce((sum, { Keys = [] }) => sum + Keys.length, 0);
  return asked - left - Object.values(Responses).flat().length;
}

/**
 * Names and values in bytes of UTF-8. DynamoDB counts a few more bytes. At least one, because every item costs
 * something.
 */
function sizeOf(item: object): number {
  const binary = Object.values(item).filter((value) => value instanceof Uint8Array);
  const text = JSON.stringify(item, (_, value) => (value?.type === 'Buffer' ? '' : value));
  return Math.max(
    1,
    binary.reduce((sum, { byteLength }) => sum + byteLength, Buffer.byteLength(text)),
  );
}

type Output = {
  ConsumedCapacity?: { CapacityUnits?: number } | { CapacityUnits?: number }[];
  Responses?: Record<string, unknown[]>;
  UnprocessedKeys?: Record<string, { Keys?: unknown[] }>;
};

export function meter(client: Client): { client: Client; reset: () => void; usage: () => Usage } {
  let usage: Usage;
  let underWay = 0;
  const reset = () => {
    usage = { roundTrips: 0, readUnits: 0, writeUnits: 0, calls: [] };
  };
  reset();
  const send = async (command: { constructor: { name: string } }) => {
    const name = command.constructor.name.replace('Command', '');
    if (underWay === 0) usage.roundTrips += 1;
    usage.calls.push(name);
    underWay += 1;
    try {
      const output = (await client.send(command as never)) as Output;
      for (const { CapacityUnits } of [output.ConsumedCapacity ?? []].flat()) {
        if (CapacityUnits === undefined) throw new Error(`${name} did not ask for its consumption`);
        if (['Get', 'BatchGet', 'Query'].includes(name)) usage.readUnits += CapacityUnits;
        else if (!(command instanceof TransactWriteCommand)) usage.writeUnits += CapacityUnits;
      }
      if (command instanceof TransactWriteCommand) usage.writeUnits += transactionUnits(command);
      if (command instanceof BatchGetCommand) usage.readUnits += notFoundUnits(command, output);
      return output;
    } catch (error) {
      // A write is billed even if its condition fails ("Condition expressions", Developer Guide).
      if (error instanceof ConditionalCheckFailedException) usage.writeUnits += 1;
      throw error;
    } finally {
      underWay -= 1;
    }
  };
  return { client: { send } as unknown as Client, reset, usage: () => structuredClone(usage) };
}
