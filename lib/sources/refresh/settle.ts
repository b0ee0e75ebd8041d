/**
 * The end of a refresh: what is gone is removed. A page whose content another page has takes over its document. Every
 * transaction is about one page, and repeating it changes nothing.
 */

import { pagesOf } from '../../base/pages.ts';
import { again, retry } from '../../base/retry.ts';
import { removeDocument } from '../../documents/store/documents.ts';
import type { RefreshState } from '../../jobs/refresh.ts';
import type { Write } from '../../workers/worker.ts';
import { type Fate, fateOf, isGoing, mayRemove, ownDocument } from '../rules/gone.ts';
import { isInScope } from '../rules/urls.ts';
import {
  enqueue,
  firstInQueue,
  getOwner,
  getPage,
  listPages,
  putOwner,
  putPage,
  removeOwner,
  removePage,
  type StoredPage,
  withoutDocument,
} from '../store/pages.ts';
import { documentOf, renameDocument, targetOf } from './content.ts';
import { addCounts, checkState, type RefreshRun, save } from './progress.ts';

/** @returns the pages that the phase is not done with */
const pagesLeft = ({ store, source, state }: RefreshRun): AsyncGenerator<StoredPage[]> =>
  pagesOf((after = state.after || undefined) => listPages(store, source.id, { after, limit: 1000 }));

async function fateIn(run: RefreshRun, page: StoredPage): Promise<Fate> {
  const { isLimited } = run.state.counts;
  const target = await targetOf(run, page);
  // The source may have had no place for the target.
  const isMissed = isLimited && page.movedTo !== null && isInScope(page.movedTo, run.source);
  return fateOf(page, run.job.id, !isLimited, target?.status ?? (isMissed ? 'pending' : undefined));
}

/** Looks for pages with the content of a page that is gone or has changed. They take over its document, or are requested again. */
export async function settle(run: RefreshRun): Promise<void> {
  const requestedContents = new Set<string>();
  for await (const batch of pagesLeft(run)) {
    for (const page of batch) {
      if (page.seenIn !== run.job.id || contentOfOther(page) === null) continue;
      await findOwner(run, page, requestedContents);
      await checkState(run, { ...run.state, after: page.id });
    }
  }
  // An earlier turn may have requested pages.
  const isRequested = await firstInQueue(run.store, run.source.id);
  await save(run, { ...run.state, phase: isRequested ? 'visit' : 'count', after: '' });
}

/** Counts what is gone, and decides whether its documents are removed. */
export async function countGone(run: RefreshRun): Promise<void> {
  let { documents, gone } = run.state.counted ?? { documents: 0, gone: 0 };
  for await (const batch of pagesLeft(run)) {
    for (const page of batch) {
      if (ownDocument(page) === null) continue;
      documents += 1;
      if (isGoing(await fateIn(run, page))) gone += 1;
      await checkState(run, { ...run.state, after: page.id, counted: { documents, gone } });
    }
  }
  const isAllowed = run.state.isConfirmed || mayRemove(gone, documents);
  const counts = { ...run.state.counts, unconfirmed: isAllowed ? 0 : gone };
  const { counted: _, ...state } = run.state;
  await save(run, { ...state, counts, phase: 'remove', after: '' });
}

/**
 * @returns the hash of the content that the page shares with another page; null if it shares none. A page that could not be read
 *   this time may share it still
 */
function contentOfOther({ status, duplicateOf, contentHash, replacedBy }: StoredPage): string | null {
  if (replacedBy) return replacedBy.contentHash;
  const isDuplicate = duplicateOf !== null && (status === 'duplicate' || status === 'failed');
  return isDuplicate ? contentHash : null;
}

/** @param requestedContents the contents for which a page is requested again: one of them is enough */
async function findOwner(
  run: RefreshRun,
  duplicate: StoredPage,
  requestedContents: Set<string>,
): Promise<void> {
  const { store, source } = run;
  const attempt = async () => {
    const page = await getPage(store, source.id, duplicate.id);
    const contentHash = page ? contentOfOther(page) : null;
    if (!page || contentHash === null) return undefined;
    const owner = await getOwner(store, source.id, contentHash);
    const ownerPage = owner && (await getPage(store, source.id, owner.pageId));
    if (!ownerPage || !owner) {
      if (page.status === 'failed' || requestedContents.has(contentHash)) return undefined;
      const entry = { pageId: page.id, url: page.url, depth: 0, isFresh: true };
      const isWritten = await save(run, run.state, [enqueue(store, source.id, entry)]);
      requestedContents.add(contentHash);
      return isWritten ? undefined : again;
    }
    const document = isGoing(await fateIn(run, ownerPage)) ? await documentOf(run, ownerPage) : undefined;
    if (!document) return undefined;
    if (page.replacedBy) {
      // Its own document has the name that the other document gets.
      const { writes, state } = await endDocument(run, page);
      await save(run, state, [...writes, putPage(store, source.id, withoutDocument(page), page)]);
      return again;
    }
    const status = page.status === 'failed' ? ('failed' as const) : ('stored' as const);
    const after = { ...page, status, duplicateOf: null, documentId: document.id };
    const writes = [
      putPage(store, source.id, after, page),
      putPage(store, source.id, withoutDocument(ownerPage), ownerPage),
      putOwner(store, source.id, contentHash, page.id, owner),
      ...renameDocument(run, document, page),
    ];
    return (await save(run, addCounts(run.state, 'updated'), writes)) ? undefined : again;
  };
  await retry(attempt, { failure: () => new Error(`${duplicate.id} is being changed`) });
}

/** Removes what is gone, and notes which pages were not found. */
export async function removeGone(run: RefreshRun): Promise<void> {
  for await (const batch of pagesLeft(run)) {
    for (const page of batch) {
      const fate = await fateIn(run, page);
      const isNoted = fate === 'missing' && page.missingSince !== undefined;
      if (fate === 'stays' || isNoted) continue;
      if (isGoing(fate) && run.state.counts.unconfirmed > 0) continue;
      await end(run, page.id);
      await checkState(run, { ...run.state, after: page.id });
    }
  }
  await save(run, { ...run.state, phase: 'end' });
}

async function end(run: RefreshRun, pageId: string): Promise<void> {
  const { store, source, job } = run;
  const attempt = async () => {
    const page = await getPage(store, source.id, pageId);
    const fate = page ? await fateIn(run, page) : 'stays';
    if (!page || fate === 'stays') return undefined;
    if (fate === 'missing') {
      const missing = putPage(store, source.id, { ...page, missingSince: job.id }, page);
      return (await save(run, run.state, [missing])) ? undefined : again;
    }
    const { writes, state } = await endDocument(run, page);
    const isKept = page.seenIn === job.id;
    writes.push(
      ...(isKept
        ? [putPage(store, source.id, withoutDocument(page), page)]
        : removePage(store, source.id, page)),
    );
    return (await save(run, state, writes)) ? undefined : again;
  };
  await retry(attempt, { failure: () => new Error(`${pageId} is being changed`) });
}

/** @returns the writes after which the page's own document and its content are gone, and the state that counts it */
async function endDocument(
  run: RefreshRun,
  page: StoredPage,
): Promise<{ writes: Write[]; state: RefreshState }> {
  const { store, source, state } = run;
  const document = await documentOf(run, page);
  const owner = page.contentHash === null ? undefined : await getOwner(store, source.id, page.contentHash);
  return {
    writes: [
      ...(document ? removeDocument(store, document) : []),
      ...(owner?.pageId === page.id ? [removeOwner(store, source.id, owner)] : []),
    ],
    state: document ? addCounts(state, 'removed') : state,
  };
}
