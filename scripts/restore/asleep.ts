/**
 * Webhooks, sources and evaluators that were lost and come back with a restore. They act on behalf of a credential, so each does
 * nothing until somebody has looked at it: the credential may have been revoked since the restored second, and nothing that was lost
 * could be ended with it.
 */

import { timestamp } from '../../lib/base/time.ts';
import type { TableName } from '../../lib/dynamodb/tables.ts';
import type { Item } from '../../lib/dynamodb/write.ts';
import { evaluatorsPlace } from '../../lib/evaluations/store/evaluators.ts';
import { sourcesPlace } from '../../lib/sources/store/sources.ts';

export const isWebhook = (table: TableName, { tenant, id }: Item): boolean =>
  table === 'webhooks' && id.startsWith('whk_') && tenant.split('#').length === 2;

const isSource = (table: TableName, { tenant, id }: Item): boolean =>
  table === 'knowledge' && id.startsWith('src_') && tenant.endsWith(`#${sourcesPlace}`);

const isEvaluator = (table: TableName, { tenant, id }: Item): boolean =>
  table === 'conversations' && id.startsWith('eval_') && tenant.endsWith(`#${evaluatorsPlace}`);

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
