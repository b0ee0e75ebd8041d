/** Plans the document of a page. The same content under two addresses is one document: that of the page that owns it. */

import { timestamp } from '../../base/time.ts';
import { readNow, type SentDocument, upsertDocument, withChanges } from '../../documents/documents.ts';
import { changeDocument, getDocument, type StoredDocument } from '../../documents/store/documents.ts';
import { putTextParts } from '../../documents/store/text-parts.ts';
import type { RefreshState } from '../../jobs/refresh.ts';
import { JobFailure, JobLost, write } from '../../jobs/run.ts';
import { countUses, exceededQuota, type Uses } from '../../limits/store/quotas.ts';
import type { Write } from '../../workers/worker.ts';
import { hasNoContent, ownDocument } from '../rules/gone.ts';
import type { Outcome } from '../rules/outcome.ts';
import { pageIdOf } from '../rules/urls.ts';
import {
  getOwner,
  getPage,
  type NewPage,
  putOwner,
  putPage,
  removeOwner,
  type StoredPage,
  withoutDocument,
} from '../store/pages.ts';
import { endText, noteText } from '../store/unfinished-texts.ts';
import { pageDone, type RefreshRun } from './progress.ts';
import { textIdOf } from './unfinished-texts.ts';

type Content = Extract<Outcome, { kind: 'content' }>;
type Plan = { writes: readonly Write[]; state: RefreshState };

/** Plans a page whose content was read. @param before the page as it is stored */
export async function planContent(
  run: RefreshRun,
  page: StoredPage,
  before: StoredPage,
  content: Content,
  state: RefreshState,
): Promise<Plan> {
  const { store, source, input } = run;
  const { contentHash } = content;
  const [owner, previousOwner, pageDocument] = await Promise.all([
    getOwner(store, source.id, contentHash),
    page.contentHash === null || page.contentHash === contentHash
      ? undefined
      : getOwner(store, source.id, page.contentHash),
    documentOf(run, page),
  ]);
  const ownerPage =
    owner && owner.pageId !== page.id ? await getPage(store, source.id, owner.pageId) : undefined;
  const now = timestamp(input.nowMs());
  const { etag: _, lastModified: __, replacedBy: ___, ...rest } = page;
  const base = {
    ...rest,
    ...(content.etag !== undefined && { etag: content.etag }),
    ...(content.lastModified !== undefined && { lastModified: content.lastModified }),
    contentHash,
    movedTo: null,
    error: null,
    requestedAt: now,
    changedAt: page.contentHash === contentHash ? page.changedAt : now,
  };
  const release = previousOwner?.pageId === page.id ? [removeOwner(store, source.id, previousOwner)] : [];
  if (ownerPage && !(await isLeaving(run, ownerPage, page))) {
    const status = 'duplicate' as const;
    const documentId = ownerPage.status === 'excluded' ? null : ownerPage.documentId;
    const replacedBy = { pageId: ownerPage.id, contentHash, documentId };
    const { requestedAt } = base;
    // A page of maintenance has the address of every page. So the end of the refresh decides about the document.
    const after: NewPage = pageDocument
      ? { ...page, status, replacedBy, movedTo: null, error: null, requestedAt }
      : { ...base, status, documentId, duplicateOf: ownerPage.id };
    return {
      writes: [putPage(store, source.id, after, before), ...(pageDocument ? [] : release)],
      state: pageDone(state, 'duplicates'),
    };
  }
  const ownerDocument = ownerPage && !pageDocument ? await documentOf(run, ownerPage) : undefined;
  const document = pageDocument ?? ownerDocument;
  const fields = sentDocument(run, page, content);
  const upsert = ownerDocument
    ? upsertRenamed(run, ownerDocument, page, fields)
    : upsertDocument(store, document, fields, contextOf(run));
  const uses = await allowedUses(run, upsert.uses);
  // The uses have no bytes if the text is stored already.
  const end = uses.bytes ? await putFurtherParts(run, upsert.document.id, fields) : [];
  const after: NewPage = { ...base, status: 'stored', documentId: upsert.document.id, duplicateOf: null };
  const isOwner = owner?.pageId === page.id;
  return {
    writes: [
      putPage(store, source.id, after, before),
      ...release,
      ...(isOwner ? [] : [putOwner(store, source.id, contentHash, page.id, owner)]),
      ...(ownerDocument && ownerPage
        ? [putPage(store, source.id, withoutDocument(ownerPage), ownerPage)]
        : []),
      ...upsert.writes,
      ...end,
      ...countUses(store, source.quotas, uses, input.nowMs()),
    ],
    state: pageDone(state, upsert.outcome),
  };
}

/**
 * @returns whether a page certainly loses its document in this refresh, so that the visited page may take it over. A page that has
 *   moved keeps its document if its target cannot be read, so only its target takes it over now. The end of the refresh decides
 *   about all others
 */
async function isLeaving(run: RefreshRun, page: StoredPage, visited: StoredPage): Promise<boolean> {
  if (page.seenIn !== run.job.id) return ownDocument(page) === null && page.status !== 'excluded';
  if (page.status === 'moved') return (await targetOf(run, page, visited.id))?.id === visited.id;
  return hasNoContent(page.status) || page.replacedBy !== undefined;
}

/** A chain of redirects that is longer is a loop. */
const maxHops = 10;

/** @returns where the redirects from a page end, or the page with the id on their way; undefined outside of the source */
export async function targetOf(
  { store, source }: RefreshRun,
  page: StoredPage,
  untilId?: string,
): Promise<StoredPage | undefined> {
  let target: StoredPage | undefined = page;
  for (let hops = 0; target?.status === 'moved' && target.movedTo !== null && hops < maxHops; hops += 1) {
    target = await getPage(store, source.id, pageIdOf(target.movedTo));
    if (target?.id === untilId) break;
  }
  return target;
}

/** Plans a page whose server says that nothing has changed. Its source may have other tags. @param before the page as it is stored */
export async function planUnchanged(
  run: RefreshRun,
  page: StoredPage,
  before: StoredPage,
  state: RefreshState,
): Promise<Plan> {
  const { store, source, input } = run;
  const document = await documentOf(run, page);
  const { replacedBy: _, ...rest } = page;
  const { status } = page;
  const next = page.duplicateOf === null ? ('stored' as const) : ('duplicate' as const);
  const after = { ...rest, status: next, movedTo: null, error: null, requestedAt: timestamp(input.nowMs()) };
  const taggedDocument = document && withChanges(document, { tags: source.tags }, input.nowMs());
  const isTagged =
    document !== undefined && taggedDocument?.status === 'pending' && !sameTags(document.tags, source.tags);
  const counts =
    next === 'duplicate' ? ('duplicates' as const) : isTagged ? ('updated' as const) : ('unchanged' as const);
  const isSame = status === next && page.error === null;
  return {
    writes: [
      putPage(store, source.id, isSame ? { ...page, requestedAt: after.requestedAt } : after, before),
      ...(isTagged && taggedDocument ? changeDocument(store, document, taggedDocument, undefined) : []),
    ],
    state: pageDone(state, counts),
  };
}

const sameTags = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === b.length && a.toSorted().every((tag, index) => tag === b.toSorted()[index]);

export async function documentOf(
  { store }: RefreshRun,
  page: StoredPage,
): Promise<StoredDocument | undefined> {
  const id = ownDocument(page);
  return id === null ? undefined : getDocument(store, id);
}

/** The document belongs to another page from now on. The index has the address of the page, so the document is pending. */
export function renameDocument(
  { store, input }: RefreshRun,
  document: StoredDocument,
  page: Pick<StoredPage, 'id' | 'url'>,
): Write[] {
  const after = withChanges(document, { externalId: page.id, url: page.url }, input.nowMs());
  return changeDocument(store, document, after, undefined);
}

function upsertRenamed(
  run: RefreshRun,
  before: StoredDocument,
  { id: externalId, url }: Pick<StoredPage, 'id' | 'url'>,
  { title, tags, notes = [] }: SentDocument,
) {
  const changes = { externalId, url, title, tags, ...readNow(notes) };
  const after = withChanges(before, changes, run.input.nowMs());
  return {
    outcome: 'updated' as const,
    document: after,
    writes: changeDocument(run.store, before, after, undefined),
    uses: {},
  };
}

const sentDocument = (
  { source, job }: RefreshRun,
  page: StoredPage,
  { title, text, mimeType, contentHash, notes }: Content,
): SentDocument & { textId: string } => ({
  title,
  notes,
  source: source.id,
  externalId: page.id,
  url: page.url,
  mimeType,
  tags: source.tags,
  metadata: {},
  content: text,
  textId: textIdOf(job.id, contentHash),
});

/**
 * Stores all of a long text but its first part, which is stored with the document.
 * @returns the writes for the transaction of the document
 * @throws JobLost
 */
async function putFurtherParts(
  run: RefreshRun,
  id: string,
  { textId, content }: SentDocument & { textId: string },
): Promise<Write[]> {
  const { store, source } = run;
  const parts = putTextParts(store, id, textId, content);
  if (parts.length === 0) return [];
  for (const part of [noteText(store, source.id, { id, textId }), ...parts])
    if (!(await write(run, [part]))) throw new JobLost();
  return [endText(store, source.id, id)];
}

/** A source acts on behalf of the credential that has set it. */
const contextOf = ({ source, input }: RefreshRun) => ({
  caller: { principal: source.setBy },
  nowMs: input.nowMs(),
  newId: input.newId,
});

/** @throws JobFailure if a quota is used up. What was stored until then stays */
async function allowedUses({ store, source, input }: RefreshRun, uses: Uses): Promise<Uses> {
  const quota = await exceededQuota(store, source.quotas, uses, input.nowMs());
  if (quota === undefined) return uses;
  throw new JobFailure({
    code: 'quota_exceeded',
    message:
      `The quota of ${source.quotas[quota]} ${quota} per day is used up. The stored documents stay. Refresh the source ` +
      'again tomorrow.',
  });
}
