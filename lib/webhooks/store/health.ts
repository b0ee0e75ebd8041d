/** Several attempts of a webhook may end at the same time, so each write is repeated with the stored health. */

import { again, retry } from '../../base/retry.ts';
import { timestamp } from '../../base/time.ts';
import { type Stored, tenantCollection, unchanged } from '../../dynamodb/collection.ts';
import type { Store } from '../../dynamodb/store.ts';
import type { Write } from '../../dynamodb/write.ts';
import type { WorkerInput } from '../../workers/worker.ts';
import { afterAttempt, type Ended, type Health, sinceEnabled } from '../rules/health.ts';

/** The id is that of the webhook, and `at` is the time at which the health was stored. */
export type StoredHealth = Stored<Health & { id: string; at: string }>;

export const webhookHealth = tenantCollection<StoredHealth>('deliveries', () => ['health']);

const pauseMs = 20;

/** @returns the write of the health of a webhook. It fails if the health has changed since it was read */
const putHealth = (
  store: Store,
  webhookId: string,
  health: Health,
  before: StoredHealth | undefined,
  at: string,
): Write<never> =>
  webhookHealth
    .at(store)
    .put({ ...health, id: webhookId, at }, { condition: before ? unchanged(before) : { kind: 'absent' } });

type Input = Pick<WorkerInput, 'store' | 'commit' | 'sleep' | 'nowMs' | 'randomFraction'>;

/**
 * Stores a health with a new lease.
 * @param before the health from which it was derived
 * @returns whether it was stored. If not, another attempt has changed it
 */
export async function takeLease(
  webhookId: string,
  health: Health,
  before: StoredHealth | undefined,
  { store, commit, nowMs }: Input,
): Promise<boolean> {
  const write = putHealth(store, webhookId, health, before, timestamp(nowMs()));
  return (await commit([write])) === undefined;
}

/** @returns the health of the webhook after an attempt; undefined if it has not changed */
export const noteAttempt = (
  { id, enabledAt }: { id: string; enabledAt: string },
  attempt: Ended,
  input: Input,
): Promise<Health | undefined> =>
  changeHealth(id, input, (health) => afterAttempt(sinceEnabled(health, enabledAt), attempt));

/** Notes that a receiver is slow, while an attempt is under way. */
export const noteSlowness = (webhookId: string, input: Input): Promise<Health | undefined> =>
  changeHealth(webhookId, input, (health) =>
    health && !health.isSlow && health.failures === 0 ? { ...health, isSlow: true } : undefined,
  );

const changeHealth = (
  webhookId: string,
  { store, commit, sleep, nowMs, randomFraction }: Input,
  change: (health: StoredHealth | undefined) => Health | undefined,
): Promise<Health | undefined> =>
  retry(
    async () => {
      const before = await webhookHealth.at(store).get(webhookId);
      const health = change(before);
      if (!health) return before;
      const write = putHealth(store, webhookId, health, before, timestamp(nowMs()));
      return (await commit([write])) ? again : health;
    },
    {
      failure: () => new Error('other attempts are in the way'),
      pause: (attempt) => sleep(pauseMs * attempt * (1 + randomFraction())),
    },
  );
