/** The grouping of the sums of statistics. */

import { type ScoreSlots, showScore } from '../scores/sums.ts';
import type { ConversationStats, StatsGroup } from './schema/stats.ts';
import { type Amounts, type Counts, plus, type SumOf } from './store/contribution.ts';

/** `countedThrough` is the time of the latest change that it includes. */
export type Sum = SumOf & Amounts & { countedThrough: string };

export type Sums = {
  days: readonly Sum[];
  deployments?: readonly Sum[];
  /** The sums of one score. */
  scores?: readonly Sum[];
};

/** `isShown`: each group shows the score, whose slots are given. Without a score there are no slots. */
type Grouping = { groupBy: StatsGroup | 'score'; slots: ScoreSlots; isShown: boolean };

type Key = string | null;
type Item = { key: Key; counts: Counts; scored: Amounts };

const groupKeys: Record<StatsGroup, (counter: Sum) => Key> = {
  day: ({ day }) => day,
  avatar: ({ avatarId }) => avatarId ?? null,
  channel: ({ channel }) => channel ?? null,
  deployment: ({ deploymentId }) => deploymentId ?? null,
};

/** @returns the sums by key, without empty sums. They are sorted by key, or have the order of the slots. */
export function groupCounters(sums: Sums, { groupBy, slots, isShown }: Grouping): ConversationStats {
  const { days, deployments = [], scores = [] } = sums;
  const total = { counts: totalOf(days), scored: totalOf(scores) };
  const show = ({ counts, scored }: Omit<Item, 'key'>) => ({
    ...showCounts(counts),
    ...(isShown && { score: showScore(scored, slots) }),
  });
  const items =
    groupBy === 'score' ? bySlot(total.counts, total.scored, slots) : byKey(sums, groupBy, total.counts);
  const countedThrough = [...days, ...deployments, ...scores].map((counter) => counter.countedThrough).sort();
  return {
    items: items
      .filter(({ counts }) => counts.conversations > 0)
      .map(({ key, ...amounts }) => ({ key, ...show(amounts) })),
    totals: show(total),
    countedThrough: countedThrough.at(-1) ?? null,
  };
}

function byKey({ days, deployments = [], scores = [] }: Sums, groupBy: StatsGroup, total: Counts): Item[] {
  const keyOf = groupKeys[groupBy];
  const counts = sumsBy(groupBy === 'deployment' ? deployments : days, keyOf);
  // No sum has the conversations without a deployment.
  if (groupBy === 'deployment') counts.set(null, without(total, [...counts.values()]));
  const scored = sumsBy(scores, keyOf);
  return [...counts]
    .map(([key, amounts]) => ({ key, counts: amounts, scored: scored.get(key) ?? none }))
    .sort((a, b) => ((a.key ?? '') < (b.key ?? '') ? -1 : 1));
}

/** A conversation whose score is unknown has no value, as one without a score. */
function bySlot(total: Counts, scored: Amounts, { keys }: ScoreSlots): Item[] {
  const slots = keys.map((key, slot) => {
    const counts = {
      conversations: scored[`v${slot}`] ?? 0,
      messages: scored[`m${slot}`] ?? 0,
      durationSeconds: scored[`d${slot}`] ?? 0,
    };
    const amounts: Amounts = {
      ...counts,
      [`v${slot}`]: counts.conversations,
      [`w${slot}`]: scored[`w${slot}`] ?? 0,
      [`n${slot}`]: scored[`n${slot}`] ?? 0,
    };
    return { key, counts, scored: amounts };
  });
  const counts = without(
    total,
    slots.map((slot) => slot.counts),
  );
  const { unknown = 0 } = scored;
  return [{ key: null, counts, scored: { ...none, conversations: unknown, unknown } }, ...slots];
}

const none: Amounts = { conversations: 0, messages: 0, durationSeconds: 0 };

const totalOf = (counters: readonly Amounts[]): Amounts =>
  counters.reduce<Amounts>((sum, counter) => plus(sum, counter), none);

/** @returns the sums of the sums with the same key */
export const sumsBy = <K>(counters: readonly Sum[], keyOf: (counter: Sum) => K): Map<K, Amounts> =>
  new Map([...Map.groupBy(counters, keyOf)].map(([key, some]) => [key, totalOf(some)]));

/** The sums are read one after the other, so the parts may be of a later time than the whole. */
export function without(whole: Counts, parts: readonly Counts[]): Counts {
  const rest = (name: keyof Counts) =>
    Math.max(0, whole[name] - parts.reduce((sum, part) => sum + part[name], 0));
  return {
    conversations: rest('conversations'),
    messages: rest('messages'),
    durationSeconds: rest('durationSeconds'),
  };
}

const showCounts = ({ conversations, messages, durationSeconds }: Counts) => ({
  conversations,
  messages,
  meanDurationSeconds: conversations === 0 ? 0 : Math.round(durationSeconds / conversations),
});
