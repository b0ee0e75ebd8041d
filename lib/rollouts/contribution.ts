/**
 * What a conversation adds to the sums of its rollout, and what these sums say. Pure. A sum is over the conversations of one span and one
 * variant. The first conversation of each unit adds its values when it has ended. Until then the unit is open.
 *
 * All amounts are integers of at most 10 digits, so that the database adds and subtracts them exactly, for up to 9 million units. A
 * number is its whole part (`w`) and billionths (`n`). Its square has four parts of nine digits:
 *
 *   q · 10^9  +  r  +  s · 10^-9  +  t · 10^-18
 */

import type { IndexedScore } from '../scores/comparison.ts';
import { parseAssignment, type Variant } from './assign.ts';
import { maxGuards, type Rollout } from './schema.ts';
import type { Moments } from './sequence.ts';

/** What the sums need to know of a conversation with an assignment that came in time. */
export type UnitContribution = {
  /** The sum: `<rollout id>#<span>#<variant>`. */
  of: string;
  /** Missing for a conversation that is not the first of its unit. */
  unit?: 'open' | 'ended';
  /** Of an ended unit: the value for each guard. Null if it is unknown. */
  values?: readonly (number | null)[];
};

type Measure = 'v' | 'w' | 'n' | 'u' | 'q' | 'r' | 's' | 't';

/**
 * The amounts of a sum for the measure with a number: the guards from 0 on, then the duration and the messages. `v0` is the number of
 * values, `u0` of ended units without a value. An amount of 0 is left out.
 */
export type MeasureAmounts = { [amount: `${Measure}${number}`]: number };

/** Every conversation with an assignment is in `conversations`. */
export type UnitAmounts = {
  conversations: number;
  messages: number;
  durationSeconds: number;
  units?: number;
  open?: number;
} & MeasureAmounts;

const durationMeasure = maxGuards;
const messagesMeasure = maxGuards + 1;

type Assigned = {
  assignment?: string;
  counted?: true;
  late?: true;
  status: 'active' | 'ended';
};
type Guards = readonly Pick<Rollout['guards'][number], 'score' | 'value'>[];

/** @returns the id of the sum of a span and a variant */
export const sumId = ({
  rolloutId,
  span,
  variant,
}: {
  rolloutId: string;
  span: number;
  variant: Variant;
}): string => `${rolloutId}#${span}#${variant}`;

/** @returns the id of the rollout to whose sums the conversation contributes */
export const rolloutOf = ({ of }: UnitContribution): string => of.slice(0, of.indexOf('#'));

/**
 * @param scores the effective scores of the conversation, by name
 * @param rollouts those of the conversations that have ended, by id
 * @returns undefined for a conversation without an assignment, or one that came too late
 */
export function contributedUnit(
  { assignment: text, counted, late, status }: Assigned,
  scores: Readonly<Record<string, { value: IndexedScore }>>,
  rollouts: ReadonlyMap<string, { guards: Guards }>,
): UnitContribution | undefined {
  const assignment = text === undefined || late ? undefined : parseAssignment(text);
  if (!assignment) return undefined;
  const of = sumId(assignment);
  if (!counted) return { of };
  if (status !== 'ended') return { of, unit: 'open' };
  const { guards = [] } = rollouts.get(assignment.rolloutId) ?? {};
  const values = guards.map(({ score, value }) =>
    valueFor(Object.hasOwn(scores, score) ? scores[score]?.value : null, value),
  );
  return { of, unit: 'ended', values };
}

/** @returns 1 or 0 for true and false, and for a category that is that of the guard or another. Null if it is unknown */
function valueFor(score: IndexedScore | undefined, category: string | undefined): number | null {
  if (typeof score === 'boolean') return Number(score);
  if (typeof score === 'number') return score;
  return typeof score === 'string' && category !== undefined ? Number(score === category) : null;
}

/** @returns what the conversation adds to its sum */
export function amountsOf(
  { unit, values = [] }: UnitContribution,
  { messages, durationSeconds }: { messages: number; durationSeconds: number },
): UnitAmounts {
  const none = { conversations: 1, messages: 0, durationSeconds: 0 };
  if (unit === undefined) return none;
  if (unit === 'open') return { ...none, units: 1, open: 1 };
  return {
    conversations: 1,
    messages,
    durationSeconds,
    units: 1,
    ...Object.assign(
      {},
      ...values.map((value, guard) => (value === null ? { [`u${guard}`]: 1 } : amountsOfValue(guard, value))),
    ),
    ...squareOf(durationMeasure, BigInt(durationSeconds) * billion),
    ...squareOf(messagesMeasure, BigInt(messages) * billion),
  };
}

const billion = 1_000_000_000n;

function amountsOfValue(guard: number, value: number): MeasureAmounts {
  const whole = Math.trunc(value);
  const billionths = Math.round((value - whole) * 1e9);
  return {
    [`v${guard}`]: 1,
    ...withoutZeros({ [`w${guard}`]: whole, [`n${guard}`]: billionths }),
    ...squareOf(guard, BigInt(whole) * billion + BigInt(billionths)),
  };
}

/** @param billionths of the number */
function squareOf(measure: number, billionths: bigint): MeasureAmounts {
  const square = billionths * billionths;
  return withoutZeros({
    [`q${measure}`]: Number(square / billion ** 3n),
    [`r${measure}`]: Number((square / billion ** 2n) % billion),
    [`s${measure}`]: Number((square / billion) % billion),
    [`t${measure}`]: Number(square % billion),
  });
}

const withoutZeros = (amounts: MeasureAmounts): MeasureAmounts =>
  Object.fromEntries(Object.entries(amounts).filter(([, amount]) => amount !== 0));

/** What is known of one side in one span. */
export type RolloutSum = {
  span: number;
  variant: Variant;
  /** The conversations with an assignment that came in time, also those of units that were there before. */
  conversations: number;
  units: number;
  /** The units whose conversation has not ended. They have no values yet. */
  open: number;
  /** In the order of the guards. There are `maxGuards`, also if the rollout has fewer. */
  guards: readonly { moments: Moments; unknown: number }[];
  /** In seconds. */
  duration: Moments;
  messages: Moments;
};

/** @returns what a sum says; undefined if its id is not that of a sum */
export function readSum(id: string, amounts: UnitAmounts): RolloutSum | undefined {
  const [, span, variant] = id.split('#');
  if (variant !== 'current' && variant !== 'candidate') return undefined;
  const { conversations, units = 0, open = 0, durationSeconds, messages } = amounts;
  const ended = units - open;
  return {
    span: Number(span),
    variant,
    conversations,
    units,
    open,
    guards: Array.from({ length: maxGuards }, (_, guard) => ({
      moments: {
        count: amounts[`v${guard}`] ?? 0,
        sum: (amounts[`w${guard}`] ?? 0) + (amounts[`n${guard}`] ?? 0) / 1e9,
        squares: squaresIn(amounts, guard),
      },
      unknown: amounts[`u${guard}`] ?? 0,
    })),
    duration: { count: ended, sum: durationSeconds, squares: squaresIn(amounts, durationMeasure) },
    messages: { count: ended, sum: messages, squares: squaresIn(amounts, messagesMeasure) },
  };
}

/** Adds the small parts first. */
const squaresIn = (amounts: MeasureAmounts, measure: number): number =>
  (amounts[`t${measure}`] ?? 0) / 1e18 +
  (amounts[`s${measure}`] ?? 0) / 1e9 +
  (amounts[`r${measure}`] ?? 0) +
  (amounts[`q${measure}`] ?? 0) * 1e9;
