/** How often the guards of rollouts stop candidates, wrongly and rightly: simulated, so it is the same on every machine. */

import { type Budgeted, budgets } from './budgets.ts';
import type { Findings } from './findings.ts';
import { type Phase, type Scenario, simulate } from './rollout-simulation.ts';
import { count, percentile, progress } from './statistics.ts';

type Case = Omit<Scenario, 'conversationsPerUser'> & {
  what: string;
  /** What the guards should do. Some rows only show what would happen. */
  wanted: 'goes on' | 'is stopped' | 'anything';
};

export type Measured = Scenario & Pick<Case, 'what' | 'wanted'> & { stops: readonly number[] };

const steady = (share: number, percent: number): Phase[] => [{ fromUnit: 0, percent, share }];
const equal = { harm: 0, maxHarm: 0 };

/** At 0.8, the candidate has 0.7. With a power of 90 % and an error of 5 % on two sides, a fixed sample has so many units. */
const fixedSample = 784;

const percentOf = ({ phases }: Pick<Scenario, 'phases'>) => phases.map(({ percent }) => percent).join(' → ');

export const cases: readonly Case[] = [
  ...[0.02, 0.5, 0.8, 0.98].flatMap((share) =>
    [50, 10].flatMap((percent) =>
      [1, 5].map((guards): Case => {
        const phases = steady(share, percent);
        return { what: `both ${share.toFixed(2)}`, phases, ...equal, guards, wanted: 'goes on' };
      }),
    ),
  ),
  ...[1, 5].flatMap((guards): Case[] => [
    {
      what: 'both 0.80, later 0.60',
      phases: [
        { fromUnit: 0, percent: 10, share: 0.8 },
        { fromUnit: 1000, percent: 50, share: 0.6 },
      ],
      ...equal,
      guards,
      wanted: 'goes on',
    },
    {
      what: 'both 0.60, 0.70, 0.80',
      phases: [
        { fromUnit: 0, percent: 10, share: 0.6 },
        { fromUnit: 1500, percent: 25, share: 0.7 },
        { fromUnit: 3000, percent: 50, share: 0.8 },
      ],
      ...equal,
      guards,
      wanted: 'goes on',
    },
  ]),
  ...[50, 10].map((percent): Case => {
    const harmed = { phases: steady(0.8, percent), harm: 0.05, maxHarm: 0.05, guards: 1 };
    return { what: '0.80 and 0.75, as much as `maxHarm` allows', ...harmed, wanted: 'goes on' };
  }),
  ...[50, 10].map((percent): Case => {
    const harmed = { phases: steady(0.8, percent), harm: 0.1, maxHarm: 0, guards: 1 };
    return { what: '0.80 and 0.70', ...harmed, wanted: percent === 50 ? 'is stopped' : 'anything' };
  }),
  {
    what: 'both 0.80, if each conversation counted',
    phases: steady(0.8, 50),
    ...equal,
    guards: 1,
    countsAll: true,
    wanted: 'anything',
  },
];

export const conversationsPerUser = [1, 5, 20];

/** @returns each case with each number of conversations, from a seed of its own */
export function measured(chosen: readonly Case[], runs: number): Measured[] {
  return chosen.flatMap((one) =>
    conversationsPerUser.map((conversations, index) => {
      const scenario = { ...one, conversationsPerUser: conversations };
      progress(`rollouts: ${one.what} at ${percentOf(one)} %, ${one.guards} guards, ${conversations} a user`);
      const seed = 1 + conversationsPerUser.length * cases.indexOf(one) + index;
      return { ...scenario, stops: simulate(scenario, runs, seed) };
    }),
  );
}

/** @returns the ends of the 95 % interval of a share, by E. B. Wilson's score (1927) */
export function wilson(hits: number, runs: number): { low: number; high: number } {
  const z = 1.959964;
  const share = hits / runs;
  const middle = share + z ** 2 / (2 * runs);
  const margin = z * Math.sqrt((share * (1 - share)) / runs + z ** 2 / (4 * runs ** 2));
  const all = 1 + z ** 2 / runs;
  return { low: Math.max(0, (middle - margin) / all), high: Math.min(1, (middle + margin) / all) };
}

const stopped = ({ stops }: Measured) => stops.filter(Number.isFinite).length;
const intervalOf = (one: Measured) => wilson(stopped(one), one.stops.length);

/** @returns the figures that have a budget */
export function budgetedOf(all: readonly Measured[]): Budgeted[] {
  return all.flatMap((one): Budgeted[] => {
    const what = `${one.what} at ${percentOf(one)} %, ${one.guards} guards, ${one.conversationsPerUser} conversations a user`;
    const { low, high } = intervalOf(one);
    if (one.wanted === 'anything') return [];
    if (one.wanted === 'goes on') return [{ budget: 'falseStops', what, value: low }];
    return [
      { budget: 'missedStops', what, value: 1 - high },
      { budget: 'stopRatio', what: `${what}, median`, value: percentile(one.stops, 0.5) / fixedSample },
      { budget: 'slowStopRatio', what: `${what}, slow`, value: percentile(one.stops, 0.9) / fixedSample },
    ];
  });
}

const shownPercent = (share: number): string => Number((100 * share).toFixed(1)).toString();

function cell(one: Measured): string {
  const { low, high } = intervalOf(one);
  const share = `${shownPercent(stopped(one) / one.stops.length)} % (${shownPercent(low)}–${shownPercent(high)})`;
  if (one.harm <= one.maxHarm) return share;
  return `${share}, half within ${count(percentile(one.stops, 0.5))} units, 90 % within ${count(percentile(one.stops, 0.9))}`;
}

function rowOf(one: Case, all: readonly Measured[]): (string | number)[] {
  const ofCase = all.filter(
    ({ phases, guards, what }) => phases === one.phases && guards === one.guards && what === one.what,
  );
  return [one.what, percentOf(one), one.guards, ...ofCase.map(cell)];
}

export function rollouts(runs = 2000): Findings {
  const all = measured(cases, runs);
  return {
    head: [
      'shares of both',
      'candidate %',
      'guards',
      ...conversationsPerUser.map(
        (number) => `stopped, ${number} ${number === 1 ? 'conversation' : 'conversations'} a user`,
      ),
    ],
    rows: cases.map((one) => rowOf(one, all)),
    notes:
      `Must: at most ${100 * budgets.falseStops} % of the candidates are stopped that do no more harm than allowed, and at least ` +
      `${100 * (1 - budgets.missedStops)} % of those that have 0.70 in place of 0.80, the median within ` +
      `${budgets.stopRatio.toFixed(1)} and 90 % within ${budgets.slowStopRatio.toFixed(1)} times the ${fixedSample} units of a fixed sample ` +
      'that finds this harm with a power of 90 %.',
    rounds: `${count(runs)} simulated rollouts for each figure, from a fixed seed, the guards looked at after each of 5,000 units`,
    spread: 'shares, with their 95 % intervals (Wilson) in brackets',
    budgeted: budgetedOf(all),
  };
}
