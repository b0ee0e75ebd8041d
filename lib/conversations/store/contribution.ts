/**
 * The sums of statistics to which a conversation contributes, and its amounts in each: a sum of its day, avatar and channel, one
 * of its day and deployment, one for each of its scores, and one of its side in a rollout. Test conversations have sums of their own.
 */

import { amountsOf, type UnitAmounts, type UnitContribution } from '../../rollouts/contribution.ts';
import { type CountedScore, type SlotAmounts, scoreAmounts } from '../../scores/sums.ts';

export type Counts = { conversations: number; messages: number; durationSeconds: number };

/** The values by which conversations are grouped. Only a deployment that is null can be set. `day` is like `2026-03-01`. */
export type Group = {
  day: string;
  avatarId: string;
  channel: string | null;
  deploymentId: string | null;
};

export type CountedScores = Readonly<Record<string, CountedScore>>;

/** What one conversation contributes. It has `scores` if it has a score, and `rollout` with an assignment that came in time. */
export type ContributionValues = Group &
  Counts & { scores?: CountedScores; rollout?: UnitContribution; test?: true };

/** @returns the beginning of the ids of sums. No other id begins with that of test conversations: no name has this character */
export const sumPrefix = (isTest: boolean | undefined): string => (isTest ? 'test!' : '');

export const sumPlaces = ['days', 'deployments', 'scores', 'rollouts'] as const;
export type SumPlace = (typeof sumPlaces)[number];

/** The values by which a sum groups conversations. Each kind of sum has some of these. */
export type SumOf = {
  name?: string;
  day: string;
  avatarId?: string;
  deploymentId?: string | null;
  channel?: string | null;
};

export type Amounts = Counts & { unknown?: number } & SlotAmounts & UnitAmounts;

/** Only the sum of a rollout has no day. */
export type Part = { place: SumPlace; id: string; of: Partial<SumOf>; amounts: Amounts };

/** @returns the parts, each of another sum */
export function partsOf(contributed: ContributionValues): Part[] {
  const { day, avatarId, deploymentId, channel, conversations, messages, durationSeconds, rollout } =
    contributed;
  const prefix = sumPrefix(contributed.test);
  const counts = { conversations, messages, durationSeconds };
  // The channel comes last because it may contain any character. It is never empty, so the id of "no channel" is unique.
  const channelPart = channel ?? '';
  return [
    {
      place: 'days',
      id: `${prefix}${day}#${avatarId}#${channelPart}`,
      of: { day, avatarId, channel },
      amounts: counts,
    },
    ...(deploymentId
      ? [
          {
            place: 'deployments' as const,
            id: `${prefix}${day}#${deploymentId}`,
            of: { day, deploymentId },
            amounts: counts,
          },
        ]
      : []),
    ...Object.entries(contributed.scores ?? {}).map(([name, score]) => ({
      place: 'scores' as const,
      id: `${prefix}${name}#${day}#${avatarId}#${deploymentId ?? ''}#${channelPart}`,
      of: { name, day, avatarId, deploymentId, channel },
      amounts: { ...counts, ...scoreAmounts(score, counts) },
    })),
    ...(rollout
      ? [{ place: 'rollouts' as const, id: rollout.of, of: {}, amounts: amountsOf(rollout, counts) }]
      : []),
  ];
}

/** The contribution of a conversation so far, and its correct contribution. Undefined means that it is not counted. */
export type Replaced = { before: ContributionValues | undefined; after: ContributionValues | undefined };

/** @returns what the replaced contributions add to each sum that they change, by sum */
export function changedSums(replaced: readonly Replaced[]): Map<string, Part> {
  const sums = new Map<string, Part>();
  const add = (contributed: ContributionValues | undefined, sign: 1 | -1) => {
    for (const part of contributed ? partsOf(contributed) : []) {
      const key = `${part.place}#${part.id}`;
      const sum = sums.get(key);
      sums.set(key, { ...part, amounts: plus(sum?.amounts ?? none, part.amounts, sign) });
    }
  };
  for (const { before, after } of replaced) {
    add(before, -1);
    add(after, 1);
  }
  for (const [key, { amounts }] of sums)
    if (Object.values(amounts).every((amount) => amount === 0)) sums.delete(key);
  return sums;
}

const none: Amounts = { conversations: 0, messages: 0, durationSeconds: 0 };

/** @returns the amounts with those of another sum added, or subtracted */
export function plus(amounts: Amounts, added: Amounts, sign: 1 | -1 = 1): Amounts {
  const sum = { ...amounts };
  for (const name of amountNames(added)) sum[name] = (sum[name] ?? 0) + sign * (added[name] ?? 0);
  return sum;
}

const isAmount = (name: string): name is keyof Amounts & string =>
  /^(?:[vmdwnuqrst]\d+|conversations|messages|durationSeconds|unknown|units|open)$/.test(name);

const amountNames = (amounts: object) => Object.keys(amounts).filter(isAmount);

/**
 * @param size the most writes of a transaction: one for each contribution, and one for each sum
 * @returns the differences, as few transactions as neighbours in the same sums allow. Those of one conversation stay together
 */
export function packDifferences<Difference extends Replaced>(
  differences: readonly Difference[],
  size: number,
): Difference[][] {
  const packs: Difference[][] = [];
  let sums = new Set<string>();
  const sortedDifferences = differences
    .map((difference) => ({ difference, changes: [...changedSums([difference]).keys()].sort() }))
    .sort((a, b) => (a.changes.join() < b.changes.join() ? -1 : 1));
  for (const { difference, changes } of sortedDifferences) {
    const pack = packs.at(-1);
    const unionOfSums = new Set([...sums, ...changes]);
    if (pack && pack.length + 1 + unionOfSums.size <= size) {
      pack.push(difference);
      sums = unionOfSums;
    } else {
      packs.push([difference]);
      sums = new Set(changes);
    }
  }
  return packs;
}
