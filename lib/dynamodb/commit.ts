/** Commits writes: a single conditional write, or one transaction. All of them or none. */

import { ConditionalCheckFailedException, TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import {
  DeleteCommand,
  PutCommand,
  TransactWriteCommand,
  type TransactWriteCommandInput,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb';
import type { Client, Session } from './session.ts';
import { type Stamp, type Write, writeParameters } from './write.ts';

/** Why nothing was written: the writes whose condition failed. Empty if another transaction conflicted. */
export type Refusal = { failed: readonly Write[] };

/**
 * @param writes at least one
 * @returns undefined when all were written
 */
export async function commit(
  session: Session,
  writes: readonly Write[],
  stamp: Stamp,
): Promise<Refusal | undefined> {
  const [first] = writes;
  if (writes.length === 1 && first && first.action !== 'ConditionCheckItem') {
    return commitOne(session, first, stamp);
  }
  const needs = writes.map((write) => [write.table, write.action] as const);
  try {
    const command = transaction(session, writes, stamp);
    await session.run(needs, (client) => client.send(command));
    return undefined;
  } catch (error) {
    if (named(error, 'TransactionInProgressException')) return { failed: [] };
    if (!(error instanceof TransactionCanceledException)) throw error;
    return readRefusal(error, writes);
  }
}

async function commitOne(session: Session, write: Write, stamp: Stamp): Promise<Refusal | undefined> {
  const needs = [[write.table, write.action]] as const;
  try {
    await session.run(needs, (client) => sendOne(client, session.tableName(write.table), write, stamp));
    return undefined;
  } catch (error) {
    if (named(error, 'TransactionConflictException')) return { failed: [] };
    if (!(error instanceof ConditionalCheckFailedException)) throw error;
    // The SDK repeats a write that got no response. If the first attempt arrived, the second one finds the item that
    // the first one has written.
    const isOurs = error.Item?.changedIn?.S === stamp.changedIn;
    return isOurs ? undefined : { failed: [write] };
  }
}

function sendOne(client: Client, tableName: string, write: Write, stamp: Stamp) {
  const parameters = {
    ...writeParameters(write, tableName, stamp),
    ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
    ReturnConsumedCapacity: 'TOTAL',
  } as const;
  if ('Item' in parameters) return client.send(new PutCommand(parameters));
  if ('UpdateExpression' in parameters) return client.send(new UpdateCommand(parameters));
  return client.send(new DeleteCommand(parameters));
}

const transactionPart = {
  PutItem: 'Put',
  UpdateItem: 'Update',
  DeleteItem: 'Delete',
  ConditionCheckItem: 'ConditionCheck',
} as const;

function transaction(session: Session, writes: readonly Write[], stamp: Stamp) {
  const items = writes.map((write) => ({
    [transactionPart[write.action]]: writeParameters(write, session.tableName(write.table), stamp),
  }));
  return new TransactWriteCommand({
    TransactItems: items as TransactWriteCommandInput['TransactItems'],
    ReturnConsumedCapacity: 'TOTAL',
  });
}

/** The reasons have the order of the writes. A conflict names no failed condition. */
function readRefusal(error: TransactionCanceledException, writes: readonly Write[]): Refusal {
  const codes = (error.CancellationReasons ?? []).map((reason) => reason.Code ?? 'None');
  const expected = ['None', 'ConditionalCheckFailed', 'TransactionConflict'];
  if (codes.length !== writes.length || !codes.every((code) => expected.includes(code))) throw error;
  return { failed: writes.filter((_, index) => codes[index] === 'ConditionalCheckFailed') };
}

const named = (error: unknown, name: string) => error instanceof Error && error.name === name;
