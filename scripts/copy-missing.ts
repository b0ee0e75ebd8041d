/**
 * `npm run copy-missing`: copies items from a restored table that a table of the service lacks. It never overwrites an item,
 * so a revoked key stays revoked. Restore `projects` and `conversations` before what is below them.
 *
 *   npm run copy-missing -- --from RESTORED --to NAME                       everything
 *   npm run copy-missing -- --from RESTORED --to NAME --tenant org_…#live   one partition
 *   npm run copy-missing -- --tombstones --from NAME --to RESTORED          before RESTORED takes the place of NAME
 *
 * It skips:
 *   - expired items (TTL),
 *   - what was erased, expunged or deleted since: conversations with all that belongs to them, documents, avatars, projects,
 *   - everything below a missing project,
 *   - search indexes with the text of an expunged document,
 *   - the responses in idempotency records: a copied record only prevents a second effect,
 *   - sums of statistics: conversations that are not counted are counted again, from their current state.
 *
 * --tombstones copies only revoked and rotated keys, tombstones and purges, and removes from RESTORED what they name. It overwrites
 * existing items.
 */

import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, QueryCommand, ScanCommand } from '@aws-sdk/lib-dynamodb';
import { inBatches } from '../lib/batches.ts';
import { partitionKey } from '../lib/dynamodb/tables.ts';
import type { Item } from '../lib/dynamodb/write.ts';
import { explainMistake } from './aws/mistakes.ts';
import { carryOver, type Outcome, putBack } from './restore/put-back.ts';
import { findStage } from './restore/stage-tables.ts';
import { readOptions } from './shared/options.ts';

export type Copy = {
  from: string;
  to: string;
  /** One partition. Default: everything. */
  tenant?: string | undefined;
  /** Copies only tombstones and revocations, and overwrites existing items. */
  tombstones?: boolean | undefined;
};

const atOnce = 25;

/** @returns the number of items copied, already present, and skipped */
export async function copyMissing(client: DynamoDBClient, copy: Copy): Promise<Record<Outcome, number>> {
  const { from, to, tenant, tombstones = false } = copy;
  const stage = findStage(tombstones ? [from, to] : [to]);
  // Without it, objects with a field named `constructor` are refused.
  const documents = DynamoDBDocumentClient.from(client, {
    marshallOptions: { convertClassInstanceToMap: true },
  });
  const act = (item: Item) =>
    tombstones ? carryOver(documents, stage, to, item) : putBack(documents, stage, to, item);
  const counts: Record<Outcome, number> = { copied: 0, present: 0, skipped: 0 };
  for await (const items of pagesOf(documents, from, tenant)) {
    for (const outcome of await inBatches(items, atOnce, act)) counts[outcome] += 1;
  }
  return counts;
}

async function* pagesOf(client: DynamoDBDocumentClient, from: string, tenant: string | undefined) {
  let start: Record<string, unknown> | undefined;
  do {
    const page = { TableName: from, ConsistentRead: true, Limit: 500, ExclusiveStartKey: start };
    const { Items = [], LastEvaluatedKey } = await client.send(
      tenant === undefined ? new ScanCommand(page) : new QueryCommand({ ...page, ...partition(tenant) }),
    );
    yield Items as Item[];
    start = LastEvaluatedKey;
  } while (start);
}

const partition = (tenant: string) => ({
  KeyConditionExpression: '#tenant = :tenant',
  ExpressionAttributeNames: { '#tenant': partitionKey },
  ExpressionAttributeValues: { ':tenant': tenant },
});

async function main(): Promise<void> {
  const string = { type: 'string' } as const;
  const options = { from: string, to: string, tenant: string, tombstones: { type: 'boolean' } as const };
  const usage = 'Usage: npm run copy-missing -- [--tombstones] --from NAME --to NAME [--tenant org_…#live]';
  const { from, to, tenant, tombstones } = readOptions(options, usage);
  if (!from || !to || from === to) throw new Error(usage);
  const counts = await copyMissing(new DynamoDBClient({}), { from, to, tenant, tombstones });
  console.log(
    `${counts.copied} copied, ${counts.present} already present, ${counts.skipped} skipped because they ` +
      'were removed or have expired.',
  );
}

if (import.meta.main) {
  main().catch(async (error: Error) => {
    console.error((await explainMistake(error)) ?? error.message);
    process.exit(1);
  });
}
