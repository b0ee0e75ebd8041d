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

/** The filters by scores, such as `csat:gte:3`. A conversation must match all of them. */
export const scoreFilters = ['score', 'score2', 'score3'] as const;

/** The filters that only the search has. */
const searchFilters = ['hideTools'] as const;

/** The filters that "Clear all" removes. */
export const allFilters = [
  'q',
  ...sharedFilters,
  'test',
  ...scoreFilters,
  ...listFilters,
  ...searchFilters,
] as const;

export type FilterName = (typeof allFilters)[number];
export type Filters = { readonly [Name in FilterName]?: string };

/** @returns the filters that are set */
export function filtersOf(query: URLSearchParams): Filters {
  const filters: { [Name in FilterName]?: string } = {};
  for (const name of allFilters) {
    const value = query.get(name);
    if (value) filters[name] = value;
  }
  return filters;
}

const pick = <Name extends FilterName>(filters: Filters, names: readonly Name[]): Pick<Filters, Name> =>
  Object.fromEntries(Object.entries(filters).filter(([name]) => names.some((one) => one === name))) as Pick<
    Filters,
    Name
  >;

/** A value that the API does not know, such as a value of an edited link, is sent, too: the API explains what is wrong with it. */
type ApiFilters = Omit<ConversationExportFilters, 'startedFrom' | 'startedBefore'> & {
  startedFrom?: string;
  startedBefore?: string;
};

const testOf = ({ test }: Filters): { test?: boolean } =>
  test === undefined ? {} : { test: test === 'true' };

const sharedOf = (filters: Filters): ApiFilters => ({
  ...(pick(filters, sharedFilters) as ApiFilters),
  ...testOf(filters),
});

export const scoresOf = (filters: Filters): string[] => scoreFilters.flatMap((name) => filters[name] ?? []);

const scoreQuery = (filters: Filters): { score?: string[] } => {
  const score = scoresOf(filters);
  return score.length > 0 ? { score } : {};
};

/** @returns the filters for the search */
export const searchFiltersOf = (filters: Filters) => ({
  ...sharedOf(filters),
  ...scoreQuery(filters),
  ...(filters.hideTools === 'true' && { hideTools: true }),
});

/** @returns the filters for an export */
export function exportFiltersOf(filters: Filters): ApiFilters {
  const scores = scoresOf(filters);
  return { ...sharedOf(filters), ...(scores.length > 0 && { scores }) };
}

/** @returns the filters for the list. The page sorts by itself in the orders that the API does not have */
export const listFiltersOf = (filters: Filters) => {
  const { order, ...listFields } = pick(filters, [...sharedFilters, ...listFilters]);
  const listQuery = order === undefined || isRanking(order) ? listFields : { ...listFields, order };
  return { ...listQuery, ...testOf(filters), ...scoreQuery(filters) } as ApiFilters & {
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
  // `midnight - dayMs` would be wrong: a day has 23 or 25 hours when the clocks change.
  const midnightBefore = (days: number) => new Date(midnight).setDate(new Date(midnight).getDate() - days);
  const iso = (ms: number) => new Date(ms).toISOString();
  if (period === 'hour') return { startedFrom: iso(nowMs - dayMs / 24) };
  if (period === 'today') return { startedFrom: iso(midnight) };
  if (period === 'yesterday') return { startedFrom: iso(midnightBefore(1)), startedBefore: iso(midnight) };
  return { startedFrom: iso(midnightBefore(period === 'week' ? 7 : 30)) };
}
