/** Periods such as "yesterday". Their time zone is UTC, unless the user names another. */

import { TZDateMini } from '@date-fns/tz';
import { usageError } from './errors.ts';

export type PeriodOptions = { from?: string; to?: string; timeZone?: string };

export const periodOptions = [
  ['--from <time>', 'started then or later: 2h, 02:20, today, yesterday, 7d, 2026-03-01 or 2026-03-01T10:00'],
  ['--to <time>', 'started before then'],
  ['--time-zone <name>', 'the time zone of days and times, such as Europe/Berlin, or local (default: UTC)'],
] as const;

export const periodHelp =
  '--to is exclusive, like the end of every period. Without --to, --from yesterday and --from 2026-03-01 mean ' +
  'that day, and any other --from means until now. Days and times are in UTC, or in --time-zone; `local` is the ' +
  'zone of this machine.';

/** A period with times in ISO 8601, UTC. An open end is undefined. */
export type Period = { startedFrom?: string | undefined; startedBefore?: string | undefined };

/** @throws CliError if a time or the zone is not valid, or if the period ends before it begins */
export function periodFrom({ from, to, timeZone: zone }: PeriodOptions, nowMs: number): Period {
  const timeZone = zoneFrom(zone);
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
export function timeFrom(option: string, text: string, zone: string | undefined, nowMs: number): string {
  return new Date(momentFrom(option, text, zoneFrom(zone), nowMs).ms).toISOString();
}

type Moment = { ms: number /** The end of the day, if the text means a whole day. */; nextDayMs?: number };

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
  const [, count, unit] = /^(\d{1,5})(min|h)$/.exec(text) ?? [];
  if (count !== undefined) return { ms: nowMs - Number(count) * (unit === 'h' ? 3_600_000 : 60_000) };
  const [, hour, minute] = /^(\d\d):(\d\d)$/.exec(text) ?? [];
  if (hour && minute && Number(hour) < 24 && Number(minute) < 60) {
    const at = (daysFromNow: number) => {
      const date = new TZDateMini(nowMs, zone);
      const [y, m, d] = [date.getFullYear(), date.getMonth(), date.getDate() + daysFromNow];
      return new TZDateMini(y, m, d, Number(hour), Number(minute), zone).getTime();
    };
    // The text means the last time at which the clock showed this.
    return { ms: at(0) <= nowMs ? at(0) : at(-1) };
  }
  if (/^\d{4}-\d\d-\d\dT[\d:.]+(Z|[+-]\d\d:?\d\d)$/.test(text) && !Number.isNaN(Date.parse(text)))
    return { ms: Date.parse(text) };
  const local = /^(\d{4}-\d\d-\d\d)[T ](\d\d):(\d\d)(?::(\d\d))?$/.exec(text);
  if (local && !Number.isNaN(Date.parse(`${text.replace(' ', 'T')}Z`))) {
    const [y = 0, m = 0, d = 0] = (local[1] ?? '').split('-').map(Number);
    const [h = 0, min = 0, s = 0] = local.slice(2).map((part) => Number(part ?? 0));
    return { ms: new TZDateMini(y, m - 1, d, h, min, s, zone).getTime() };
  }
  throw usageError(
    `${option} is not a time: ${text}`,
    'Write now, 2h, 30min, 02:20, today, yesterday, 7d, 2026-03-01, 2026-03-01T10:00, or 2026-03-01T10:00:00Z.',
  );
}

/** @returns the name of the zone. The default is UTC, because a script must mean the same everywhere */
function zoneFrom(zone = 'UTC'): string {
  if (zone === 'local') return new Intl.DateTimeFormat().resolvedOptions().timeZone;
  try {
    new Intl.DateTimeFormat('en', { timeZone: zone });
    return zone;
  } catch {
    throw usageError(`There is no time zone ${zone}.`, 'Example: Europe/Berlin, or local');
  }
}

/** The options of lists that are filtered by the time of creation. */
export type CreatedOptions = { createdFrom?: string; createdBefore?: string };

export const createdOptions = [
  ['--created-from <time>', 'only those created then or later, such as 7d'],
  ['--created-before <time>', 'only those created before then'],
] as const;

/** @returns filters of the API. @throws CliError if a time is not valid */
export function createdFrom(options: CreatedOptions, nowMs: number): CreatedOptions {
  const { createdFrom: from, createdBefore: before } = options;
  return {
    ...(from !== undefined && { createdFrom: timeFrom('--created-from', from, undefined, nowMs) }),
    ...(before !== undefined && { createdBefore: timeFrom('--created-before', before, undefined, nowMs) }),
  };
}
