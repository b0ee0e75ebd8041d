/**
 * Deliveries are stored for as long as events. Each delivery is in the partition of its webhook, and its id is derived from the
 * event and the webhook. So an event that is fanned out again adds nothing. The content of a request besides the event is in a
 * separate item. A delivery of a project has an entry in a partition of the project. Erasures and purges find the delivery by
 * this entry.
 */

import type { Caller } from '../../base/caller.ts';
import { idPrefixes, idRangeOf } from '../../base/ids.ts';
import type { Scope } from '../../base/scopes.ts';
import { projectCollection, type Stored, tenantCollection, unchanged } from '../../dynamodb/collection.ts';
import { isKept } from '../../dynamodb/indexed-log.ts';
import { load } from '../../dynamodb/load.ts';
import type { Page, ProjectStore, Store } from '../../dynamodb/store.ts';
import type { Write } from '../../dynamodb/write.ts';
import type { Change } from '../../workers/change.ts';
import type { Attempt } from '../rules/attempts.ts';
import { covers } from '../rules/grants.ts';
import type { Delivery } from '../schema/delivery.ts';
import { type StoredWebhook, seenWebhook, webhooks } from './webhooks.ts';

export type { ProjectStore, Store };
export { isKept };

export type StoredDelivery = Stored<
  Omit<Delivery, 'attempts'> & {
    attempts: Attempt[];
    projectId: string | null;
    resourceId: string;
    /** The scopes that reading the event needs. */
    scopes: readonly Scope[];
    /** How many attempts have begun. */
    begun: number;
    /** The number of attempts that have failed since the delivery was created or requested again. */
    failures: number;
    /** The number of times that an attempt had to wait for other attempts since then. */
    holds: number;
    /** The number of times that the delivery was requested again. */
    round: number;
    /** The time at which the delivery was created or last requested again. */
    requestedAt: string;
    /** The start of the pause before the next attempt, if there is a pause. */
    pausedAt?: string;
    ttl: number;
  }
>;

/** The content of the request besides the stored event. */
type StoredPayload = Stored<{
  id: string;
  /** The event as JSON. Only the event of a test is here, because it is not stored. */
  event?: string;
  messages?: string;
  messagesTruncated?: boolean;
  ttl: number;
}>;

export type SentEvent = {
  id: string;
  type: string;
  timestamp: string;
  projectId: string | null;
  data: Record<string, unknown>;
};

/** The id is `<resource>#<delivery>`, so the deliveries of one resource are together. */
type IndexEntry = Stored<{ id: string; webhookId: string; ttl: number }>;

export const deliveries = tenantCollection<StoredDelivery, [webhookId: string]>('deliveries', (id) => [id]);
export const deliveryPayloads = tenantCollection<StoredPayload, [webhookId: string]>('deliveries', (id) => [
  id,
  'extra',
]);
export const deliveryIndex = projectCollection<IndexEntry>('deliveries', () => ['places']);

/** How far a recovery is. Its id is that of the webhook. */
type StoredRecoveryPosition = Stored<{
  id: string;
  /** The request that it belongs to. */
  requestedAt: string;
  phase: 'failed' | 'missed';
  /** The last delivery of the first phase, or the last event of the second phase. Empty at the begin of a phase. */
  after: string;
  /** The number of deliveries so far. */
  deliveries: number;
  ttl: number;
}>;
export type RecoveryPosition = Pick<StoredRecoveryPosition, 'phase' | 'after' | 'deliveries'>;
export const recoveryPositions = tenantCollection<StoredRecoveryPosition>('deliveries', () => ['recovery']);

export const deliveryIndexId = (resourceId: string, deliveryId: string): string =>
  `${resourceId}#${deliveryId}`;

export type DeliveryList = {
  status: Delivery['status'] | undefined;
  after: string | undefined;
  limit: number;
};

export function listDeliveries(
  store: Store,
  webhook: StoredWebhook,
  { status, after, limit }: DeliveryList,
  nowMs: number,
): Promise<Page<StoredDelivery>> {
  const { first: from, last: to } = idRangeOf('delivery');
  const filter = (delivery: StoredDelivery) =>
    isKept(delivery, nowMs) &&
    isOf(webhook, delivery) &&
    (status === undefined || delivery.status === status);
  return deliveries.at(store, webhook.id).page({ from, to, after, limit, filter });
}

/** The type of the event that tests a webhook. It belongs to the webhook, not to a project. */
export const testType = 'webhook.test';

/**
 * @returns whether the webhook may send the delivery: it has the project of the event, and its setter may read the event. Both
 *   may have changed since the delivery was created
 */
export const isOf = (
  { projectIds, scopes: setterScopes }: Pick<StoredWebhook, 'projectIds' | 'scopes'>,
  { eventType, projectId, scopes }: Pick<StoredDelivery, 'eventType' | 'projectId' | 'scopes'>,
): boolean =>
  covers(setterScopes, scopes) &&
  (projectIds === null || eventType === testType || (projectId !== null && projectIds.includes(projectId)));

export type DeliveryChanges = Partial<
  Pick<StoredDelivery, 'status' | 'attempts' | 'begun' | 'failures' | 'holds' | 'nextAttemptAt' | 'pausedAt'>
>;

/** @returns the write of the sender, which fails if another attempt has begun since the delivery was read */
export const advanceDelivery = (
  store: Store,
  webhookId: string,
  { id, begun }: Pick<StoredDelivery, 'id' | 'begun'>,
  changes: DeliveryChanges,
): Write<never> =>
  deliveries
    .at(store, webhookId)
    .update(id, changes, { condition: { kind: 'equals', attribute: 'begun', value: begun } });

/** @returns a write that fails if the delivery has changed since it was read */
export const changeDelivery = (
  store: Store,
  webhookId: string,
  delivery: Pick<StoredDelivery, 'id' | 'changedIn'>,
  changes: DeliveryChanges,
): Write<never> =>
  deliveries.at(store, webhookId).update(delivery.id, changes, { condition: unchanged(delivery) });

/** Makes the delivery pending again, if it is unchanged since it was read. The worker gets a notice. */
export const requestAgain = (
  store: Store,
  delivery: StoredDelivery,
  webhookId: string,
  now: string,
): Write<never> =>
  deliveries
    .at(store, webhookId)
    .update(delivery.id, again(delivery, now), { condition: unchanged(delivery) });

/** @returns the changes when a delivery is requested again */
export const again = ({ round }: Pick<StoredDelivery, 'round'>, now: string) =>
  ({
    status: 'pending',
    nextAttemptAt: now,
    pausedAt: now,
    requestedAt: now,
    failures: 0,
    holds: 0,
    round: round + 1,
  }) as const;

/** @returns whether a change requests an attempt: the delivery is new, or is requested again */
export function wantsDelivery({ kind, partition, id, before, after }: Change): boolean {
  if (!id.startsWith(`${idPrefixes.delivery}_`) || partition.length !== 1 || after?.status !== 'pending')
    return false;
  return kind === 'INSERT' || before?.round !== after.round;
}

/** The delivery in the path, if the caller may see its webhook. */
export const deliveryInPath = load({
  from: [webhooks, deliveries],
  read: (get, { webhook_id, delivery_id }: { webhook_id: string; delivery_id: string }) =>
    Promise.all([get(webhooks, webhook_id), get(deliveries, delivery_id, webhook_id)]),
  find([storedWebhook, delivery], context: { caller: Caller; nowMs: number }) {
    const webhook = seenWebhook(storedWebhook, context);
    const isShown = webhook && delivery && isKept(delivery, context.nowMs) && isOf(webhook, delivery);
    return isShown ? { webhook, delivery } : undefined;
  },
});
