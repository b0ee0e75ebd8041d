/**
 * The end of a refresh: what is gone is removed. A page whose content another page has takes over its document. Every
 * transaction is about one page, and repeating it changes nothing.
 */

import { pagesOf } from '../../../base/pages.ts';
import { again, retry } from '../../../base/retry.ts';
import { checkRemainingTime } from '../../../workers/time-limit.ts';
import type { Write } from '../../../workers/worker.ts';
import { removeDocument } from '../../store/documents.ts';
import { pageIdOf } from '../rules/canonical-url.ts';
import { type Fate, fateOf, mayRemove, ownDocument } from '../rules/gone.ts';
import {
  enqueue,
  getOwner,
  getPage,
  listPages,
  putOwner,
  putPage,
  removeOwner,
  removePage,
  type StoredPage,
} from '../store/pages.ts';
import { documentOf, renameDocument } from './content.ts';
import { counted, type RefreshRun, save } from './run.ts';

const allPages = ({ store, source }: RefreshRun): AsyncGenerator<StoredPage[]> =>
  pagesOf((after) => listPages(store, source.id, { after, limit: 1000 }));

/** A chain of redirects that is longer is a loop. */
const maxHops = 10;

async function fateIn(run: RefreshRun, page: StoredPage): Promise<Fate> {
  const { store, source, job, state } = run;
  let target: StoredPage | undefined = page;
  for (let hops = 0; target?.status === 'moved' && target.movedTo !== null && hops < maxHops; hops += 1)
    target = await getPage(store, source.id, pageIdOf(target.movedTo));
  return fateOf(page, job.id, !state.counts.isLimited, target?.status);
}

const isGoing = (fate: Fate): boolean => fate === 'gone' || fate === 'replaced';

/**
 * Looks for pages with the content of a page that is gone or has changed. They take over its document, or are requested again.
 * Then it decides whether the documents of gone pages are removed.
 */
export async function settle(run: RefreshRun): Promise<void> {
  const requested = new Set<string>();
  for await (const some of allPages(run)) {
    for (const page of some) {
      if (page.duplicateOf === null || page.seenIn !== run.job.id || page.status === 'excluded') continue;
      await findOwner(run, page, requested);
      checkRemainingTime(run.input);
    }
  }
  if (requested.size > 0) return void (await save(run, { ...run.state, phase: 'visit' }));
  let documents = 0;
  let gone = 0;
  for await (const some of allPages(run)) {
    for (const page of some) {
      if (ownDocument(page) === null) continue;
      documents += 1;
      if ((await fateIn(run, page)) === 'gone') gone += 1;
    }
    checkRemainingTime(run.input);
  }
  const isAllowed = run.state.isConfirmed || mayRemove(gone, documents);
  const counts = { ...run.state.counts, unconfirmed: isAllowed ? 0 : gone };
  await save(run, { ...run.state, counts, phase: 'remove' });
}

/** @param requested the contents for which a page is requested again: one of them is enough */
async function findOwner(run: RefreshRun, duplicate: StoredPage, requested: Set<string>): Promise<void> {
  const { store, source } = run;
  const attempt = async () => {
    const page = await getPage(store, source.id, duplicate.id);
    if (page?.status !== 'duplicate' || page.contentHash === null) return undefined;
    const owner = await getOwner(store, source.id, page.contentHash);
    const from = owner && (await getPage(store, source.id, owner.pageId));
    if (!from || !owner) {
      if (requested.has(page.contentHash)) return undefined;
      const entry = { pageId: page.id, url: page.url, depth: 0, isFresh: true };
      const written = await save(run, run.state, [enqueue(store, source.id, entry)]);
      requested.add(page.contentHash);
      return written ? undefined : again;
    }
    const document = isGoing(await fateIn(run, from)) ? await documentOf(run, from) : undefined;
    if (!document) return undefined;
    const after = { ...page, status: 'stored' as const, duplicateOf: null, documentId: document.id };
    const writes = [
      putPage(store, source.id, after, page),
      putPage(store, source.id, { ...from, documentId: null, contentHash: null }, from),
      putOwner(store, source.id, page.contentHash, page.id, owner),
      ...renameDocument(run, document, page),
    ];
    return (await save(run, run.state, writes)) ? undefined : again;
  };
  await retry(attempt, { failure: () => new Error(`${duplicate.id} is being changed`) });
}

/** Removes what is gone, and notes which pages were not found. */
export async function removeGone(run: RefreshRun): Promise<void> {
  for await (const some of allPages(run)) {
    for (const page of some) {
      const fate = await fateIn(run, page);
      const isNoted = fate === 'missing' && page.missingSince !== undefined;
      if (fate === 'stays' || isNoted) continue;
      if (fate === 'gone' && run.state.counts.unconfirmed > 0) continue;
      await end(run, page.id);
      checkRemainingTime(run.input);
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
    const document = await documentOf(run, page);
    const writes: Write[] = document ? removeDocument(store, document) : [];
    const owner = page.contentHash === null ? undefined : await getOwner(store, source.id, page.contentHash);
    if (owner?.pageId === page.id) writes.push(removeOwner(store, source.id, owner));
    const isKept = page.seenIn === job.id;
    writes.push(
      ...(isKept
        ? [putPage(store, source.id, { ...page, documentId: null, contentHash: null }, page)]
        : removePage(store, source.id, page)),
    );
    const state = document ? counted(run.state, 'removed') : run.state;
    return (await save(run, state, writes)) ? undefined : again;
  };
  await retry(attempt, { failure: () => new Error(`${pageId} is being changed`) });
}
