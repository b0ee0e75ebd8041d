/**
 * Writes are committed by a single conditional write, or by one transaction. Either all writes take effect or no write does. A
 * removed resource leaves a tombstone in the same transaction.
 */

import { ConditionalCheckFailedException, TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import {
  DeleteCommand,
  PutCommand,
  TransactWriteCommand,
  type TransactWriteCommandInput,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb';
import { dayMs, ttlSeconds } from '../base/time.ts';
import { gonePlace, resourceAt, resourceKey } from './resources.ts';
import type { Client, Session } from './session.ts';
import { type Author, type Write, writeParameters } from './write.ts';

/** The writes whose condition failed, if nothing was written. The list is empty if another transaction conflicted. */
export type Refusal = { failed: readonly Write[] };

/**
 * @param decidedWrites at least one write
 * @returns undefined when all were written
 */
export async function commit(
  session: Session,
  decidedWrites: readonly Write[],
  author: Author,
): Promise<Refusal | undefined> {
  const writes = [...decidedWrites, ...putGone(decidedWrites, author)];
  const [first] = writes;
  if (writes.length === 1 && first && first.action !== 'ConditionCheckItem') {
    return commitWrite(session, first, author);
  }
  const needs = writes.map((write) => [write.table, write.action] as const);
  try {
    const command = transaction(session, writes, author);
    await session.run(needs, (client) => client.send(command));
    return undefined;
  } catch (error) {
    if (hasName(error, 'TransactionInProgressException')) return { failed: [] };
    if (!(error instanceof TransactionCanceledException)) throw error;
    return readRefusal(error, writes);
  }
}

async function commitWrite(session: Session, write: Write, author: Author): Promise<Refusal | undefined> {
  const needs = [[write.table, write.action]] as const;
  try {
    await session.run(needs, (client) => sendOne(client, session.tableName(write.table), write, author));
    return undefined;
  } catch (error) {
    if (hasName(error, 'TransactionConflictException')) return { failed: [] };
    if (!(error instanceof ConditionalCheckFailedException)) throw error;
    // The SDK repeats a write that got no response. If the first attempt arrived, the second attempt finds the item that the
    // first has written.
    const isWrittenByCall = error.Item?.changedIn?.S === author.changedIn;
    return isWrittenByCall ? undefined : { failed: [write] };
  }
}

function sendOne(client: Client, tableName: string, write: Write, author: Author) {
  const parameters = {
    ...writeParameters(write, tableName, author),
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

function transaction(session: Session, writes: readonly Write[], author: Author) {
  const items = writes.map((write) => ({
    [transactionPart[write.action]]: writeParameters(write, session.tableName(write.table), author),
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

const hasName = (error: unknown, name: string) => error instanceof Error && error.name === name;

/** A tombstone is kept for longer than a stream keeps a change (24 hours), for late readers of the stream. */
export const tombstoneDays = 7;

/**
 * The tombstone of a deleted resource says who removed it, because the stream record of a removal has only the old item, with
 * the stamps of its last change. The tombstone is written in the same transaction.
 * @returns the tombstones of the resources that these writes remove. A resource that they only move gets no tombstone
 */
export function putGone(writes: readonly Write[], { nowMs }: Pick<Author, 'nowMs'>): Write<never>[] {
  if (!writes.some(({ action }) => action === 'DeleteItem')) return [];
  const tombstones = new Map<string, Write<never>>();
  const putNames = new Set<string>();
  for (const { action, table, key } of writes) {
    const resource = resourceAt(table, key);
    if (!resource) continue;
    const name = `${table}/${resourceKey(resource)}`;
    if (action === 'PutItem') putNames.add(name);
    if (action !== 'DeleteItem') continue;
    tombstones.set(name, {
      action: 'PutItem',
      table,
      key: { tenant: `${resource.home}#${gonePlace}`, id: resource.id },
      attributes: { ttl: ttlSeconds(nowMs + tombstoneDays * dayMs) },
      condition: { kind: 'any' },
      onConditionFailed: 'retry',
    });
  }
  return [...tombstones].flatMap(([name, write]) => (putNames.has(name) ? [] : [write]));
}
