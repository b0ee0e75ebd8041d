/** Which event a change of a rollout is. Pure. */

import type { RolloutItem } from '../rollouts/store.ts';
import type { EventType } from './types.ts';

type Move = Pick<RolloutItem, 'status' | 'percent'>;
type Changed = Move & Pick<RolloutItem, 'history'>;

const entered = {
  completed: 'rollout.completed',
  aborted: 'rollout.aborted',
  rolled_back: 'rollout.rolled_back',
  paused: 'rollout.paused',
  waiting_for_advance: 'rollout.waiting',
  waiting_for_scores: 'rollout.waiting',
  running: undefined,
} as const satisfies Record<RolloutItem['status'], EventType | undefined>;

/**
 * A change is at most one event. Its new status says more than its new percent.
 * @param before undefined if only the item after the change is known: then its history says what was before
 * @returns undefined for a change that nobody sees, such as the time of a hold
 */
export function rolloutEvent(before: Move | undefined, after: Changed): EventType | undefined {
  const earlier = before ?? after.history.at(-2);
  if (!earlier) return undefined;
  if (earlier.status !== after.status) {
    const type: EventType | undefined = entered[after.status];
    const goesOn = type === undefined || type === 'rollout.waiting';
    if (earlier.status === 'paused' && goesOn) return 'rollout.resumed';
    if (type) return type;
  }
  return earlier.percent === after.percent ? undefined : 'rollout.advanced';
}
