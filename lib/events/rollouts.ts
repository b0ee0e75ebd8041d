/** Which events a change of a rollout is. Pure. */

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
 * A move may raise the percent and change the status.
 * @param before undefined if only the item after the change is known: then its history says what was before
 * @returns nothing for a change that nobody sees, such as the time of a hold
 */
export function rolloutEvents(before: Move | undefined, after: Changed): EventType[] {
  const earlier = before ?? after.history.at(-2);
  if (!earlier) return [];
  const isRaised = earlier.percent !== after.percent;
  const raised: EventType[] = isRaised ? ['rollout.advanced'] : [];
  const type: EventType | undefined = entered[after.status];
  // From one step that waits to the next, the status is the same.
  if (earlier.status === after.status)
    return type === 'rollout.waiting' && isRaised ? [...raised, type] : raised;
  const goesOn = type === undefined || type === 'rollout.waiting';
  if (earlier.status === 'paused' && goesOn) return [...raised, 'rollout.resumed'];
  return type ? [...raised, type] : raised;
}
