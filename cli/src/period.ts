/** Periods such as "yesterday", in a time zone that is always known: UTC unless told. */

import { TZDateMini } from '@date-fns/tz';
import { usageError } from './errors.ts';

export type PeriodOptions = { from?: string; to?: string; timeZone?: string };

export const periodOptions = [
  ['--from <time>', 'started then or later: today, yesterday, 7d, 2026-03-01 or 2026-03-01T10:00:00Z'],
  ['--to <time>', 'started before then'],
  ['--time-zone <name>', 'of days, such as Europe/Berlin (default: UTC)'],
] as const;

export const periodHelp =
  '--to is exclusive, like the end of every period. Without it, --from yesterday and --from 2026-03-01 mean that one day, and any ' +
  'other --from means until now. Days begin at midnight UTC, or in --time-zone.';

/** Times in ISO 8601, UTC. Undefined where the period is open. */
export type Period = { startedFrom?: string | undefined; startedBefore?: string | undefined };

/** @throws CliError if a time or the zone is not valid, or if the period ends before it begins */
export function periodFrom({ from, to, timeZone = 'UTC' }: PeriodOptions, nowMs: number): Period {
  checkZone(timeZone);
  if (from === undefined && to === undefined) return {};
  const first = from === undefined ? undefined : momentFrom('--from', from, timeZone, nowMs);
  const last = to === undefined ? first?.nextDayMs : momentFrom('--to', to, timeZone, nowMs).ms;
  if (first && last !== undefined && last <= first.ms) throw usageError('The period ends before it begins.');
  return {
    startedFrom: first && new Date(first.ms).toISOString(),
    startedBefore: last === undefined ? undefined : new Date(last).toISOString(),
  };
}

/** @returns one time in ISO 8601, UTC. @throws CliError if it is not valid */
export function timeFrom(option: string, text: string, zone = 'UTC', nowMs: number): string {
  checkZone(zone);
  return new Date(momentFrom(option, text, zone, nowMs).ms).toISOString();
}

type Moment = { ms: number /** The end of the day, if a whole and past day is meant. */; nextDayMs?: number };

function momentFrom(option: string, text: string, zone: string, nowMs: number): Moment {
  const day = (daysFromNow: number) => {
    const date = new TZDateMini(nowMs, zone);
    return new TZDateMini(date.getFullYear(), date.getMonth(), date.getDate() + daysFromNow, zone).getTime();
  };
  if (text === 'now') return { ms: nowMs };
  if (text === 'today') return { ms: day(0) };
  if (text === 'yesterday') return { ms: day(-1), nextDayMs: day(0) };
  const [, days] = /^(\d{1,5})d$/.exec(text) ?? [];
  if (days !== undefined) return { ms: day(-Number(days)) };
  const [, year, month, date] = /^(\d{4})-(\d\d)-(\d\d)$/.exec(text) ?? [];
  if (year && month && date) {
    const [y, m, d] = [Number(year), Number(month) - 1, Number(date)];
    if (new Date(Date.UTC(y, m, d)).toISOString().startsWith(text))
      return {
        ms: new TZDateMini(y, m, d, zone).getTime(),
        nextDayMs: new TZDateMini(y, m, d + 1, zone).getTime(),
      };
  }
  // A time without a zone would mean another moment on every machine.
  if (/^\d{4}-\d\d-\d\dT[\d:.]+(Z|[+-]\d\d:?\d\d)$/.test(text) && !Number.isNaN(Date.parse(text)))
    return { ms: Date.parse(text) };
  throw usageError(
    `${option} is not a time: ${text}`,
    'Write now, today, yesterday, 7d, 2026-03-01, or 2026-03-01T10:00:00Z (with Z or an offset).',
  );
}

function checkZone(zone: string): void {
  try {
    new Intl.DateTimeFormat('en', { timeZone: zone });
  } catch {
    throw usageError(`There is no time zone ${zone}.`, 'Example: Europe/Berlin');
  }
}
