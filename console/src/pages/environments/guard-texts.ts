/** What a guard of a rollout says, as sentences. Pure. */

import type {
  ComparedGuard,
  ComparedMeasure,
  ComparedSide,
  RolloutGuard,
  ScoreOutput,
} from '../../../../clients/typescript/src/index.ts';

/** A share is shown in points of 100, a mean in the unit of its score. */
export type Scale = 'points' | 'mean';

type Named = Pick<RolloutGuard, 'score' | 'value'>;

/** @param type the type of the scores of the evaluator; undefined while it is not known */
export const scaleOf = ({ value }: Named, type: ScoreOutput['type'] | undefined): Scale =>
  value !== undefined || type === 'boolean' || type === 'category' ? 'points' : 'mean';

/** @returns `solved`, or `mood is angry` for a category */
export const guardName = ({ score, value }: Named): string =>
  value === undefined ? score : `${score} is ${value}`;

/** @returns the size of an amount without its sign and its unit: `4`, `0.25` */
export const sizeText = (amount: number, scale: Scale): string =>
  scale === 'points'
    ? (Math.abs(amount) * 100).toLocaleString('en', { maximumFractionDigits: 1 })
    : Math.abs(amount).toLocaleString('en', { maximumSignificantDigits: 3 });

/** @returns `4 points`, `1 point`, `0.25` */
function amountText(amount: number, scale: Scale): string {
  const size = sizeText(amount, scale);
  return scale === 'mean' ? size : `${size} ${size === '1' ? 'point' : 'points'}`;
}

/** @returns the amount with its sign: `−4`, `+0.25`, `0` */
export function signedText(amount: number, scale: Scale): string {
  const size = sizeText(amount, scale);
  return size === '0' ? size : `${amount < 0 ? '−' : '+'}${size}`;
}

/** @returns a share or a mean: `78%`, `3.4` */
export const valueText = (value: number, scale: Scale): string =>
  scale === 'points' ? `${sizeText(value, scale)}%` : `${value < 0 ? '−' : ''}${sizeText(value, scale)}`;

const directionOf = (amount: number): 'less' | 'more' => (amount < 0 ? 'less' : 'more');

/** @returns the band of a difference: `between 1 and 7`, or `between 2 less and 5 more` on both sides of zero */
function bandText(
  { low, high }: Pick<ComparedMeasure, 'low' | 'high'>,
  isLess: boolean,
  scale: Scale,
): string {
  if (low === null || high === null) return 'the band has no bounds yet';
  const text = (amount: number) => sizeText(amount, scale);
  if (isLess && high <= 0) return `between ${text(high)} and ${text(low)}`;
  if (!isLess && low >= 0) return `between ${text(low)} and ${text(high)}`;
  return `between ${text(low)} ${directionOf(low)} and ${text(high)} ${directionOf(high)}`;
}

/**
 * @returns the difference, its band and the limit: `solved: the candidate has 4 points less; between 1 and 7; the guard allows 5.`
 */
export function guardSentence(guard: RolloutGuard, compared: ComparedGuard, scale: Scale): string {
  const { difference } = compared;
  const start = `${guardName(guard)}: `;
  const harmDirection = guard.better === 'higher' ? 'less' : 'more';
  const harm = guard.maxHarm === 0 ? 'nothing' : sizeText(guard.maxHarm, scale);
  const limit = (isNamed: boolean) =>
    `the guard allows ${harm}${isNamed && guard.maxHarm !== 0 ? ` ${harmDirection}` : ''}.`;
  if (difference === null) return `${start}there are no values to compare yet; ${limit(true)}`;
  const isEqual = sizeText(difference, scale) === '0';
  const direction = directionOf(difference);
  const isHarm = !isEqual && direction === harmDirection;
  const what = isEqual
    ? 'the candidate is equal'
    : `the candidate has ${amountText(difference, scale)} ${direction}${isHarm ? '' : ', which is better'}`;
  return `${start}${what}; ${bandText(compared, difference < 0, scale)}; ${limit(!isHarm)}`;
}

/** @returns how many units of a side have a value: those that have ended, without the unknown ones */
export const unitsWithValue = ({ units, open, unknown }: ComparedSide): number =>
  Math.round((units - open) * (1 - (unknown ?? 0)));

const percentText = (share: number | null): string =>
  (share ?? 0).toLocaleString('en', { style: 'percent', maximumFractionDigits: 1 });

/** @returns what the verdict means; for an undecided guard, why */
export function verdictSentence(guard: RolloutGuard, compared: ComparedGuard): string {
  const { verdict, undecidedReason, current, candidate } = compared;
  if (verdict === 'passed') return 'Passed: enough units have a value, and the guard is not breached.';
  if (verdict === 'breached') return 'Breached: the whole band is worse than the guard allows.';
  switch (undecidedReason) {
    case 'too_few_units':
      return (
        `Undecided: too few units have a value. ${unitsWithValue(candidate)} with the candidate and ` +
        `${unitsWithValue(current)} with the current deployment; the guard needs ${guard.minimum} of each.`
      );
    case 'too_many_unknown':
      return (
        `Undecided: too many units have ended without a value. ${percentText(candidate.unknown)} with the candidate and ` +
        `${percentText(current.unknown)} with the current deployment; the guard allows ${percentText(guard.maxUnknown)}.`
      );
    default:
      return 'Undecided: nothing is evaluated. A guard passes only with values of both deployments.';
  }
}

/**
 * @param type the type of the scores of the evaluator; undefined while it is not known
 * @returns the filter of the list of conversations that finds the bad ones, such as `solved:eq:false`
 */
export function badFilter(
  { score, value, better }: Pick<RolloutGuard, 'score' | 'value' | 'better'>,
  type: ScoreOutput['type'] | undefined,
  currentMean: number | null,
): string {
  const isHigher = better === 'higher';
  if (value !== undefined) return `${score}:${isHigher ? 'ne' : 'eq'}:${value}`;
  if (type === 'boolean') return `${score}:eq:${!isHigher}`;
  if (type !== 'number' || currentMean === null) return `${score}:exists`;
  return `${score}:${isHigher ? 'lt' : 'gt'}:${Number(currentMean.toPrecision(6))}`;
}
