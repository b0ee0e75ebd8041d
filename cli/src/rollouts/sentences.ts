/** A rollout in sentences, for people. Pure. */

import type {
  ComparedGuard,
  RolloutBreach,
  RolloutGuard,
  RolloutStep,
  RolloutSummary,
} from '../../../clients/typescript/src/index.ts';
import { counted } from '../output/text.ts';

/** What a status means, behind "The rollout …". */
const statuses: Readonly<Record<RolloutSummary['status'], string>> = {
  running: 'is running',
  waiting_for_advance: 'waits for advance',
  waiting_for_scores: 'waits for scores, because a guard is undecided',
  paused: 'is paused',
  completed: 'has completed',
  aborted: 'was aborted',
  rolled_back: 'was rolled back',
};

const reasons: Readonly<Record<string, string>> = {
  guard_breached: 'a guard was breached',
  credential_revoked: 'its credential may not deploy any more',
};

/** @returns what the rollout does, without a full stop */
export function stateOf({ status, reason }: Pick<RolloutSummary, 'status' | 'reason'>): string {
  const why = reason === null ? '' : `: ${Object.hasOwn(reasons, reason) ? reasons[reason] : reason}`;
  return `${statuses[status] ?? status}${why}`;
}

/** Ends a sentence whose end may be a text of a person. */
export const asSentence = (text: string): string => (/[.!?]$/.test(text) ? text : `${text}.`);

/** @returns who gets what */
export function servedOf(rollout: RolloutSummary): string {
  const { status, percent, deploymentId: candidate, currentDeploymentId: current } = rollout;
  if (status === 'completed') return `Everybody gets the candidate ${candidate}.`;
  if (status === 'aborted') return `Nobody gets the candidate ${candidate} any more.`;
  if (status === 'rolled_back')
    return `Everybody gets ${current} again. The environment is pinned, so new deployments stay staged.`;
  return `${shortNumber(percent)} % of the units get the candidate ${candidate}, all others get ${current}.`;
}

/** @returns how long a step is held */
export function holdOf({ holdMinutes, pause }: RolloutStep): string {
  if (pause || holdMinutes === undefined) return 'until advance';
  if (holdMinutes % 1440 === 0) return counted(holdMinutes / 1440, 'day');
  return holdMinutes % 60 === 0 ? counted(holdMinutes / 60, 'hour') : counted(holdMinutes, 'minute');
}

/** Without `-0` and without zeros at the end. */
const shortNumber = (value: number): string => String(Number(value.toPrecision(3)));

/** How a difference is written: as points of a share, or in the unit of the score. */
type Scale = { of: (value: number) => string; unit: (text: string) => string };

/** A share has at most one decimal. */
const points: Scale = {
  of: (value) => String(Math.round(Math.abs(value) * 1000) / 10),
  unit: (text) => `${text} ${text === '1' ? 'point' : 'points'}`,
};
const plain: Scale = { of: (value) => shortNumber(Math.abs(value)), unit: (text) => text };

const direction = (value: number) => (value < 0 ? 'less' : 'more');

const undecidedReasons: Readonly<Record<string, string>> = {
  nothing_evaluated: 'nothing is evaluated on both sides',
  too_few_units: 'too few units have a value',
  too_many_unknown: 'too many units have no value',
};

/**
 * @param isShare whether the score is a share, as for true and false and for categories
 * @returns such as "solved: the candidate has 4 points less (78 % and 82 %); between 1 and 7 less; the guard allows 5 less. Passed."
 */
export function guardSentence(guard: RolloutGuard, compared: ComparedGuard, isShare: boolean): string {
  const scale = isShare ? points : plain;
  const worse = guard.better === 'higher' ? 'less' : 'more';
  const harm = scale.of(guard.maxHarm);
  const allowed = `the guard allows ${harm === '0' ? `nothing ${worse}` : `${scale.unit(harm)} ${worse}`}`;
  const name = guard.value === undefined ? guard.score : `${guard.score} = ${guard.value}`;
  const parts = [differenceOf(compared, scale, isShare), intervalOf(compared, scale), allowed];
  return `${name}: ${parts.filter(Boolean).join('; ')}. ${verdictOf(guard, compared)}`;
}

/** @returns the figures of the guard that has ended or paused the rollout, as they were then */
export function breachSentence(
  { score, value, current, candidate }: RolloutBreach,
  isShare: boolean,
): string {
  const name = value === null ? score : `${score} = ${value}`;
  const side = ({ mean, units }: RolloutBreach['current']) =>
    `${isShare ? shareText(mean) : shortNumber(mean)} of ${counted(units, 'unit')}`;
  return `When ${name} was breached, the candidate had ${side(candidate)}, and the current deployment ${side(current)}.`;
}

const shareText = (mean: number) => `${Math.round(mean * 1000) / 10} %`;

function differenceOf(
  { difference, current, candidate }: ComparedGuard,
  scale: Scale,
  isShare: boolean,
): string {
  if (difference === null || current.mean === null || candidate.mean === null)
    return 'there is nothing to compare yet';
  const side = (mean: number) => (isShare ? shareText(mean) : shortNumber(mean));
  const means = `(${side(candidate.mean)} and ${side(current.mean)})`;
  const amount = scale.of(difference);
  if (amount === '0') return `the candidate has the same ${means}`;
  return `the candidate has ${scale.unit(amount)} ${direction(difference)} ${means}`;
}

function intervalOf({ low, high }: ComparedGuard, scale: Scale): string {
  if (low === null || high === null) return '';
  // The smaller amount first: both ends are on one side of zero.
  if (low < 0 === high < 0) {
    const [near, far] = low < 0 ? [high, low] : [low, high];
    return `between ${scale.of(near)} and ${scale.of(far)} ${direction(far)}`;
  }
  return `between ${scale.of(low)} less and ${scale.of(high)} more`;
}

function verdictOf({ minimum, maxUnknown }: RolloutGuard, compared: ComparedGuard): string {
  const { verdict, undecidedReason } = compared;
  if (verdict === 'passed') return 'Passed.';
  if (verdict === 'breached') return 'Breached.';
  const why = undecidedReason === null ? undefined : undecidedReasons[undecidedReason];
  const limit =
    undecidedReason === 'too_many_unknown'
      ? ` (the guard allows ${Math.round(maxUnknown * 1000) / 10} %)`
      : undecidedReason === 'too_few_units'
        ? ` (the guard needs ${minimum} on each side)`
        : '';
  return `Undecided${why ? `: ${why}${limit}` : ''}.`;
}
