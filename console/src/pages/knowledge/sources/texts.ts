/** Texts about sources of documents. */

import type { KnowledgeSource, SourcePage } from '../../../../../clients/typescript/src/index.ts';
import { countText } from '../../../shared/amounts.ts';

type Tone = 'good' | 'bad' | 'busy' | 'quiet';
type State = { value: string; tone?: Tone };

const types: Readonly<Record<string, string>> = {
  url: 'One page',
  sitemap: 'Sitemap',
  feed: 'Feed',
  site: 'Website',
};

export const typeOf = ({ type }: Pick<KnowledgeSource, 'type'>): string => types[type] ?? type;

const intervals = { h: 'hour', d: 'day', w: 'week' } as const;

/** @returns `every 6 hours`, `every day`; `only by request` */
export function intervalOf(refresh: string): string {
  const [, count, unit] = /^(\d+)([hdw])$/.exec(refresh) ?? [];
  if (!count || !(unit === 'h' || unit === 'd' || unit === 'w')) return 'only by request';
  return count === '1' ? `every ${intervals[unit]}` : `every ${count} ${intervals[unit]}s`;
}

/** @returns whether the next refresh of a source is due, so that a worker starts it in a moment */
export const isDue = ({ nextRefreshAt, paused }: KnowledgeSource, nowMs: number): boolean =>
  !paused && nextRefreshAt !== null && Date.parse(nextRefreshAt) <= nowMs;

/** @returns whether the last job of a source runs, as far as the source says it */
export const isRefreshing = ({ jobId, lastRefresh }: KnowledgeSource): boolean =>
  jobId !== null && jobId !== lastRefresh?.jobId;

/** @returns the text and the tone of the badge of a source */
export function stateOf(source: KnowledgeSource): State {
  if (isRefreshing(source)) return { value: 'refreshing', tone: 'busy' };
  if (source.paused) return { value: 'paused', tone: 'busy' };
  const { lastRefresh, health } = source;
  if (!lastRefresh)
    return health.reason ? { value: 'failing', tone: 'bad' } : { value: 'not read yet', tone: 'quiet' };
  if (lastRefresh.status !== 'succeeded') return { value: lastRefresh.status };
  if (lastRefresh.unconfirmed > 0) return { value: 'needs an answer', tone: 'busy' };
  return lastRefresh.failedPages > 0
    ? { value: 'read in part', tone: 'busy' }
    : { value: 'up to date', tone: 'good' };
}

const pauses: Readonly<Record<string, string>> = {
  requested: 'Somebody has paused it.',
  key_revoked:
    'The key that has set it was revoked, with the keys that it had created. Resume it to refresh it on behalf of your credential.',
  restored:
    'It has come back from a backup. Check the address, then resume it to refresh it on behalf of your credential.',
};

/** @returns why a source is not refreshed */
export const whyPaused = ({ pausedReason }: Pick<KnowledgeSource, 'pausedReason'>): string =>
  (pausedReason && pauses[pausedReason]) ?? '';

const pageTones: Readonly<Record<string, Tone>> = { stored: 'good', failed: 'bad', pending: 'busy' };

export const toneOf = ({ status }: SourcePage): Tone => pageTones[status] ?? 'quiet';

/** @returns the changes of the last refresh, on one line */
export function changesOf({ lastRefresh }: Pick<KnowledgeSource, 'lastRefresh'>): string {
  if (!lastRefresh) return '';
  const { created, updated, removed, failedPages, pages } = lastRefresh;
  const changes = [
    [created, 'new'],
    [updated, 'changed'],
    [removed, 'removed'],
    [failedPages, 'failed'],
  ] as const;
  const texts = changes
    .filter(([count]) => count > 0)
    .map(([count, word]) => `${count.toLocaleString('en')} ${word}`);
  return `${countText(pages, 'page')}: ${texts.join(', ') || 'nothing changed'}`;
}
