/** The grouping of the sums of statistics. */

import type { ConversationStats, StatsGroup } from './schema/stats.ts';
import type { Counter, Counts } from './store/counters.ts';

const groupKeys: Record<StatsGroup, (counter: Counter) => string | null> = {
  day: ({ day }) => day,
  avatar: ({ avatarId }) => avatarId,
  channel: ({ channel }) => channel,
};

/** @returns the sums by key, sorted by key, without empty sums */
export function groupCounters(counters: readonly Counter[], groupBy: StatsGroup): ConversationStats {
  const sums = new Map<string | null, Counts>();
  for (const counter of counters) {
    const key = groupKeys[groupBy](counter);
    sums.set(key, plus(sums.get(key), counter));
  }
  const items = [...sums]
    .filter(([, { conversations }]) => conversations > 0)
    .map(([key, counts]) => ({ key, ...show(counts) }))
    .sort((a, b) => ((a.key ?? '') < (b.key ?? '') ? -1 : 1));
  const countedThrough = counters.map((counter) => counter.countedThrough).sort();
  return {
    items,
    totals: show(counters.reduce<Counts>(plus, none)),
    countedThrough: countedThrough.at(-1) ?? null,
  };
}

const none: Counts = { conversations: 0, messages: 0, durationSeconds: 0 };

const plus = (a: Counts = none, b: Counts): Counts => ({
  conversations: a.conversations + b.conversations,
  messages: a.messages + b.messages,
  durationSeconds: a.durationSeconds + b.durationSeconds,
});

const show = ({ conversations, messages, durationSeconds }: Counts) => ({
  conversations,
  messages,
  meanDurationSeconds: conversations === 0 ? 0 : Math.round(durationSeconds / conversations),
});
