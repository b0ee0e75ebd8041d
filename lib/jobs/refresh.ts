/** What a refresh of a source counts, and where its next step continues. */

import * as z from 'zod';
import { id, shownCount } from '../schema/common.ts';

const count = (description: string, example: number) => shownCount().meta({ description, example });

export const refreshCounts = {
  pages: count('The number of pages that were found.', 120),
  requests: count('The number of requests that were sent.', 124),
  created: count('The number of created documents.', 2),
  updated: count('The number of changed documents.', 3),
  unchanged: count('The number of pages whose content has not changed.', 114),
  duplicates: count('The number of pages with the same content as another page.', 1),
  moved: count('The number of pages that redirect to another page.', 1),
  removed: count('The number of removed documents.', 0),
  failedPages: count('The number of pages that could not be read. Their documents stay.', 0),
  unconfirmed: count(
    'The number of documents whose pages are gone, but which were not removed: to remove more than half of the documents at ' +
      'once, refresh the source with `confirm`.',
    0,
  ),
  isLimited: z.boolean().meta({
    description:
      'Whether the refresh may have missed pages, because there are more than `maxPages`, or because a sitemap could not be ' +
      'read. Then no page counts as no longer linked.',
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
    removedDocuments: count('The number of removed documents.', 118),
    releasedDocuments: count('The number of documents that stay, and are no longer managed by a source.', 0),
  })
  .meta({ id: 'RemoveSourceResult', description: 'The result of `knowledge.remove-source`.' });

export type RemoveSourceResult = z.infer<typeof RemoveSourceResult>;

/** The progress of a refresh. Each step continues here. */
export type RefreshState = {
  sourceId: string;
  /** Whether it may remove more than half of the documents. */
  isConfirmed: boolean;
  phase: 'begin' | 'visit' | 'settle' | 'remove' | 'end';
  /** The number of finished steps. A change of it starts the next step. */
  step: number;
  /** The number of pages whose requests are done. */
  done: number;
  counts: RefreshCounts;
};

export const newRefresh = (sourceId: string, isConfirmed: boolean): RefreshState => ({
  sourceId,
  isConfirmed,
  phase: 'begin',
  step: 0,
  done: 0,
  counts: {
    pages: 0,
    requests: 0,
    created: 0,
    updated: 0,
    unchanged: 0,
    duplicates: 0,
    moved: 0,
    removed: 0,
    failedPages: 0,
    unconfirmed: 0,
    isLimited: false,
  },
});
