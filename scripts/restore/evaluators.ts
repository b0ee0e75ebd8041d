/** What a restore must not undo of evaluators. */

import type { ProjectStore } from '../../lib/dynamodb/store.ts';
import type { Item, Write } from '../../lib/dynamodb/write.ts';
import {
  carryEvaluator,
  evaluators,
  evaluatorsPlace,
  getEvaluator,
} from '../../lib/evaluations/store/evaluators.ts';

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
