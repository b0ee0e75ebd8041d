/** What is done to the tables, as declarations name it. */

import type { Client } from '../../lib/dynamodb/session.ts';
import type { Access, TableName } from '../../lib/dynamodb/tables.ts';
import { intercept } from './faults.ts';

type Part = { TableName?: string };

const actions: Record<string, string> = {
  GetCommand: 'GetItem',
  QueryCommand: 'Query',
  PutCommand: 'PutItem',
  UpdateCommand: 'UpdateItem',
  DeleteCommand: 'DeleteItem',
  BatchGetCommand: 'BatchGetItem',
  BatchWriteCommand: 'BatchWriteItem',
  Put: 'PutItem',
  Update: 'UpdateItem',
  Delete: 'DeleteItem',
  ConditionCheck: 'ConditionCheckItem',
};

/** @returns a client that notes each action on each table (the table's name ends with the one we know it by) */
export function noting(client: Client) {
  const taken: Access[] = [];
  const note = (name: string | undefined, kind: string) =>
    taken.push({ [name?.split('-').at(-1) as TableName]: [actions[kind]] } as Access);
  const noted = intercept(client, ({ constructor: kind, input }) => {
    const { TransactItems, RequestItems, TableName } = input as {
      TransactItems?: Record<string, Part>[];
      RequestItems?: Record<string, unknown>;
      TableName?: string;
    };
    for (const item of TransactItems ?? []) {
      for (const [name, part] of Object.entries(item)) note(part.TableName, name);
    }
    for (const name of Object.keys(RequestItems ?? {})) note(name, kind.name);
    if (TableName) note(TableName, kind.name);
    return undefined;
  });
  return { client: noted, taken };
}
