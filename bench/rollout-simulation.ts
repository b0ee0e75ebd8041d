/** Simulated rollouts: users come back, each user counts once, and the guards are looked at after every unit. */

import { type Guard, judge } from '../lib/rollouts/guard.ts';
import type { SpanMoments } from '../lib/rollouts/sequence.ts';
import { randomOf } from '../scripts/shared/random.ts';

/** Holds from this unit on. Each phase is a span of constant percent. */
export type Phase = { fromUnit: number; percent: number; share: number };

export type Scenario = {
  phases: readonly Phase[];
  /** How much lower the candidate's share is, for each guard. */
  harm: number;
  maxHarm: number;
  /** Each has a score of its own, independent of the others. */
  guards: number;
  /** In the mean. */
  conversationsPerUser: number;
  /** Whether each conversation counts as a unit, as it must not. */
  countsAll?: boolean;
};

/** The results of two conversations of a user correlate by 0.33: with this probability each is what is usual for the user. */
const usual = Math.sqrt(0.33);

/** Guards are looked at until there are so many units on both sides together. */
export const maxUnits = 5000;

/**
 * @param scenario of shares of solved conversations
 * @returns for each run, after how many units the candidate was stopped; Infinity if it was not
 */
export function simulate(scenario: Scenario, runs: number, seed: number): number[] {
  const random = randomOf(seed);
  return Array.from({ length: runs }, () => stopOf(scenario, random));
}

function stopOf(scenario: Scenario, random: () => number): number {
  const { phases, harm, maxHarm, guards, conversationsPerUser, countsAll = false } = scenario;
  const guard = guardOf(scenario);
  /** Of each user, and `usually` for each guard, one after the other. */
  const hashes: number[] = [];
  const usually: number[] = [];
  /** The spans of each guard. */
  const figures: SpanMoments[][] = Array.from({ length: guards }, () => []);
  let phase = -1;
  for (let units = 0; units < maxUnits; ) {
    while (units >= (phases[phase + 1]?.fromUnit ?? Number.POSITIVE_INFINITY)) {
      phase += 1;
      for (const spans of figures) spans.push(emptySpan());
    }
    const isFirst = hashes.length === 0 || random() * conversationsPerUser < 1;
    // Only the first conversation of a user counts.
    if (!isFirst && !countsAll) continue;
    const user = isFirst ? hashes.length : Math.floor(random() * hashes.length);
    if (isFirst) {
      hashes.push(random());
      for (let index = 0; index < guards; index += 1) usually.push(random());
    }
    units += 1;
    const { percent = 0, share = 0 } = phases[phase] ?? {};
    const side = (hashes[user] ?? 0) * 100 < percent ? 'candidate' : 'current';
    const sideShare = side === 'candidate' ? share - harm : share;
    let isStopped = false;
    for (let index = 0; index < guards; index += 1) {
      const spans = figures[index] ?? [];
      const draw = random() < usual ? (usually[user * guards + index] ?? 0) : random();
      const moments = spans[phase]?.[side];
      if (moments === undefined) continue;
      moments.count += 1;
      if (draw < sideShare) {
        moments.sum += 1;
        moments.squares += 1;
      }
      isStopped ||= mayBreach(spans, maxHarm) && isBreach(guard, spans, guards);
    }
    if (isStopped) return units;
  }
  return Number.POSITIVE_INFINITY;
}

const emptySpan = (): SpanMoments => ({
  current: { count: 0, sum: 0, squares: 0 },
  candidate: { count: 0, sum: 0, squares: 0 },
});

const guardOf = ({ maxHarm }: Pick<Scenario, 'maxHarm'>): Guard => ({
  score: 'solved',
  better: 'higher',
  value: true,
  maxHarm,
  minimum: 50,
  maxUnknown: 0.2,
});

const allKnown = { units: 0, open: 0, unknown: 0 };

const isBreach = (guard: Guard, spans: readonly SpanMoments[], guards: number): boolean =>
  judge(guard, { current: allKnown, candidate: allKnown, spans }, guards).verdict === 'breached';

/** The bounds are never nearer to the difference than so many standard deviations, if `alpha` is at most 0.05. */
const leastDeviations = 2.7;

/**
 * Saves nearly all calls of `judge`. It is for shares, for which higher is better.
 * @returns false only if the candidate cannot be worse by more than `maxHarm` in the whole sequence
 */
export function mayBreach(spans: readonly SpanMoments[], maxHarm: number): boolean {
  let candidates = 0;
  let values = 0;
  let spread = 0;
  let difference = 0;
  let inverseTime = 0;
  for (let index = 0; index < spans.length; index += 1) {
    const { current, candidate } = spans[index] as SpanMoments;
    if (current.count === 0 || candidate.count === 0) continue;
    const count = current.count + candidate.count;
    const sum = current.sum + candidate.sum;
    const ratio = candidate.count / current.count;
    candidates += candidate.count;
    values += count;
    spread += sum - (sum * sum) / count;
    difference += candidate.sum - ratio * current.sum;
    inverseTime += candidate.count * (1 + ratio);
  }
  // The variance of each side is at least that of everybody. Both sides of the comparison are multiplied by the candidates' square.
  const harm = -difference - maxHarm * candidates;
  return harm > 0 && harm * harm * 1.000001 > leastDeviations ** 2 * (spread / values) * inverseTime;
}
