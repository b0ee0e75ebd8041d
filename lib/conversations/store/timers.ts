/**
 * Timers: a small item for each active conversation. TTL removes it when the conversation may have timed out, and the
 * removal triggers the sweeper.
 */

import { projectCollection, type Stored } from '../../dynamodb/collection.ts';
import type { Write } from '../../dynamodb/write.ts';
import { ttlSeconds } from '../../time.ts';
import type { ProjectStore, StoredConversation } from './conversations.ts';

export const timersPartition = 'timers';
export const timers = projectCollection<Stored<{ id: string; ttl: number }>>('conversations', () => [
  timersPartition,
]);

/** Creates the timer or sets it again. */
export const setTimer = (
  store: ProjectStore,
  { id, timesOutAt }: Pick<StoredConversation, 'id' | 'timesOutAt'>,
): Write<never> =>
  timers.at(store).put({ id, ttl: ttlSeconds(Date.parse(timesOutAt)) }, { condition: { kind: 'any' } });

export const removeTimer = (store: ProjectStore, id: string): Write<never> =>
  timers.at(store).remove(id, { condition: { kind: 'any' } });
