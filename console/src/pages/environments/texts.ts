/** Texts about rollouts, their states and their steps. Pure. */

import type {
  CallOptions,
  ComparedRollout,
  Rollout,
  RolloutStatus,
  RolloutStep,
} from '../../../../clients/typescript/src/index.ts';

type Tone = 'good' | 'bad' | 'busy' | 'quiet';

export const tones: Readonly<Record<RolloutStatus, Tone>> = {
  running: 'busy',
  waiting_for_advance: 'busy',
  waiting_for_scores: 'busy',
  paused: 'busy',
  completed: 'good',
  aborted: 'quiet',
  rolled_back: 'bad',
};

const reasons: Readonly<Record<string, string>> = {
  guard_breached: 'a guard was breached',
  credential_revoked: 'the credential on whose behalf it moved may do so no more',
};

/** @returns the reason of a move: of a person as it is, of the service in words */
export const reasonText = (reason: string): string => reasons[reason] ?? reason;

export const isOpen = ({ endedAt }: Pick<Rollout, 'endedAt'>): boolean => endedAt === null;

export const percentText = (percent: number): string =>
  `${percent.toLocaleString('en', { maximumFractionDigits: 2 })}%`;

type State = Pick<Rollout, 'status' | 'reason' | 'steps' | 'percent' | 'guards'>;

/** @returns what happens next, and who has to do it */
export function statusSentence({ status, reason, steps, percent, guards }: State): string {
  switch (status) {
    case 'running':
      if (steps === null) return `It stays at ${percentText(percent)} until somebody moves it.`;
      return guards.length > 0
        ? 'When the step has been held and each guard has passed, the next step begins by itself.'
        : 'When the step has been held, the next step begins by itself.';
    case 'waiting_for_advance':
      return 'It waits until somebody advances it.';
    case 'waiting_for_scores':
      return 'The step has been held. It goes on by itself as soon as each guard has passed.';
    case 'paused':
      if (reason === 'guard_breached')
        return 'A guard is breached. Nothing changes for users until somebody decides. To resume it is to accept the breach.';
      if (reason === 'credential_revoked')
        return 'The credential on whose behalf it moved may do so no more. Resume it, and it moves on behalf of yours.';
      return 'Everybody keeps what they have, and new users are still shared out. No time is held.';
    case 'completed':
      return 'The candidate was promoted for everybody.';
    case 'aborted':
      return 'Somebody ended it: nobody gets the candidate any more.';
    case 'rolled_back':
      return 'A guard was breached: everybody got the deployment that was current, and the environment was pinned.';
  }
}

/** @returns how long a step is held: `held for 1 h 30 min`, or what it waits for */
export function stepText({ holdMinutes, pause }: RolloutStep): string {
  if (pause || holdMinutes === undefined) return 'then waits for somebody to advance it';
  const [days, hours, minutes] = [
    Math.floor(holdMinutes / 1440),
    Math.floor((holdMinutes % 1440) / 60),
    holdMinutes % 60,
  ];
  const parts = [days && `${days} d`, hours && `${hours} h`, minutes && `${minutes} min`].filter(Boolean);
  return `held for ${parts.join(' ')}`;
}

export type Shares = { current: number; candidate: number };

/** @returns who gets what, in percent: after its end, a rollout gives the candidate to nobody by itself */
export function sharesOf(rollout: Pick<Rollout, 'endedAt' | 'percent'> | undefined): Shares {
  const candidate = rollout && isOpen(rollout) ? rollout.percent : 0;
  return { current: Number((100 - candidate).toFixed(2)), candidate };
}

export type Move = 'advance' | 'pause' | 'resume' | 'raise' | 'complete' | 'abort';

/** @returns the moves that the state allows, in the order of their buttons */
export function movesOf({ status, steps, endedAt }: Pick<Rollout, 'status' | 'steps' | 'endedAt'>): Move[] {
  if (endedAt !== null) return [];
  const isPaused = status === 'paused';
  return [
    ...(steps !== null && !isPaused ? (['advance'] as const) : []),
    isPaused ? 'resume' : 'pause',
    'raise',
    'complete',
    'abort',
  ];
}

/** @returns what advancing does */
export function advanceText({ steps, step }: Pick<Rollout, 'steps' | 'step'>): string {
  const next = steps?.[step ?? 0];
  if (!next)
    return 'It was the last step: the candidate is promoted, and everybody gets it, whatever the guards say.';
  return `Step ${(step ?? 0) + 1} begins at once, whatever the guards say: the candidate goes to ${percentText(next.percent)}, ${stepText(next)}.`;
}

/** @returns the options of a move: it is made only if nobody has moved the rollout since it was shown */
export const ifUnmoved = (
  { version }: Pick<ComparedRollout, 'version'>,
  options: CallOptions,
): CallOptions => ({ ...options, ifMatch: `"${version}"` });
