/** Lists all organisations, the oldest first. */

import { ScanCommand } from '@aws-sdk/lib-dynamodb';
import type { Item } from '../../lib/dynamodb/write.ts';
import { organisations, type StoredOrganisation } from '../../lib/organisations/store.ts';
import type { BaseRuntime } from '../../lib/runtime/base-runtime.ts';

/** The table has one small item for each organisation, so it is read completely. */
export async function listOrganisations({ client, tableNames }: BaseRuntime): Promise<StoredOrganisation[]> {
  const command = new ScanCommand({ TableName: tableNames.organisations, ConsistentRead: true });
  const found: StoredOrganisation[] = [];
  do {
    const { Items = [], LastEvaluatedKey } = await client.send(command);
    const own = (Items as Item[]).filter(({ tenant, id }) => tenant === id);
    found.push(...own.map(organisations.read));
    command.input.ExclusiveStartKey = LastEvaluatedKey;
  } while (command.input.ExclusiveStartKey);
  return found.sort((a, b) => (a.id < b.id ? -1 : 1));
}
