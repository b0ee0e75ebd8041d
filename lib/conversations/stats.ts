/** Which days statistics are asked for, and how their sums are put together. */

import { invalidField } from '../errors.ts';
import { dayMs, timestamp } from '../time.ts';
import type { ConversationStats, StatsGroup } from './schema/stats.ts';
import type { Counter, Counts } from './store/counters.ts';

const maxDays = 366;
const usualDays = 30;

const dayOf = (ms: number) => timestamp(ms).slice(0, 10);

/**
 * @param sent epoch milliseconds, `toMs` not included
 * @param goneMs what started then or before is gone
 * @returns the first and the last day (UTC) that the range touches and that the project keeps; without a range the last
 *   30 days
 * @throws ApiError validation_error
 */
export function daysOf(
  sent: { fromMs: number | undefined; toMs: number | undefined },
  nowMs: number,
  goneMs: number | undefined,
): { first: string; last: string } {
  // What starts in this millisecond counts as well.
  const toMs = sent.toMs ?? nowMs + 1;
  const fromMs = sent.fromMs ?? toMs - 1 - (usualDays - 1) * dayMs;
  if (fromMs >= toMs) throw invalidField('from', 'must be before `to`');
  if (toMs - fromMs > maxDays * dayMs)
    throw invalidField('from', `must be at most ${maxDays} days before \`to\``);
  const keptMs = goneMs === undefined ? fromMs : goneMs + 1;
  return { first: dayOf(Math.max(fromMs, keptMs)), last: dayOf(toMs - 1) };
}

const keyOf: Record<StatsGroup, (counter: Counter) => string | null> = {
  day: ({ day }) => day,
  avatar: ({ avatarId }) => avatarId,
  channel: ({ channel }) => channel,
};

/** @returns the sums by their keys, in the order of these; what has come to nothing is left out */
export function groupCounters(counters: readonly Counter[], groupBy: StatsGroup): ConversationStats {
  const sums = new Map<string | null, Counts>();
  for (const counter of counters) {
    const key = keyOf[groupBy](counter);
    sums.set(key, plus(sums.get(key), counter));
  }
  const items = [...sums]
    .filter(([, { conversations }]) => conversations > 0)
    .map(([key, counts]) => ({ key, ...shown(counts) }))
    .sort((a, b) => ((a.key ?? '') < (b.key ?? '') ? -1 : 1));
  const countedThrough = counters.map((counter) => counter.countedThrough).sort();
  return {
    items,
    totals: shown(counters.reduce<Counts>(plus, none)),
    countedThrough: countedThrough.at(-1) ?? null,
  };
}

const none: Counts = { conversations: 0, messages: 0, durationSeconds: 0 };

const plus = (a: Counts = none, b: Counts): Counts => ({
  conversations: a.conversations + b.conversations,
  messages: a.messages + b.messages,
  durationSeconds: a.durationSeconds + b.durationSeconds,
});

const shown = ({ conversations, messages, durationSeconds }: Counts) => ({
  conversations,
  messages,
  meanDurationSeconds: conversations === 0 ? 0 : Math.round(durationSeconds / conversations),
});
