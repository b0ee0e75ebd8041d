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

/** The bytes of an item, names included ("DynamoDB item sizes and formats", Developer Guide). At least one: every item costs something. */
export const sizeOf = (item: object): number => Math.max(1, membersOf(item) - Object.keys(item).length);

/** @returns the bytes of the members of an object, with one more byte for each */
const membersOf = (value: object): number =>
  Object.entries(value).reduce(
    (sum, [name, member]) => sum + Buffer.byteLength(name) + bytesOf(member) + 1,
    0,
  );

function bytesOf(value: unknown): number {
  if (typeof value === 'string') return Buffer.byteLength(value);
  // Two digits are a byte, and there is one more, and another one below zero.
  if (typeof value === 'number')
    return Math.ceil(`${value}`.replace(/\D/g, '').length / 2) + (value < 0 ? 2 : 1);
  if (value instanceof Uint8Array) return value.byteLength;
  if (value instanceof Set) return [...value].reduce((sum: number, member) => sum + bytesOf(member), 0);
  if (Array.isArray(value)) return value.reduce((sum: number, member) => sum + bytesOf(member) + 1, 3);
  return typeof value === 'object' && value !== null ? membersOf(value) + 3 : 1;
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
