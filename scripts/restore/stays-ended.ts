/** Webhooks, sources, pages and evaluators that were ended on their own or with a credential. After a restore, they stay ended. */

import { pagesOf } from '../../lib/base/pages.ts';
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
import { isWebhook } from './asleep.ts';

/** Whether it is a webhook that was disabled with a key. It stays disabled. */
export const isDisabledWithKey = (table: TableName, item: Item): boolean =>
  isWebhook(table, item) && item.disabledReason === 'key_revoked';

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
