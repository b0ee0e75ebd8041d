/** A rollout as callers see it. Pure. */

import { timestamp } from '../base/time.ts';
import { activeTimeEndMs, type Suspendable } from '../organisations/suspensions.ts';
import type { Rollout } from './schema.ts';
import type { RolloutItem } from './store.ts';

/**
 * @param organisation while it is suspended, no time counts
 * @returns when the present step has been held; null if no time is held, or if the organisation is suspended before the end of it
 */
export function holdUntil(
  { hold }: Pick<RolloutItem, 'hold'>,
  organisation: Suspendable = {},
): string | null {
  if (!hold) return null;
  const endMs = activeTimeEndMs(organisation, Date.parse(hold.since), hold.ms);
  return Number.isFinite(endMs) ? timestamp(endMs) : null;
}

/** @returns the rollout without its comparison. A schema removes the attributes that only the table has */
export function showRollout(rollout: RolloutItem, organisation?: Suspendable): Rollout {
  const { hold, holdLeftMs, acceptedBreaches, conversationsBefore, setBy, ...shown } = rollout;
  return { ...shown, holdUntil: holdUntil({ ...(hold && { hold }) }, organisation) };
}
