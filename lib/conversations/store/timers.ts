/** Timers: the schedule says when an active conversation may have timed out. */

import type { Target } from '../../workers/schedule/schedule.ts';
import type { ProjectStore } from './conversations.ts';

/** The worker that ends conversations. */
export const sweeper = 'conversation-sweeper';

export const timerOf = ({ projectId }: ProjectStore, id: string): Target => ({
  worker: sweeper,
  table: 'conversations',
  partition: [projectId],
  id,
});
