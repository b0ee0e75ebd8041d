/** Stores the health of webhooks. Several attempts may end at the same time, so each write is repeated with what it finds. */

import { again, retry } from '../../../base/retry.ts';
import { timestamp } from '../../../base/time.ts';
import type { WorkerInput } from '../../../workers/worker.ts';
import { afterAttempt, type Ended, type Health } from '../rules/health.ts';
import { putHealth, type StoredHealth, webhookHealth } from './deliveries.ts';
import type { StoredWebhook } from './webhooks.ts';

const pauseMs = 20;

type Input = Pick<WorkerInput, 'store' | 'commit' | 'sleep' | 'nowMs' | 'randomFraction'>;

/**
 * Stores a health with a new lease.
 * @param before what it was derived from
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

/**
 * Notes how an attempt has ended.
 * @returns the health of the webhook after it; undefined if it is as it was
 */
export const noteAttempt = (
  { id, enabledAt }: Pick<StoredWebhook, 'id' | 'enabledAt'>,
  ended: Ended,
  input: Input,
): Promise<Health | undefined> =>
  changeHealth(id, input, (health) =>
    afterAttempt(health && health.at >= enabledAt ? health : undefined, ended),
  );

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
