/** The days of statistics, in UTC. */

import type { ConversationStats } from '../../../clients/typescript/src/index.ts';
import { dayMs } from '../../../lib/base/time.ts';

/** A day in UTC, as the statistics count it. */
export type Day = {
  /** The day, such as `2026-03-01`. */
  day: string;
  /** The day after this one. */
  nextDay: string;
  conversations: number;
  messages: number;
  meanDurationSeconds: number;
};

const nameOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

/** @returns the names of the last days, the oldest first, with today */
export const lastDays = (count: number, nowMs: number): string[] =>
  Array.from({ length: count }, (_, index) => nameOf(nowMs - (count - 1 - index) * dayMs));

/** @returns a day for each name. The statistics leave out days without conversations */
export function daysOf({ items }: ConversationStats, names: readonly string[]): Day[] {
  const itemsByDay = new Map(items.map((item) => [item.key, item]));
  return names.map((day) => {
    const { conversations = 0, messages = 0, meanDurationSeconds = 0 } = itemsByDay.get(day) ?? {};
    return { day, nextDay: nameOf(Date.parse(day) + dayMs), conversations, messages, meanDurationSeconds };
  });
}
