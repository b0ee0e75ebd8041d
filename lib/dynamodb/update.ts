/** This update does not belong to the writes of a handler: it is sent at once, and adds no stamps. */

import { UpdateCommand, type UpdateCommandInput } from '@aws-sdk/lib-dynamodb';
import type { Session } from './session.ts';
import type { TableName } from './tables.ts';

export type UpdateParameters = Omit<UpdateCommandInput, 'TableName' | 'ReturnConsumedCapacity'>;

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
