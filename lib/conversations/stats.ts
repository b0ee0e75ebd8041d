/** The days that statistics cover, and the grouping of their sums. */

import { invalidField } from '../base/errors.ts';
import { dayMs, timestamp } from '../base/time.ts';
import type { ConversationStats, StatsGroup } from './schema/stats.ts';
import type { Counter, Counts } from './store/counters.ts';

const maxDays = 366;
const usualDays = 30;

const day = (ms: number) => timestamp(ms).slice(0, 10);

/**
 * @param sent epoch milliseconds; `toMs` is exclusive
 * @param cutoffMs conversations that started at this time or earlier have expired
 * @returns the first and the last day (UTC) that the range touches and that have not expired; by default the last 30 days
 * @throws ApiError validation_error
 */
export function statsDays(
  sent: { fromMs: number | undefined; toMs: number | undefined },
  nowMs: number,
  cutoffMs: number | undefined,
): { first: string; last: string } {
  // Includes conversations that start in this millisecond.
  const toMs = sent.toMs ?? nowMs + 1;
  const fromMs = sent.fromMs ?? toMs - 1 - (usualDays - 1) * dayMs;
  if (fromMs >= toMs) throw invalidField('from', 'must be before `to`');
  if (toMs - fromMs > maxDays * dayMs)
    throw invalidField('from', `must be at most ${maxDays} days before \`to\``);
  const keptFromMs = cutoffMs === undefined ? fromMs : cutoffMs + 1;
  return { first: day(Math.max(fromMs, keptFromMs)), last: day(toMs - 1) };
}

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
