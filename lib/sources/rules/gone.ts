/** Which pages of a source are gone after a refresh. Pure. */

import type { SourcePage } from '../schema/source.ts';

export type PageState = Pick<SourcePage, 'status' | 'documentId'> & {
  duplicateOf: string | null;
  /** The last refresh that found the page. */
  seenIn: string;
  /** The first refresh that did not find the page, since it was last found. */
  missingSince?: string;
};

/** The id of the document that is the page's own; null if it has none. */
export const ownDocument = ({ documentId, duplicateOf }: Pick<PageState, 'documentId' | 'duplicateOf'>) =>
  duplicateOf === null ? documentId : null;

/** Whether the page says that it has no content for a document. */
export const hasNoContent = (status: SourcePage['status']): boolean =>
  status === 'gone' || status === 'noindex';

export type Fate =
  | 'stays'
  /** Nothing links to it, for the first time. */
  | 'missing'
  /** Its document is removed, if that is allowed. */
  | 'gone'
  /** Another page has its content now. Its own document is removed, if that is allowed. */
  | 'replaced'
  /** It has no document, and nothing links to it: it is forgotten. */
  | 'forgotten';

/**
 * @param refresh the id of the job
 * @param isComplete whether the refresh has found all pages that are linked
 * @param targetStatus the status of the page that it has moved to, if that belongs to the source
 */
export function fateOf(
  page: PageState,
  refresh: string,
  isComplete: boolean,
  targetStatus: SourcePage['status'] | undefined,
): Fate {
  if (page.status === 'excluded') return 'stays';
  const documentId = ownDocument(page);
  if (page.seenIn !== refresh) {
    if (!isComplete) return 'stays';
    if (documentId === null) return 'forgotten';
    return page.missingSince !== undefined && page.missingSince !== refresh ? 'gone' : 'missing';
  }
  if (documentId === null) return 'stays';
  if (hasNoContent(page.status)) return 'gone';
  // It keeps its own document until it is decided that it may be removed.
  if (page.status === 'duplicate') return 'replaced';
  if (page.status !== 'moved') return 'stays';
  if (targetStatus === undefined || hasNoContent(targetStatus)) return 'gone';
  return targetStatus === 'stored' || targetStatus === 'duplicate' ? 'replaced' : 'stays';
}

/** Whether a page loses its own document. */
export const isGoing = (fate: Fate): boolean => fate === 'gone' || fate === 'replaced';

/** A site that loses more than this share of its documents at once is more probably broken than emptied. */
const maxGoneShare = 0.5;

/** @returns whether so many documents may be removed without a confirmation */
export const mayRemove = (gone: number, documents: number): boolean => gone <= documents * maxGoneShare;
