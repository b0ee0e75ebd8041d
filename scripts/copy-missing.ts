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
 *   - everything of a deleted organisation,
 *   - what was erased, expunged or deleted since: conversations with all that belongs to them, documents, sources,
 *     avatars, projects,
 *   - everything below a missing project,
 *   - search indexes with the text of an expunged document,
 *   - the responses in idempotency records: a copied record only prevents a second effect,
 *   - sums of statistics: conversations that are not counted are counted again, from their current state.
 *
 * A lost source comes back paused, and a lost webhook disabled: the key that has set it may have been revoked since. A lost rollout
 * comes back paused, too.
 *
 * --tombstones copies only revoked and rotated keys, tombstones, purges, excluded pages, and sources and webhooks that were paused or
 * disabled with a key. It removes from RESTORED what they name, and everything of deleted organisations. It overwrites existing items.
 */

import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, QueryCommand, ScanCommand } from '@aws-sdk/lib-dynamodb';
import { inBatches } from '../lib/base/batches.ts';
import { partitionKey } from '../lib/dynamodb/tables.ts';
import type { Item } from '../lib/dynamodb/write.ts';
import { carryOver, type Outcome, putBack, removerOfDeleted } from './restore/put-back.ts';
import { findStage } from './restore/stage-tables.ts';
import { explainMistake } from './shared/mistakes.ts';
import { readOptions, runCommand, UsageError } from './shared/options.ts';

export type Copy = {
  from: string;
  to: string;
  /** One partition. Default: everything. */
  tenant?: string | undefined;
  /** Copies only tombstones and revocations, and overwrites existing items. */
  tombstones?: boolean | undefined;
};

const atOnce = 25;

export type Counts = Record<Outcome, number> & {
  /** Items of deleted organisations that were removed. */
  removed: number;
};

/** @returns the number of items copied, already present, skipped and removed */
export async function copyMissing(client: DynamoDBClient, copy: Copy): Promise<Counts> {
  const { from, to, tenant, tombstones = false } = copy;
  const stage = findStage(tombstones ? [from, to] : [to]);
  // Without it, objects with a field named `constructor` are refused.
  const documents = DynamoDBDocumentClient.from(client, {
    marshallOptions: { convertClassInstanceToMap: true },
  });
  const act = (item: Item) =>
    tombstones ? carryOver(documents, stage, to, item) : putBack(documents, stage, to, item);
  const counts: Counts = { copied: 0, present: 0, skipped: 0, removed: 0 };
  for await (const items of pagesOf(documents, from, tenant)) {
    for (const outcome of await inBatches(items, atOnce, act)) counts[outcome] += 1;
  }
  if (tombstones) {
    const removeDeleted = removerOfDeleted(documents, stage, to);
    for await (const items of pagesOf(documents, to, tenant)) {
      for (const isRemoved of await inBatches(items, atOnce, removeDeleted))
        if (isRemoved) counts.removed += 1;
    }
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

/** @returns what was done, in a sentence */
export function describeCounts(
  { copied, present, skipped, removed }: Counts,
  { tombstones = false }: Pick<Copy, 'tombstones'>,
): string {
  if (!tombstones)
    return `${copied} copied, ${present} already present, ${skipped} skipped because they were removed or have expired.`;
  const written = `${copied} ${copied === 1 ? 'tombstone' : 'tombstones'} written`;
  return `${written}, ${removed} ${removed === 1 ? 'item' : 'items'} of deleted organisations removed.`;
}

async function main(): Promise<void> {
  const string = { type: 'string' } as const;
  const options = { from: string, to: string, tenant: string, tombstones: { type: 'boolean' } as const };
  const usage = 'Usage: npm run copy-missing -- [--tombstones] --from NAME --to NAME [--tenant org_…#live]';
  const { from, to, tenant, tombstones } = readOptions(options, usage);
  if (!from || !to || from === to) throw new UsageError(usage);
  const counts = await copyMissing(new DynamoDBClient({}), { from, to, tenant, tombstones });
  console.log(describeCounts(counts, { tombstones }));
}

if (import.meta.main) await runCommand(main, explainMistake);
