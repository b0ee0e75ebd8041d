/**
 * Deletes an organisation: everything in every table, its files, and its own item last. It can be killed at any point and run
 * again: it removes the items that it finds, and the next run finds the rest.
 *
 * No request and no worker writes any more while it removes. Requests are refused since the suspension; workers do nothing for
 * an organisation whose deletion has begun (lib/workers/handler.ts). Requests and workers that had started before have ended
 * after `settleMs`.
 */

import { minuteMs, secondMs, timestamp } from '../../lib/base/time.ts';
import { fileKey, isExportPart } from '../../lib/bulk/exports/files/store.ts';
import { isUpload, uploadKey } from '../../lib/bulk/imports/uploads/store.ts';
import { writeEach } from '../../lib/dynamodb/batch.ts';
import { commit } from '../../lib/dynamodb/commit.ts';
import { openSession } from '../../lib/dynamodb/session.ts';
import { type Access, type TableName, tableNames } from '../../lib/dynamodb/tables.ts';
import type { Item, Write } from '../../lib/dynamodb/write.ts';
import { getOrganisation, noteDeletion, type StoredOrganisation } from '../../lib/organisations/store.ts';
import type { BaseRuntime } from '../../lib/runtime/base-runtime.ts';
import { UsageError } from '../shared/options.ts';
import { searchTable } from './search.ts';
import { beginDeletion } from './state.ts';

/** A function runs for at most 15 minutes ("Lambda quotas"), and clocks differ. */
const settleMs = 16 * minuteMs;
/** A request that has verified a key may write for this long after the key is gone: the timeout of its function, and more. */
const requestMs = 30 * secondMs;
/** Nobody writes, so the second pass finds nothing. If something is found again and again, something is wrong. */
const maxPasses = 5;

type Deletion = {
  organisationId: string;
  /** Its name; its id, if the organisation itself is already gone. */
  confirm: string | undefined;
};

type Proof = { table: TableName; removed: number; left: number };

/** The operator's own credentials decide which actions are allowed. */
const access: Access = {
  ...Object.fromEntries(tableNames.map((table) => [table, ['BatchWriteItem'] as const])),
  organisations: ['GetItem', 'PutItem', 'BatchWriteItem'],
};

/**
 * @param tell shows the progress
 * @returns for each table how many items were removed, and how many items the last search found, which is 0
 * @throws UsageError if it is not suspended, not confirmed, or if somebody writes
 */
export async function deleteOrganisation(
  runtime: BaseRuntime,
  { organisationId: id, confirm }: Deletion,
  tell: (progress: string) => void = () => {},
): Promise<Proof[]> {
  const session = openSession(runtime.client, runtime.tableNames, access);
  const organisation = await getOrganisation(session, id);
  requireConfirmed(id, organisation, confirm);
  if (organisation) {
    const { deletionBeganAt } = await beginDeletion(runtime, organisation);
    const waitMs = Date.parse(deletionBeganAt) + settleMs - runtime.nowMs();
    if (waitMs > 0) {
      tell(
        `Waiting ${Math.ceil(waitMs / minuteMs)} minutes, until all requests and workers that had started have ended.`,
      );
      await runtime.sleep(waitMs);
    }
  }
  const removed = new Map<TableName, number>();

  /** @returns the number of items that it found and removed */
  async function empty(table: TableName, isKept: (item: Item) => boolean = () => false): Promise<number> {
    let count = 0;
    for await (const { items } of searchTable(runtime, table, id, { keysOnly: true })) {
      const writes = items.filter((item) => !isKept(item)).map((item) => removal(table, item));
      await writeEach(session, writes, runtime);
      count += writes.length;
    }
    removed.set(table, (removed.get(table) ?? 0) + count);
    if (count > 0) tell(`${table}: ${count} items removed`);
    return count;
  }

  // A restore does not bring back any item that is removed from now on.
  const deletionBeganAt = organisation?.deletionBeganAt ?? timestamp(runtime.nowMs());
  const nowMs = runtime.nowMs();
  await commit(session, [noteDeletion(session, id, deletionBeganAt)], {
    changedBy: 'operator',
    changedThrough: 'script:organisations',
    changedIn: runtime.newId('call', nowMs),
    nowMs,
  });

  // Without keys, no request can be verified. The organisation's item is removed last, because it says that the deletion has
  // begun.
  const isOwn = (item: Item) => item.tenant === id && item.id === id;
  await empty('apiKeys');
  if (organisation) await runtime.sleep(requestMs);
  await removeFiles(runtime, id);
  for (let pass = 1, found = 1; found > 0; pass += 1) {
    if (pass > maxPasses)
      throw new UsageError(`Somebody still writes items of ${id}. Find out who, and run it again.`);
    found = 0;
    for (const table of tableNames) found += await empty(table, isOwn);
  }
  await empty('organisations');

  const proof: Proof[] = [];
  for (const table of tableNames) {
    let left = 0;
    for await (const { items } of searchTable(runtime, table, id, { keysOnly: true })) left += items.length;
    proof.push({ table, removed: removed.get(table) ?? 0, left });
  }
  if (proof.some(({ left }) => left > 0))
    throw new UsageError(`Items of ${id} are left. Run the command again.`);
  return proof;
}

/** Removes the files of exports and uploaded files, while the items that name them still exist. */
async function removeFiles(runtime: BaseRuntime, id: string): Promise<void> {
  for await (const { items } of searchTable(runtime, 'jobs', id, { keysOnly: true })) {
    for (const item of items.filter(isExportPart)) await runtime.files.remove(fileKey(item));
    for (const item of items.filter(isUpload)) await runtime.files.remove(uploadKey(item));
  }
}

function requireConfirmed(
  id: string,
  organisation: StoredOrganisation | undefined,
  confirm: string | undefined,
): void {
  // After a deletion, there may be items that a restore has brought back.
  const name = organisation?.name ?? id;
  if (organisation && organisation.suspendedAt === undefined)
    throw new UsageError(
      `${id} (${name}) is active. Suspend it first: npm run organisations -- suspend ${id}`,
    );
  if (confirm !== name) {
    throw new UsageError(
      `This deletes all data of ${id}${organisation ? ` (${name})` : ', which does not exist any more'}. ` +
        `To confirm, add --confirm ${JSON.stringify(name)}.`,
    );
  }
}

const removal = (table: TableName, { tenant, id }: Item): Write<never> => ({
  action: 'DeleteItem',
  table,
  key: { tenant, id },
  condition: { kind: 'any' },
  onConditionFailed: 'retry',
});
