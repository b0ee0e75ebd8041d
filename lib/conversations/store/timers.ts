/**
 * Timers: a small item for each active conversation, which TTL removes when the conversation may have timed out. That
 * it has gone is what wakes the sweeper.
 */

import type { Store, Within } from '../../dynamodb/store.ts';
import type { Write } from '../../dynamodb/write.ts';
import { ttlSeconds } from '../../time.ts';
import type { StoredConversation } from './conversations.ts';

export const timersPartition = 'timers';
const timers = (projectId: string): Within => [projectId, timersPartition];

/** Puts the timer, or puts it to another time. */
export const setTimer = (
  store: Store,
  projectId: string,
  { id, timesOutAt }: Pick<StoredConversation, 'id' | 'timesOutAt'>,
): Write<never> =>
  store.put(
    'conversations',
    { id, ttl: ttlSeconds(Date.parse(timesOutAt)) },
    { within: timers(projectId), condition: { kind: 'any' } },
  );

/** Whether it is there or not. */
export const removeTimer = (store: Store, projectId: string, id: string): Write<never> =>
  store.remove('conversations', id, { within: timers(projectId), condition: { kind: 'any' } });
