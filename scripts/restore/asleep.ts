/**
 * Webhooks, sources and evaluators after a restore. They act on behalf of a credential, so a lost one does nothing until somebody
 * has looked at it: the credential may have been revoked since the restored second, and nothing that was lost could be ended with
 * it. What was ended with a credential stays ended.
 */

import { pagesOf } from '../../lib/base/pages.ts';
import { timestamp } from '../../lib/base/time.ts';
import type { ProjectStore } from '../../lib/dynamodb/store.ts';
import type { TableName } from '../../lib/dynamodb/tables.ts';
import type { Item, Write } from '../../lib/dynamodb/write.ts';
import {
  carryEvaluator,
  evaluators,
  evaluatorsPlace,
  getEvaluator,
} from '../../lib/evaluations/store/evaluators.ts';
import { partitionsOfSource } from '../../lib/sources/store/pages.ts';
import {
  carrySetter,
  dropSource,
  getSource,
  sources,
  sourcesPlace,
} from '../../lib/sources/store/sources.ts';

const isWebhook = (table: TableName, { tenant, id }: Item): boolean =>
  table === 'webhooks' && id.startsWith('whk_') && tenant.split('#').length === 2;

const isSource = (table: TableName, { tenant, id }: Item): boolean =>
  table === 'knowledge' && id.startsWith('src_') && tenant.endsWith(`#${sourcesPlace}`);

const isEvaluator = (table: TableName, { tenant, id }: Item): boolean =>
  table === 'conversations' && id.startsWith('eval_') && tenant.endsWith(`#${evaluatorsPlace}`);

/** Whether it is a webhook that was disabled with a key. It stays disabled. */
export const isDisabledWithKey = (table: TableName, item: Item): boolean =>
  isWebhook(table, item) && item.disabledReason === 'key_revoked';

/** @returns a lost item as it is copied: a source or an evaluator is paused, and a webhook is disabled. A reason that it has stays */
export function asleep(table: TableName, item: Item, nowMs: number): Item {
  const updatedAt = timestamp(nowMs);
  if (isSource(table, item) && item.paused !== true)
    return { ...item, paused: true, pausedReason: 'restored', nextRefreshAt: null, updatedAt };
  if (isEvaluator(table, item) && item.paused !== true)
    return { ...item, paused: true, pausedReason: 'restored', updatedAt };
  if (isWebhook(table, item) && item.disabled !== true)
    return { ...item, disabled: true, disabledReason: 'restored', updatedAt };
  return item;
}

/**
 * An evaluator that was paused with a key stays paused.
 * @param place the last part of the item's partition
 */
export const isPausedWithKey = (item: Item, place: string | undefined): boolean =>
  place === evaluatorsPlace && item.pausedReason === 'key_revoked';

/**
 * @param store in restored tables
 * @param item an evaluator that was paused with a key
 * @returns the writes with which the restored table finds it
 */
export const carriedEvaluator = async (store: ProjectStore, item: Item): Promise<Write<never>[]> =>
  carryEvaluator(store, evaluators.read(item), await getEvaluator(store, item.id));

/**
 * A page whose document was expunged stays excluded, and a source that was paused with a key stays paused. The tombstones of
 * deleted sources are not meant here.
 * @param place the last part of the item's partition
 */
export const isSourceTombstone = (item: Item, place: string | undefined): boolean =>
  (place?.startsWith('src_') === true && item.status === 'excluded') ||
  (place === sourcesPlace && item.pausedReason === 'key_revoked');

/**
 * @param store in restored tables
 * @param item a tombstone
 * @returns the writes that remove from the restored tables what the tombstone names; undefined if it is not about a source
 */
export async function endedSource(
  store: ProjectStore,
  item: Item,
  place: string | undefined,
): Promise<Write<never>[] | undefined> {
  if (place?.startsWith('src_')) return [];
  if (!item.id.startsWith('src_')) return undefined;
  const found = await getSource(store, item.id);
  if (place === sourcesPlace) return carrySetter(store, sources.read(item), found);
  const writes = found ? dropSource(store, found) : [];
  for (const { table, partition } of partitionsOfSource(store, item.id)) {
    const query = { partition, from: ' ', to: '~', limit: 1000 };
    for await (const items of pagesOf((after) => store.page(table, { ...query, after })))
      for (const { id } of items)
        writes.push(store.remove(table, id, { partition, condition: { kind: 'any' } }));
  }
  return writes;
}
