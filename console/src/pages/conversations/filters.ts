/** The filters of the list, as they are in the address. */

import type { ConversationExportFilters } from '../../../../clients/typescript/src/index.ts';
import { isRanking } from './ranking.ts';

/** The filters that the list, the search and the export have. */
export const sharedFilters = [
  'status',
  'avatarId',
  'channel',
  'tag',
  'externalUserId',
  'deploymentId',
  'startedFrom',
  'startedBefore',
] as const;

/** The filters that only the list has. */
const listFilters = ['externalId', 'order'] as const;

/** Filters by scores, such as `csat:gte:3`. All of them hold. */
export const scoreFilters = ['score', 'score2', 'score3'] as const;

/** Everything that `Clear` removes. */
export const allFilters = ['q', ...sharedFilters, ...scoreFilters, ...listFilters] as const;

export type FilterName = (typeof allFilters)[number];
export type Filters = { readonly [Name in FilterName]?: string };

/** @returns the filters that are set */
export function filtersOf(query: URLSearchParams): Filters {
  const found: { [Name in FilterName]?: string } = {};
  for (const name of allFilters) {
    const value = query.get(name);
    if (value) found[name] = value;
  }
  return found;
}

const only = <Name extends FilterName>(filters: Filters, names: readonly Name[]): Pick<Filters, Name> =>
  Object.fromEntries(Object.entries(filters).filter(([name]) => names.some((one) => one === name))) as Pick<
    Filters,
    Name
  >;

/** A value that the API does not know, such as that of an edited link, is sent: the API explains what is wrong with it. */
type Sent = Omit<ConversationExportFilters, 'startedFrom' | 'startedBefore'> & {
  startedFrom?: string;
  startedBefore?: string;
};

const sharedOf = (filters: Filters): Sent => only(filters, sharedFilters) as Sent;

export const scoresOf = (filters: Filters): string[] => scoreFilters.flatMap((name) => filters[name] ?? []);

const scored = (filters: Filters): { score?: string[] } => {
  const score = scoresOf(filters);
  return score.length > 0 ? { score } : {};
};

/** @returns what the search takes */
export const searchedOf = (filters: Filters) => ({ ...sharedOf(filters), ...scored(filters) });

/** @returns what the export takes */
export function exportedOf(filters: Filters): Sent {
  const scores = scoresOf(filters);
  return { ...sharedOf(filters), ...(scores.length > 0 && { scores }) };
}

/** @returns what the list takes. It does not know the orders of this page, which sorts by itself */
export const listedOf = (filters: Filters) => {
  const { order, ...others } = only(filters, [...sharedFilters, ...listFilters]);
  const sent = order === undefined || isRanking(order) ? others : { ...others, order };
  return { ...sent, ...scored(filters) } as Sent & {
    externalId?: string;
    order?: 'newest' | 'oldest';
    score?: string[];
  };
};

const dayMs = 86_400_000;

export const periods = ['hour', 'today', 'yesterday', 'week', 'month'] as const;
export type Period = (typeof periods)[number];

const minuteMs = 60_000;

/** @returns the period that the filters have; undefined for another range */
export function periodOf({ startedFrom, startedBefore }: Filters, nowMs: number): Period | undefined {
  return periods.find((period) => {
    const range = rangeOf(period, nowMs);
    if (range.startedBefore !== startedBefore || startedFrom === undefined) return false;
    // The last hour goes on while the page is open.
    const slackMs = period === 'hour' ? 5 * minuteMs : 0;
    return Math.abs(Date.parse(range.startedFrom) - Date.parse(startedFrom)) <= slackMs;
  });
}

/** @returns the range of starts, with days as the browser counts them */
export function rangeOf(period: Period, nowMs: number): { startedFrom: string; startedBefore?: string } {
  const midnight = new Date(nowMs).setHours(0, 0, 0, 0);
  // Not `midnight - dayMs`: a day has 23 or 25 hours when the clocks change.
  const before = (days: number) => new Date(midnight).setDate(new Date(midnight).getDate() - days);
  const iso = (ms: number) => new Date(ms).toISOString();
  if (period === 'hour') return { startedFrom: iso(nowMs - dayMs / 24) };
  if (period === 'today') return { startedFrom: iso(midnight) };
  if (period === 'yesterday') return { startedFrom: iso(before(1)), startedBefore: iso(midnight) };
  return { startedFrom: iso(before(period === 'week' ? 7 : 30)) };
}
