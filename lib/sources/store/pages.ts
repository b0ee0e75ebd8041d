/**
 * The pages of a source, in a partition of the source. Other partitions have their links, the pages that own a content, the
 * queue of a refresh, and the rules of hosts. A page is one item, so a list of pages is read without their links.
 */

import { gunzipSync, gzipSync } from 'node:zlib';
import { projectCollection, type Stored, type Unstored, unchanged } from '../../dynamodb/collection.ts';
import type { Contents } from '../../dynamodb/contents.ts';
import type { Page, ProjectStore } from '../../dynamodb/store.ts';
import type { Write } from '../../dynamodb/write.ts';
import type { PageState } from '../rules/gone.ts';
import type { PageLinks } from '../rules/outcome.ts';
import type { SourcePage } from '../schema/source.ts';
import { unfinishedTexts } from './unfinished-texts.ts';

export type StoredPage = Stored<
  SourcePage &
    PageState & {
      /** The hash of the title and the text. Null if nothing was read yet. */
      contentHash: string | null;
      etag?: string;
      lastModified?: string;
      /** The last refresh that requested it, not only found a link to it. */
      visitedIn?: string;
      /** The page with the content that this page has now, while this page still has a document with its content from before. */
      replacedBy?: Content;
    }
>;
/** A content, the page that owns it, and the document of that page. */
export type Content = { pageId: string; contentHash: string; documentId: string | null };

export type NewPage = Unstored<StoredPage>;

/** Links as they are stored. `isCut` says that there are more. */
export type PackedLinks = { gzip: Uint8Array; isCut: boolean };
type StoredLinks = Stored<{ id: string; gzip: Uint8Array; isCut?: boolean }>;
type Owner = Stored<{ id: string; pageId: string }>;

/** An entry of the queue. The work on it is done when it is removed. */
export type QueueEntry = Stored<{
  /** The queue is in the order of its ids. */
  id: string;
  pageId: string;
  url: string;
  depth: number;
  kind: 'page' | 'sitemap';
  /** The next step: to request the page, or to add the pages behind its links. */
  todo: 'request' | 'links';
  /** The number of failed requests so far. */
  tries: number;
  /** Whether it is requested without conditions, because its content is needed. */
  isFresh: boolean;
  /** How often the reading of its file has started, and has not ended. */
  starts?: number;
  /** Where the redirects of the page have led so far. The last of them is requested next, instead of `url`. */
  hops?: readonly string[];
  /** Whether a page names the last of `hops` as its own address. If that has no content, the page keeps its own. */
  isNamed?: boolean;
  /** Whether the page keeps its content, whatever address it names. */
  isFinal?: boolean;
}>;

/** The rules of a host, for one refresh. A source may have other hosts in each refresh. */
export type StoredRobots = Stored<{ id: string; jobId: string; gzip: Uint8Array; ttl: number }>;

export const pages = projectCollection<StoredPage, [sourceId: string]>('knowledge', (sourceId) => [sourceId]);
const linksOfPages = projectCollection<StoredLinks, [sourceId: string]>('knowledge', (sourceId) => [
  sourceId,
  'links',
]);
/** The id of an owner is the hash of the content. */
export const owners = projectCollection<Owner, [sourceId: string]>('knowledge', (sourceId) => [
  sourceId,
  'owners',
]);
export const queue = projectCollection<QueueEntry, [sourceId: string]>('knowledge', (sourceId) => [
  sourceId,
  'queue',
]);
export const robots = projectCollection<StoredRobots, [sourceId: string]>('knowledge', (sourceId) => [
  sourceId,
  'robots',
]);

/** @returns everything that a source has stored besides its documents */
export const partitionsOfSource = (store: ProjectStore, sourceId: string): Contents[] =>
  [pages, linksOfPages, owners, queue, robots, unfinishedTexts].map((kind) => kind.at(store, sourceId));

export const getPage = (store: ProjectStore, sourceId: string, id: string): Promise<StoredPage | undefined> =>
  pages.at(store, sourceId).get(id);

/** @returns pages in the order of their ids. One page of the list reads at most 1000 */
export const listPages = (
  store: ProjectStore,
  sourceId: string,
  list: { status?: SourcePage['status'] | undefined; after: string | undefined; limit: number },
): Promise<Page<StoredPage>> => {
  const { status, ...page } = list;
  const filter = (one: StoredPage) => status === undefined || one.status === status;
  return pages.at(store, sourceId).page({ ...page, order: 'oldest', filter });
};

/** Writes the whole page, unless it has changed since it was read. */
export const putPage = (
  store: ProjectStore,
  sourceId: string,
  page: NewPage,
  before: StoredPage | undefined,
): Write<never> =>
  pages.at(store, sourceId).put(page, { condition: before ? unchanged(before) : { kind: 'absent' } });

/** @returns a page whose own document another page has, or nobody. If another page has its content now, it is a duplicate */
export function withoutDocument({ replacedBy, ...page }: StoredPage): StoredPage {
  if (!replacedBy) return { ...page, documentId: null, contentHash: null };
  const { etag: _, lastModified: __, ...rest } = page;
  const { pageId, contentHash, documentId } = replacedBy;
  return { ...rest, documentId, contentHash, duplicateOf: pageId };
}

export const removePage = (store: ProjectStore, sourceId: string, page: StoredPage): Write<never>[] => [
  pages.at(store, sourceId).remove(page.id, { condition: unchanged(page) }),
  linksOfPages.at(store, sourceId).remove(page.id, { condition: { kind: 'any' } }),
];

/** @returns the writes after which later refreshes leave out the page of a document. Its content stays known, by its hash */
export async function excludePageOf(
  store: ProjectStore,
  { source, externalId }: { source: string | null; externalId: string | null },
): Promise<Write<never>[]> {
  if (source === null || externalId === null) return [];
  const page = await getPage(store, source, externalId);
  if (!page) return [];
  const { replacedBy: _, ...rest } = page;
  const excluded = { ...rest, status: 'excluded' as const, documentId: null, duplicateOf: null, error: null };
  return [putPage(store, source, excluded, page)];
}

/** An item has at most 400 KB. */
const maxLinksBytes = 300 * 1024;
const maxLinksLength = 2 * 1024 * 1024;

export function packLinks({ urls, isCut }: PageLinks): PackedLinks {
  let gzip = gzipSync(JSON.stringify(urls));
  let count = urls.length;
  while (gzip.length > maxLinksBytes) {
    count = Math.floor(count / 2);
    gzip = gzipSync(JSON.stringify(urls.slice(0, count)));
  }
  return { gzip, isCut: isCut || count < urls.length };
}

export const putLinks = (
  store: ProjectStore,
  sourceId: string,
  id: string,
  { gzip, isCut }: PackedLinks,
): Write<never> =>
  linksOfPages.at(store, sourceId).put({ id, gzip, ...(isCut && { isCut }) }, { condition: { kind: 'any' } });

export async function getLinks(store: ProjectStore, sourceId: string, id: string): Promise<PageLinks> {
  const item = await linksOfPages.at(store, sourceId).get(id);
  if (!item) return { urls: [], isCut: false };
  const text = gunzipSync(item.gzip, { maxOutputLength: maxUnpacked }).toString();
  return { urls: JSON.parse(text), isCut: item.isCut ?? false };
}
/** A sitemap may have 50 000 addresses. */
const maxUnpacked = 50 * maxLinksLength;

export const removeLinks = (store: ProjectStore, sourceId: string, id: string): Write<never> =>
  linksOfPages.at(store, sourceId).remove(id, { condition: { kind: 'any' } });

export const getOwner = (
  store: ProjectStore,
  sourceId: string,
  contentHash: string,
): Promise<Owner | undefined> => owners.at(store, sourceId).get(contentHash);

export const putOwner = (
  store: ProjectStore,
  sourceId: string,
  contentHash: string,
  pageId: string,
  before: Owner | undefined,
): Write<never> =>
  owners
    .at(store, sourceId)
    .put({ id: contentHash, pageId }, { condition: before ? unchanged(before) : { kind: 'absent' } });

export const removeOwner = (store: ProjectStore, sourceId: string, owner: Owner): Write<never> =>
  owners.at(store, sourceId).remove(owner.id, { condition: unchanged(owner) });

export type NewEntry = Unstored<QueueEntry>;

type Queued = Pick<QueueEntry, 'pageId' | 'url' | 'depth'> &
  Partial<Pick<QueueEntry, 'kind' | 'tries' | 'isFresh' | 'hops' | 'isNamed' | 'isFinal'>>;

/** Sitemaps and pages near the start come first. What has failed comes last. A repeated request is another entry. */
export function newEntry(queued: Queued): NewEntry {
  const { pageId, url, depth, kind = 'page', tries = 0, isFresh = false, hops, isNamed, isFinal } = queued;
  const order = kind === 'sitemap' ? (tries > 0 ? 40 + tries : 0) : tries > 0 ? 50 + tries : 1 + depth;
  const id = `${String(order).padStart(2, '0')}.${pageId}`;
  return {
    ...{ id, pageId, url, depth, kind, tries, isFresh, todo: 'request' as const },
    ...(hops && { hops }),
    ...(isNamed && { isNamed }),
    ...(isFinal && { isFinal }),
  };
}

export const enqueue = (store: ProjectStore, sourceId: string, queued: Queued): Write<never> =>
  queue.at(store, sourceId).put(newEntry(queued), { condition: { kind: 'any' } });

/** @returns the writes that change an entry. It stays under the same id, or moves to another place in the queue */
export function requeue(
  store: ProjectStore,
  sourceId: string,
  entry: NewEntry,
  changes: Pick<Partial<Queued>, 'tries' | 'hops' | 'isNamed' | 'isFinal'>,
): Write<never>[] {
  const next = { ...entry, ...changes };
  const isMoved = newEntry(next).id !== entry.id;
  return [...(isMoved ? [dequeue(store, sourceId, entry)] : []), enqueue(store, sourceId, next)];
}

export async function firstInQueue(store: ProjectStore, sourceId: string): Promise<QueueEntry | undefined> {
  const { items } = await queue.at(store, sourceId).page({ order: 'oldest', limit: 1 });
  return items[0];
}

/** The request is done, and further links are left. */
export const leaveLinks = (
  store: ProjectStore,
  sourceId: string,
  { id }: Pick<QueueEntry, 'id'>,
): Write<never> =>
  queue.at(store, sourceId).update(id, { todo: 'links' }, { condition: { kind: 'present' } });

/** Counts a start of the reading of its file. */
export const countStart = (
  store: ProjectStore,
  sourceId: string,
  { id }: Pick<QueueEntry, 'id'>,
  starts: number,
): Write<never> => queue.at(store, sourceId).update(id, { starts }, { condition: { kind: 'present' } });

export const dequeue = (
  store: ProjectStore,
  sourceId: string,
  { id }: Pick<QueueEntry, 'id'>,
): Write<never> => queue.at(store, sourceId).remove(id, { condition: { kind: 'present' } });
