/** What a refresh of a source counts, and where its next step continues. */

import * as z from 'zod';
import { id, shownCount } from '../schema/common.ts';

const count = shownCount();

export const refreshCounts = {
  pages: count.meta({ description: 'The number of pages that were found.', example: 120 }),
  requests: count.meta({ description: 'The number of requests that were sent.', example: 124 }),
  created: count.meta({ description: 'The number of created documents.', example: 2 }),
  updated: count.meta({ description: 'The number of changed documents.', example: 3 }),
  unchanged: count.meta({ description: 'The number of pages whose content has not changed.', example: 114 }),
  duplicates: count.meta({
    description: 'The number of pages with the same content as another page.',
    example: 1,
  }),
  moved: count.meta({
    description: 'The number of pages that redirect to another page, or name it as their own.',
    example: 1,
  }),
  noindex: count.optional().meta({
    description:
      'The number of pages that ask to be left out (`noindex`): they have no documents. Refreshes from before this count have none.',
    example: 0,
  }),
  removed: count.meta({ description: 'The number of removed documents.', example: 0 }),
  failedPages: count.meta({
    description: 'The number of pages that could not be read. Their documents stay.',
    example: 0,
  }),
  unconfirmed: count.meta({
    description:
      'The number of documents that were not removed, although their pages are gone, or show or redirect to another page: to ' +
      'remove more than half of the documents at once, refresh the source with `confirm`.',
    example: 0,
  }),
  isLimited: z.boolean().meta({
    description:
      'Whether the refresh may have missed pages, because there are more than `maxPages`, because a page has more than 2,000 ' +
      'links, or because a sitemap could not be read. Then no page counts as no longer linked.',
    example: false,
  }),
};

export const RefreshResult = z
  .object({ sourceId: id('knowledgeSource'), ...refreshCounts })
  .meta({ id: 'RefreshResult', description: 'The result of `knowledge.refresh`.' });

export type RefreshResult = z.infer<typeof RefreshResult>;
export type RefreshCounts = Omit<RefreshResult, 'sourceId'>;

export const RemoveSourceResult = z
  .object({
    removedDocuments: count.meta({ description: 'The number of removed documents.', example: 118 }),
    releasedDocuments: count.meta({
      description: 'The number of documents that stay, and are no longer managed by a source.',
      example: 0,
    }),
  })
  .meta({ id: 'RemoveSourceResult', description: 'The result of `knowledge.remove-source`.' });

export type RemoveSourceResult = z.infer<typeof RemoveSourceResult>;

/** The progress of a refresh. Each step continues here. */
export type RefreshState = {
  /** Only runs of the version before turns change this number. A change starts their next turn. */
  step?: number;
  sourceId: string;
  /** Whether it may remove more than half of the documents. */
  isConfirmed: boolean;
  /** Whether it requests the pages without conditions, so that those that have not changed are read again, too. */
  isReread?: boolean;
  phase: 'begin' | 'visit' | 'settle' | 'count' | 'remove' | 'end';
  /** The last page that a phase after `visit` is done with. Empty or undefined at its beginning. */
  after?: string;
  /** What `count` has counted so far. */
  counted?: { documents: number; gone: number };
  /** The number of pages whose requests are done. */
  done: number;
  counts: RefreshCounts;
};

export const newRefresh = (
  sourceId: string,
  { isConfirmed, isReread }: Pick<RefreshState, 'isConfirmed' | 'isReread'>,
): RefreshState => ({
  sourceId,
  isConfirmed,
  ...(isReread && { isReread }),
  phase: 'begin',
  done: 0,
  counts: {
    pages: 0,
    requests: 0,
    created: 0,
    updated: 0,
    unchanged: 0,
    duplicates: 0,
    moved: 0,
    noindex: 0,
    removed: 0,
    failedPages: 0,
    unconfirmed: 0,
    isLimited: false,
  },
});
